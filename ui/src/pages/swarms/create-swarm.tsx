import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, fieldProblem, ProblemError } from '../../api/client';
import type { Json } from '../../api/model';
import { keys, useScenario, useScenarios, useSwarms } from '../../api/queries';
import { Dialog, ErrorNote, Field, Note } from '../../parts/basics';
import { CloseIcon, PlusIcon } from '../../parts/icons';
import { tell } from '../../parts/toasts';
import { Findings } from './findings';
import './swarms.css';

export interface Override {
  path: string;
  value: string;
}

// `50` is a number, `true` a boolean, `[1]` a list; what is no JSON is meant as text.
export function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

export function freeName(scenario: string, taken: string[]): string {
  const base = scenario.replace(/[^A-Za-z0-9_-]/g, '-') || 'swarm';
  for (let number = 1; ; number += 1) {
    const name = `${base}-${number}`;
    if (!taken.includes(name)) return name;
  }
}

export function CreateSwarm(props: { scenario?: string; onClose: () => void; onMade: (id: string) => void }) {
  const client = useQueryClient();
  const scenarios = useScenarios();
  const swarms = useSwarms();
  const [scenario, setScenario] = useState(props.scenario ?? '');
  const [name, setName] = useState('');
  const [sut, setSut] = useState('');
  const [profile, setProfile] = useState('');
  const [notes, setNotes] = useState('');
  const [start, setStart] = useState(true);
  const [overrides, setOverrides] = useState<Override[]>([]);
  const chosen = useScenario(scenario === '' ? undefined : scenario);
  const suts = chosen.data?.model.suts ?? [];
  const profiles = chosen.data?.model.variables?.profiles ?? [];
  const sutChosen = sut !== '' ? sut : suts.length === 1 ? (suts[0]?.id ?? '') : '';
  const id = name !== '' ? name : scenario === '' ? '' : freeName(scenario, (swarms.data ?? []).map((each) => each.id));

  const choices = {
    ...(sutChosen !== '' ? { sut: sutChosen } : {}),
    ...(profile !== '' ? { profile } : {}),
    ...(overrides.some((each) => each.path !== '')
      ? { set: Object.fromEntries(overrides.filter((each) => each.path !== '').map((each) => [each.path, valueOf(each.value)])) }
      : {}),
  };
  // What would be refused is shown before it is asked for.
  const judged = useQuery({
    queryKey: ['judged', scenario, JSON.stringify(choices)],
    enabled: scenario !== '' && chosen.isSuccess,
    placeholderData: (before) => before,
    queryFn: () =>
      call('post', '/api/v1/scenarios/{scenarioId}/validate', { path: { scenarioId: scenario }, body: choices }),
  });
  const make = useMutation({
    mutationFn: () =>
      call('post', '/api/v1/swarms', {
        body: { id, scenario, ...choices, ...(notes !== '' ? { notes } : {}), autoStart: start },
      }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.swarms });
      void client.invalidateQueries({ queryKey: keys.runs });
      tell('good', `${id} is being made`);
      props.onMade(id);
    },
  });
  const findings = judged.data?.findings ?? [];
  const sound = judged.data?.valid === true;
  const inPlace = fieldProblem(make.error, '/id');
  const other = make.error instanceof ProblemError && inPlace !== undefined ? null : make.error;

  return (
    <Dialog
      title="New swarm"
      onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Cancel</button>
          <button type="submit" form="create-swarm" className="button primary" disabled={!sound || make.isPending}>
            {make.isPending && <span className="spin" />}
            {start ? 'Create and start' : 'Create'}
          </button>
        </>
      }
    >
      <form
        id="create-swarm"
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <div className="grid-2">
          <Field label="Scenario" hint={chosen.data?.description}>
            {(parts) => (
              <select
                {...parts}
                className="input"
                value={scenario}
                onChange={(event) => {
                  setScenario(event.target.value);
                  setSut('');
                  setProfile('');
                }}
              >
                <option value="">Choose one…</option>
                {(scenarios.data ?? []).map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.name === '' ? each.id : each.name}
                    {each.valid ? '' : ' (has errors)'}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Name" wrong={inPlace} hint="Letters, digits, - and _">
            {(parts) => (
              <input {...parts} className="input" value={name} placeholder={id} autoComplete="off" spellCheck={false}
                onChange={(event) => setName(event.target.value)} />
            )}
          </Field>
          <Field label="System under test" hint={addressOf(suts, sutChosen) ?? 'The scenario names none'}>
            {(parts) => (
              <select {...parts} className="input" value={sutChosen} disabled={suts.length === 0}
                onChange={(event) => setSut(event.target.value)}>
                <option value="">{suts.length === 0 ? 'None' : 'Choose one…'}</option>
                {suts.map((each) => (
                  <option key={each.id} value={each.id}>{each.name === undefined || each.name === '' ? each.id : `${each.id} · ${each.name}`}</option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Profile" hint={profiles.length === 0 ? 'The scenario has none' : 'Which values its variables have'}>
            {(parts) => (
              <select {...parts} className="input" value={profile} disabled={profiles.length === 0}
                onChange={(event) => setProfile(event.target.value)}>
                <option value="">Default</option>
                {profiles.map((each) => (
                  <option key={each.id} value={each.id}>{each.name ?? each.id}</option>
                ))}
              </select>
            )}
          </Field>
        </div>

        <fieldset className="overrides">
          <legend>Settings for this swarm only</legend>
          {overrides.map((each, index) => {
            const change = (now: Partial<Override>) =>
              setOverrides(overrides.map((old, at) => (at === index ? { ...old, ...now } : old)));
            return (
              <div className="set-row" key={index}>
                <input className="input mono" aria-label={`Setting ${index + 1}`} value={each.path} spellCheck={false}
                  placeholder="generator.inputs.scheduler.ratePerSec" onChange={(event) => change({ path: event.target.value })} />
                <input className="input mono" aria-label={`Value ${index + 1}`} value={each.value} placeholder="100"
                  spellCheck={false} onChange={(event) => change({ value: event.target.value })} />
                <button type="button" className="button quiet icon" aria-label={`Remove setting ${index + 1}`}
                  onClick={() => setOverrides(overrides.filter((_, at) => at !== index))}>
                  <CloseIcon />
                </button>
              </div>
            );
          })}
          <button type="button" className="button small" onClick={() => setOverrides([...overrides, { path: '', value: '' }])}>
            <PlusIcon /> Add a setting
          </button>
        </fieldset>

        <Field label="Notes">
          {(parts) => (
            <input {...parts} className="input" value={notes} maxLength={4096} placeholder="Why this run, for whoever reads it later"
              onChange={(event) => setNotes(event.target.value)} />
          )}
        </Field>
        <label className="check">
          <input type="checkbox" checked={start} onChange={(event) => setStart(event.target.checked)} /> Start it right away
        </label>
        {scenarios.isError && <ErrorNote error={scenarios.error} />}
        {judged.isError && <ErrorNote error={judged.error} />}
        {judged.isSuccess && scenario !== '' && findings.length === 0 && <Note kind="good">Nothing is wrong with these choices.</Note>}
        {findings.length > 0 && (
          <Note kind={sound ? 'warn' : 'bad'}>
            <strong>{sound ? 'It can run, but look at this' : 'It cannot run like this'}</strong>
            <Findings findings={findings} />
          </Note>
        )}
        {other !== null && <ErrorNote error={other} />}
      </form>
    </Dialog>
  );
}

function addressOf(suts: { id: string; endpoints?: Record<string, { baseUrl?: string }> }[], id: string): string | undefined {
  const endpoints = suts.find((each) => each.id === id)?.endpoints;
  if (endpoints === undefined) return suts.length > 0 ? 'Where the traffic goes' : undefined;
  return Object.values(endpoints).map((each) => each.baseUrl).filter(Boolean).join(', ');
}
