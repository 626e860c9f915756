import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call, ProblemError } from '../../api/client';
import type { Scenario } from '../../api/model';
import { keys, useMay, useRuns, useScenario } from '../../api/queries';
import { Bones, Dialog, Empty, ErrorNote, Field, Tabs, useTitle } from '../../parts/basics';
import { Badge } from '../../parts/badges';
import { PlayIcon, TrashIcon } from '../../parts/icons';
import { tell } from '../../parts/toasts';
import { TopologyGraph } from '../../parts/topology-graph';
import { RunTable } from '../runs/run-table';
import { CreateSwarm } from '../swarms/create-swarm';
import { Files } from './files';
import './scenarios.css';

const tabs: [string, string][] = [
  ['files', 'Files'],
  ['graph', 'Graph'],
  ['render', 'Render'],
  ['runs', 'Runs'],
];

function GraphTab(props: { scenario: Scenario }) {
  const { model } = props.scenario;
  if (model.bees === undefined || model.bees.length === 0) {
    return <section className="panel"><Empty title="No bees yet">The scenario names none, or cannot be understood. Its files say where it is wrong.</Empty></section>;
  }
  return (
    <section className="panel" aria-label="Topology">
      <header><h2>Topology as it is kept</h2></header>
      <TopologyGraph template={{ bees: model.bees, topology: { edges: model.edges ?? [] } }} />
      {(model.thresholds ?? []).length > 0 && (
        <div className="body">
          <h3>What must hold in the end</h3>
          <div className="thresholds">{(model.thresholds ?? []).map((each) => <code key={each}>{each}</code>)}</div>
        </div>
      )}
    </section>
  );
}

function RenderTab(props: { scenario: Scenario }) {
  const { scenario } = props;
  const bees = (scenario.model.bees ?? []).map((bee) => bee.id ?? bee.role);
  const suts = scenario.model.suts ?? [];
  const [bee, setBee] = useState(bees[0] ?? '');
  const [seed, setSeed] = useState('1');
  const rendered = useQuery({
    queryKey: ['rendered', scenario.id, scenario.revision, bee, seed],
    enabled: bee !== '',
    retry: false,
    queryFn: () =>
      call('post', '/api/v1/scenarios/{scenarioId}/render', {
        path: { scenarioId: scenario.id },
        body: { bee, ...(suts[0] === undefined ? {} : { sut: suts[0].id }), seed: Number(seed) || 0 },
      }),
  });
  const pretty = (text: string) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  };
  return (
    <section className="panel" aria-label="Render">
      <header>
        <div className="filters grow">
          <Field label="Bee">
            {(parts) => <select {...parts} className="input" value={bee} onChange={(event) => setBee(event.target.value)}>{bees.map((each) => <option key={each}>{each}</option>)}</select>}
          </Field>
          <Field label="Seed">
            {(parts) => <input {...parts} className="input" inputMode="numeric" value={seed} onChange={(event) => setSeed(event.target.value)} />}
          </Field>
        </div>
      </header>
      <div className="body">
        {rendered.isError && <ErrorNote error={rendered.error} />}
        {rendered.isSuccess && <pre className="rendered" tabIndex={0} aria-label="What the bee would make of one item">{pretty(rendered.data.text)}</pre>}
        {rendered.isPending && bee !== '' && <Bones rows={4} />}
      </div>
    </section>
  );
}

function RunsTab(props: { id: string }) {
  const runs = useRuns();
  const own = (runs.data?.items ?? []).filter((run) => run.labels.scenario === props.id);
  return (
    <section className="panel" aria-label="Runs">
      {runs.isPending ? <Bones /> : runs.isError ? <div className="body"><ErrorNote error={runs.error} /></div>
        : own.length === 0 ? <Empty title="It has not run yet">Each swarm that is made of this scenario leaves a run here, with its journal.</Empty>
          : <RunTable runs={own} />}
    </section>
  );
}

export default function ScenarioPage(props: { id: string; tab: string }) {
  const { id } = props;
  useTitle(id);
  const scenario = useScenario(id);
  const client = useQueryClient();
  const mayWrite = useMay('scenarios', 'write');
  const mayRun = useMay('swarms', 'write');
  const [running, setRunning] = useState(false);
  const [removing, setRemoving] = useState(false);
  const [, go] = useLocation();
  const remove = useMutation({
    mutationFn: () => call('delete', '/api/v1/scenarios/{scenarioId}', { path: { scenarioId: id }, ifMatch: `"${scenario.data?.revision ?? ''}"` }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.scenarios });
      tell('good', `${id} is removed`);
      go('/scenarios');
    },
    onError: (error) => tell('bad', `${id} could not be removed`, error.message),
  });
  if (scenario.isPending) return <div className="page"><Bones rows={10} /></div>;
  if (scenario.isError && scenario.data === undefined) {
    const gone = scenario.error instanceof ProblemError && scenario.error.status === 404;
    return (
      <div className="page">
        {gone ? <Empty title={`There is no scenario ${id}`} action={<Link className="button" href="/scenarios">All scenarios</Link>}>It was removed, or the address is not right.</Empty>
          : <ErrorNote error={scenario.error} retry={() => void scenario.refetch()} />}
      </div>
    );
  }
  const data = scenario.data;
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <Link href="/scenarios" className="crumb">Scenarios /</Link>
          <div className="title-row">
            <h1>{data.name === '' ? id : data.name}</h1>
            <Badge tone={data.valid ? 'good' : 'bad'} text={data.valid ? 'Sound' : `${data.errors} ${data.errors === 1 ? 'error' : 'errors'}`} />
          </div>
          <p>{data.description}</p>
        </div>
        <div className="row">
          {mayRun && <button type="button" className="button primary" disabled={!data.valid} onClick={() => setRunning(true)}><PlayIcon /> Run</button>}
          {mayWrite && <button type="button" className="button danger" onClick={() => setRemoving(true)}><TrashIcon /> Remove</button>}
        </div>
      </div>
      <Tabs label="Parts of this scenario" items={tabs.map(([key, name]) => ({ to: `/scenarios/${id}${key === 'files' ? '' : `/${key}`}`, name, here: props.tab === key }))} />
      {props.tab === 'files' && <Files scenario={data} mayWrite={mayWrite} />}
      {props.tab === 'graph' && <GraphTab scenario={data} />}
      {props.tab === 'render' && <RenderTab scenario={data} />}
      {props.tab === 'runs' && <RunsTab id={id} />}
      {running && <CreateSwarm scenario={id} onClose={() => setRunning(false)} onMade={(made) => go(`/swarms/${made}`)} />}
      {removing && (
        <Dialog title={`Remove ${id}?`} onClose={() => setRemoving(false)}
          foot={
            <>
              <button type="button" className="button" onClick={() => setRemoving(false)}>Keep it</button>
              <button type="button" className="button danger" disabled={remove.isPending} onClick={() => remove.mutate()}><TrashIcon /> Remove</button>
            </>
          }>
          <p className="small">Its files are deleted on the server. Swarms that were made of it go on.</p>
        </Dialog>
      )}
    </div>
  );
}
