import { useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { keys, useMay, useRuns, useSwarms, type Run, type SwarmSummary } from '../../api/queries';
import { useLive } from '../../api/use-live';
import { ago, rate, span } from '../../format';
import { Bones, Empty, ErrorNote, useNow, useTitle } from '../../parts/basics';
import { HealthBadge, PhaseBadge } from '../../parts/badges';
import { PlusIcon } from '../../parts/icons';
import { CreateSwarm } from './create-swarm';
import { SwarmActions } from './swarm-actions';
import './swarms.css';

export function withState(list: SwarmSummary[] | undefined, state: SwarmSummary): SwarmSummary[] {
  const others = (list ?? []).filter((each) => each.id !== state.id);
  if (state.phase === 'Removed') return others;
  return [...others, state].sort((a, b) => a.id.localeCompare(b.id));
}

function Row(props: { swarm: SwarmSummary; run: Run | undefined; now: number }) {
  const { swarm, run, now } = props;
  const scenario = run?.labels.scenario;
  return (
    <>
      <div role="cell" className="c-name">
        <Link href={`/swarms/${swarm.id}`} className="name-link">{swarm.id}</Link>
        {scenario !== undefined && <span className="from">{scenario}</span>}
      </div>
      <div role="cell" className="c-state"><PhaseBadge phase={swarm.phase} /></div>
      <div role="cell" className="c-health">
        <HealthBadge health={swarm.health} />
      </div>
      <div role="cell" className="c-rate num">{swarm.phase === 'Running' ? rate(swarm.rate) : '–'}</div>
      <div role="cell" className="c-bees num">
        {swarm.totals === undefined ? '–' : `${String(swarm.totals.healthy)} / ${String(swarm.totals.total)}`}
      </div>
      <div role="cell" className="c-age num">{run === undefined ? '–' : span(now - Date.parse(run.created))}</div>
      <div role="cell" className="c-seen num">{ago(swarm.receivedAt, now)}</div>
      <div role="cell" className="c-act"><SwarmActions swarm={swarm} /></div>
    </>
  );
}

const columns: [string, string][] = [
  ['c-name', 'Swarm'],
  ['c-state', 'State'],
  ['c-health', 'Health'],
  ['c-rate', 'Rate'],
  ['c-bees', 'Bees well'],
  ['c-age', 'Age'],
  ['c-seen', 'Heard of'],
  ['c-act', 'Actions'],
];

function List(props: { swarms: SwarmSummary[]; runs: Map<string, Run> }) {
  const scroller = useRef<HTMLDivElement>(null);
  const now = useNow();
  const phone = typeof matchMedia === 'function' && matchMedia('(max-width: 800px)').matches;
  const rows = useVirtualizer({
    count: props.swarms.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (phone ? 92 : 54),
    overscan: 8,
    getItemKey: (index) => props.swarms[index]?.id ?? index,
  });
  return (
    <div className="swarm-list" role="table" aria-label="Swarms" aria-rowcount={props.swarms.length + 1}>
      <div role="rowgroup">
        <div role="row" className="swarm-row head">
          {columns.map(([css, name]) => (
            <div key={css} role="columnheader" className={css}>{name}</div>
          ))}
        </div>
      </div>
      <div ref={scroller} className="swarm-scroll" role="rowgroup" tabIndex={0} aria-label="Rows">
        <div role="presentation" style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map((item) => {
            const swarm = props.swarms[item.index];
            if (swarm === undefined) return null;
            return (
              <div
                key={item.key}
                role="row"
                aria-rowindex={item.index + 2}
                className="swarm-row"
                style={{ position: 'absolute', top: 0, left: 0, right: 0, height: item.size, transform: `translateY(${item.start}px)` }}
              >
                <Row swarm={swarm} run={props.runs.get(swarm.run)} now={now} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

export default function SwarmsPage() {
  useTitle('Swarms');
  const swarms = useSwarms();
  const runs = useRuns();
  const client = useQueryClient();
  const may = useMay('swarms', 'write');
  const [, go] = useLocation();
  const [creating, setCreating] = useState(false);
  const [text, setText] = useState('');

  useLive(['swarm.state.*'], (event) => {
    const state = event.data as SwarmSummary;
    client.setQueryData<SwarmSummary[]>([...keys.swarms], (list) => withState(list, state));
    const known = client.getQueryData<{ items: Run[] }>([...keys.runs])?.items.some((run) => run.id === state.run);
    if (known === false) void client.invalidateQueries({ queryKey: keys.runs });
  });

  const byId = useMemo(() => new Map((runs.data?.items ?? []).map((run) => [run.id, run])), [runs.data]);
  const shown = useMemo(() => {
    const word = text.trim().toLowerCase();
    const present = (swarms.data ?? []).filter((swarm) => swarm.phase !== 'Removed');
    if (word === '') return present;
    return present.filter((swarm) =>
      [swarm.id, swarm.phase, swarm.health, byId.get(swarm.run)?.labels.scenario ?? '']
        .some((each) => each.toLowerCase().includes(word)),
    );
  }, [swarms.data, text, byId]);
  const total = (swarms.data ?? []).filter((swarm) => swarm.phase !== 'Removed');
  const running = total.filter((swarm) => swarm.phase === 'Running');
  const busy = running.reduce((sum, swarm) => sum + (swarm.rate ?? 0), 0);

  const create = may && (
    <button type="button" className="button primary" onClick={() => setCreating(true)}>
      <PlusIcon /> New swarm
    </button>
  );
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Swarms</h1>
          <p>What runs in this hive, as it happens.</p>
        </div>
        {create}
      </div>
      {swarms.isError && <ErrorNote error={swarms.error} retry={() => void swarms.refetch()} />}
      {total.length > 0 && (
        <dl className="panel figures">
          <div><dt>Swarms</dt><dd>{total.length}</dd></div>
          <div><dt>Running</dt><dd>{running.length}</dd></div>
          <div><dt>Need a look</dt><dd>{total.filter((each) => each.phase === 'Failed' || each.stale || each.health === 'Degraded').length}</dd></div>
          <div><dt>All together</dt><dd>{rate(busy)}</dd></div>
        </dl>
      )}
      <section className="panel" aria-label="All swarms">
        {swarms.isPending && <Bones rows={6} />}
        {swarms.isSuccess && total.length === 0 && (
          <Empty title="No swarm yet" action={create}>
            A swarm is a set of bees that generate, send and measure traffic. Make one of a scenario
            {may ? '' : '; your role may only watch, so ask somebody who may'}.
          </Empty>
        )}
        {total.length > 0 && (
          <>
            <header>
              <h2 className="num">{shown.length === total.length ? `${total.length} in all` : `${shown.length} of ${total.length}`}</h2>
              <input className="input find" type="search" placeholder="Find by name, state or scenario"
                aria-label="Find swarms" value={text} onChange={(event) => setText(event.target.value)} />
            </header>
            {shown.length === 0 ? (
              <Empty title="Nothing fits">No swarm fits “{text}”. Try fewer letters.</Empty>
            ) : (
              <List swarms={shown} runs={byId} />
            )}
          </>
        )}
      </section>
      {creating && <CreateSwarm onClose={() => setCreating(false)} onMade={(id) => go(`/swarms/${id}`)} />}
    </div>
  );
}
