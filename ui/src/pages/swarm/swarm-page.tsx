import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ProblemError } from '../../api/client';
import { useMay, useRuns, type Outcome, type SwarmAction } from '../../api/queries';
import { span } from '../../format';
import { Bones, Empty, ErrorNote, Note, Tabs, useNow, useTitle } from '../../parts/basics';
import { Badge, HealthBadge, PhaseBadge } from '../../parts/badges';
import { PlayIcon, StopIcon, TrashIcon } from '../../parts/icons';
import { ConfirmRemove, reasonOf, useTold } from '../swarms/swarm-actions';
import { Journal } from '../runs/journal';
import { useLiveSwarm } from './live-swarm';
import { Overview } from './overview';
import { PlanTab } from './plan';
import { Taps } from './taps';
import { Workers } from './workers';
import './swarm.css';

const tabs: [string, string][] = [
  ['overview', 'Overview'],
  ['bees', 'Bees'],
  ['plan', 'Plan'],
  ['journal', 'Journal'],
  ['taps', 'Taps'],
];
const doing: Record<SwarmAction, string> = { start: 'Starting…', stop: 'Stopping…', remove: 'Removing…' };

function OutcomeNote(props: { outcome: Outcome; refused: string | undefined }) {
  const { outcome } = props;
  const reasons = [reasonOf(outcome), props.refused ?? ''].filter((each) => each !== '');
  return (
    <Note kind="bad">
      <strong>{outcome.command} ended with {outcome.status}.</strong> {reasons.join('; ')}
      <div className="muted">
        {outcome.status === 'NotReady' || props.refused !== undefined
          ? 'Wait until all bees are well, then ask again. Those that are not are marked below.'
          : 'The journal has what each bee answered.'}
      </div>
    </Note>
  );
}

export default function SwarmPage(props: { id: string; tab: string }) {
  const { id } = props;
  useTitle(id);
  const { swarm, series, statuses } = useLiveSwarm(id);
  const runs = useRuns();
  const may = useMay('swarms', 'write');
  const told = useTold(id);
  const now = useNow();
  const [, go] = useLocation();
  const [removing, setRemoving] = useState(false);

  if (swarm.isPending) return <div className="page"><Bones rows={10} /></div>;
  if (swarm.isError && swarm.data === undefined) {
    const gone = swarm.error instanceof ProblemError && swarm.error.status === 404;
    return (
      <div className="page">
        {gone ? (
          <Empty title={`There is no swarm ${id}`} action={<Link className="button" href="/runs">See past runs</Link>}>
            It was removed, or the address is not right. What it did is still in its journal.
          </Empty>
        ) : (
          <ErrorNote error={swarm.error} retry={() => void swarm.refetch()} />
        )}
      </div>
    );
  }
  const data = swarm.data;
  const run = runs.data?.items.find((each) => each.id === data.run);
  const scenario = run?.labels.scenario;
  const failed = told.outcome !== undefined && !told.outcome.succeeded ? told.outcome : undefined;
  const workers = data.aggregate.workers ?? [];
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <Link href="/swarms" className="crumb">Swarms /</Link>
          <div className="title-row">
            <h1>{id}</h1>
            <PhaseBadge phase={data.phase} />
            {data.phase === 'Running' && <HealthBadge health={data.health} />}
            {data.stale && <Badge tone="warn" text="No word from its controller" />}
          </div>
          <p className="num">
            {scenario !== undefined && <>of <Link href={`/scenarios/${scenario}`}>{scenario}</Link> · </>}
            {run !== undefined && <>made {span(now - Date.parse(run.created))} ago by {run.who.replace(/^\w+:/, '')}</>}
            {run !== undefined && run.notes !== '' && <> · {run.notes}</>}
          </p>
        </div>
        {may && (
          <div className="row">
            {told.busy !== undefined && (
              <span className="badge honey moving" role="status">{doing[told.busy]}</span>
            )}
            <button type="button" className={data.allowed.includes('start') ? 'button primary' : 'button'} disabled={!data.allowed.includes('start') || told.busy !== undefined}
              onClick={() => told.act('start')}><PlayIcon /> Start</button>
            <button type="button" className="button" disabled={!data.allowed.includes('stop') || told.busy !== undefined}
              onClick={() => told.act('stop')}><StopIcon /> Stop</button>
            <button type="button" className="button danger" disabled={!data.allowed.includes('remove') || told.busy !== undefined}
              onClick={() => setRemoving(true)}><TrashIcon /> Remove</button>
          </div>
        )}
      </div>
      {told.busy !== undefined && told.refused !== undefined && (
        <Note kind="warn">
          <strong>Not ready: {told.refused}.</strong> Its controller is asked again by itself; you may wait here or go on with something else.
        </Note>
      )}
      {failed !== undefined && <OutcomeNote outcome={failed} refused={told.refused} />}
      {told.error !== null && <ErrorNote error={told.error} />}
      {data.creation.reason !== undefined && data.phase === 'Failed' && (
        <Note kind="bad"><strong>It could not be made:</strong> {data.creation.reason}</Note>
      )}
      <Tabs label="Parts of this swarm" items={tabs.map(([key, name]) => ({
        to: `/swarms/${id}${key === 'overview' ? '' : `/${key}`}`, name, here: props.tab === key, ...(key === 'bees' ? { n: workers.length } : {}),
      }))} />
      {props.tab === 'overview' && <Overview swarm={data} series={series} statuses={statuses} />}
      {props.tab === 'bees' && <Workers swarm={data} statuses={statuses} />}
      {props.tab === 'plan' && <PlanTab swarm={data} />}
      {props.tab === 'journal' && <Journal swarm={id} run={data.run} live />}
      {props.tab === 'taps' && <Taps swarm={data} />}
      {removing && (
        <ConfirmRemove id={id} onClose={() => setRemoving(false)}
          onRemove={() => {
            setRemoving(false);
            told.act('remove', () => go('/swarms'));
          }} />
      )}
    </div>
  );
}
