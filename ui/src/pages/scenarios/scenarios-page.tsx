import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../../api/client';
import { keys, useMay, useScenarios } from '../../api/queries';
import { useLive } from '../../api/use-live';
import { Bones, Dialog, Empty, ErrorNote, Field, useTitle } from '../../parts/basics';
import { Badge } from '../../parts/badges';
import { PlayIcon, PlusIcon } from '../../parts/icons';
import { CreateSwarm } from '../swarms/create-swarm';
import { beginning } from './beginning';
import './scenarios.css';

function NewScenario(props: { onClose: () => void }) {
  const client = useQueryClient();
  const [, go] = useLocation();
  const [id, setId] = useState('');
  const make = useMutation({
    mutationFn: () => call('post', '/api/v1/scenarios', { body: { id, files: beginning(id) } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.scenarios });
      go(`/scenarios/${id}`);
    },
  });
  return (
    <Dialog title="New scenario" onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Cancel</button>
          <button type="submit" form="new-scenario" className="button primary" disabled={id === '' || make.isPending}>Create</button>
        </>
      }>
      <form id="new-scenario" className="stack" onSubmit={(event) => { event.preventDefault(); make.mutate(); }}>
        <Field label="Name" hint="Letters, digits, - and _. It becomes the folder of the scenario.">
          {(parts) => <input {...parts} className="input" value={id} autoComplete="off" spellCheck={false} onChange={(event) => setId(event.target.value)} />}
        </Field>
        <p className="small muted">It begins with four bees in a row and a system under test on this machine, ready to be changed.</p>
        {make.isError && <ErrorNote error={make.error} />}
      </form>
    </Dialog>
  );
}

export default function ScenariosPage() {
  useTitle('Scenarios');
  const scenarios = useScenarios();
  const client = useQueryClient();
  const [, go] = useLocation();
  const mayWrite = useMay('scenarios', 'write');
  const mayRun = useMay('swarms', 'write');
  const [making, setMaking] = useState(false);
  const [running, setRunning] = useState<string>();
  const [text, setText] = useState('');
  useLive(['scenario.#'], () => void client.invalidateQueries({ queryKey: keys.scenarios }));
  const word = text.trim().toLowerCase();
  const shown = (scenarios.data ?? []).filter((each) => `${each.id} ${each.name} ${each.description}`.toLowerCase().includes(word));
  const create = mayWrite && (
    <button type="button" className="button primary" onClick={() => setMaking(true)}><PlusIcon /> New scenario</button>
  );
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Scenarios</h1>
          <p>What swarms are made of: bees, queues, a plan, and what must hold in the end.</p>
        </div>
        {create}
      </div>
      {scenarios.isError && <ErrorNote error={scenarios.error} retry={() => void scenarios.refetch()} />}
      {scenarios.isPending && <section className="panel"><Bones rows={6} /></section>}
      {scenarios.isSuccess && scenarios.data.length === 0 && (
        <section className="panel">
          <Empty title="No scenario yet" action={create}>
            Put folders with a <code>scenario.yaml</code> below <code>scenarios</code> of the data directory, or make one here.
          </Empty>
        </section>
      )}
      {(scenarios.data ?? []).length > 0 && (
        <>
          <input className="input find" type="search" aria-label="Find scenarios" placeholder="Find a scenario" value={text} onChange={(event) => setText(event.target.value)} />
          {shown.length === 0 && <section className="panel"><Empty title="Nothing fits">No scenario fits “{text}”.</Empty></section>}
          <ul className="cards">
            {shown.map((each) => (
              <li key={each.id} className="panel card">
                <div className="row">
                  <h2 className="grow"><Link className="name-link" href={`/scenarios/${each.id}`}>{each.name === '' ? each.id : each.name}</Link></h2>
                  {!each.valid ? <Badge tone="bad" text={`${each.errors} ${each.errors === 1 ? 'error' : 'errors'}`} />
                    : each.warnings > 0 ? <Badge tone="warn" text={`${each.warnings} ${each.warnings === 1 ? 'warning' : 'warnings'}`} />
                      : <Badge tone="good" text="Sound" />}
                </div>
                <p className="small muted">{each.description}</p>
                <div className="row foot">
                  <code className="grow muted">{each.id}</code>
                  {mayRun && (
                    <button type="button" className="button small" disabled={!each.valid} onClick={() => setRunning(each.id)}>
                      <PlayIcon /> Run<span className="hidden-text"> {each.id}</span>
                    </button>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
      {making && <NewScenario onClose={() => setMaking(false)} />}
      {running !== undefined && <CreateSwarm scenario={running} onClose={() => setRunning(undefined)} onMade={(id) => go(`/swarms/${id}`)} />}
    </div>
  );
}
