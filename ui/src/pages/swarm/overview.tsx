import type { Percentiles, Swarm } from '../../api/model';
import { count, micros, rate, share } from '../../format';
import { Badge } from '../../parts/badges';
import { Chart, type Line } from '../../parts/chart';
import { Note } from '../../parts/basics';
import { TopologyGraph } from '../../parts/topology-graph';
import type { SeenStatus } from './live-swarm';
import type { Series, SwarmSeries } from './series';

const colors = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'];

function linesOf(series: Series): Line[] {
  return Object.entries(series.lines).map(([name, values], index) => ({
    name,
    values,
    color: colors[index % colors.length] ?? '--series-1',
  }));
}

// Of several bees that measure, the slowest.
function worst(statuses: Map<string, SeenStatus>): Percentiles | undefined {
  let found: Percentiles | undefined;
  for (const status of statuses.values()) {
    const latency = status.context?.work?.latencyUs;
    if (latency !== undefined && (found === undefined || latency.p99 > found.p99)) found = latency;
  }
  return found;
}

function Figures(props: { swarm: Swarm; series: SwarmSeries; statuses: Map<string, SeenStatus> }) {
  const { swarm, series } = props;
  const latency = worst(props.statuses);
  const totals = series.totals;
  const well = swarm.aggregate.totals;
  return (
    <dl className="panel figures" aria-label="Now">
      <div><dt>Rate</dt><dd>{swarm.phase === 'Running' ? rate(series.rate ?? swarm.rate) : '–'}</dd></div>
      <div><dt>Calls measured</dt><dd>{count(totals?.done)}</dd></div>
      <div><dt>Failed</dt><dd>{count(totals?.failed)}{totals !== undefined && totals.done > 0 && <small>{share(totals.failed / totals.done)}</small>}</dd></div>
      <div><dt>p50</dt><dd>{micros(latency?.p50)}</dd></div>
      <div><dt>p99</dt><dd>{micros(latency?.p99)}</dd></div>
      <div><dt>Bees well</dt><dd>{well === undefined ? '–' : well.healthy}<small>of {well?.total ?? '–'}</small></dd></div>
    </dl>
  );
}

const guardTone: Record<string, 'good' | 'honey' | 'warn' | ''> = { STEADY: 'good', FILLING: 'honey', DRAINING: 'honey', PREFILL: 'honey', BACKPRESSURE: 'warn' };

function Guards(props: { swarm: Swarm; series: SwarmSeries }) {
  return (props.swarm.aggregate.bufferGuards ?? []).map((guard) => {
    const series = props.series.guards.get(guard.queueAlias);
    const of = (name: string) => series?.lines[name] ?? [];
    const lines: Line[] = [
      { name: 'depth', color: '--series-2', values: of('depth') },
      { name: 'target', color: '--series-1', values: of('target'), dashed: true },
      { name: 'most', color: '--series-1', values: of('most'), faint: true },
      { name: 'least', color: '--series-1', values: of('least'), faint: true },
    ];
    return (
      <section className="panel" key={guard.queueAlias} aria-label={`Guard of ${guard.queueAlias}`}>
        <header>
          <h2>Buffer guard of <code>{guard.queueAlias}</code></h2>
          <Badge tone={guardTone[guard.state] ?? ''} text={guard.state.charAt(0) + guard.state.slice(1).toLowerCase()} />
        </header>
        <Chart title="Depth against its bracket" times={series?.times ?? []} lines={lines} band={[3, 4]} format={count}
          empty="The next status of the controller draws the first point." height={170} />
        <p className="guard-words num">
          Sends {rate(guard.rate)}, consumers take {rate(guard.estimate)}. {guard.reason}
        </p>
      </section>
    );
  });
}

export function Overview(props: { swarm: Swarm; series: SwarmSeries; statuses: Map<string, SeenStatus> }) {
  const { swarm, series } = props;
  const why = swarm.aggregate.healthReason;
  const waiting = swarm.phase === 'Running'
    ? 'Charts begin with what happens while you watch: the first point comes with the next status.'
    : 'Nothing runs. Start the swarm to see numbers move.';
  const measures = swarm.template.bees.some((bee) => bee.role === 'postprocessor');
  return (
    <div className="stack">
      {why !== undefined && swarm.phase !== 'Creating' && <Note kind="warn"><strong>Not all is well.</strong> {why}</Note>}
      <Figures {...props} />
      <section className="panel" aria-label="Topology">
        <header><h2>Topology</h2><span className="small muted">bees by health, what waits between them</span></header>
        <TopologyGraph template={swarm.template} swarm={swarm.id} aggregate={swarm.aggregate} running={swarm.phase === 'Running'} />
      </section>
      <Guards swarm={swarm} series={series} />
      <div className="grid-2">
        <section className="panel"><Chart title="Rate by bee" times={series.rates.times} lines={linesOf(series.rates)} format={rate} empty={waiting} /></section>
        <section className="panel">
          <Chart title="Latency since the start" times={series.latency.times} lines={linesOf(series.latency)} format={micros}
            empty={measures ? waiting : 'This swarm has no post-processor, so nothing measures its calls.'} />
        </section>
        <section className="panel"><Chart title="Waiting in queues" times={series.depths.times} lines={linesOf(series.depths)} format={count} empty={waiting} /></section>
        <section className="panel">
          <Chart title="Failed calls a second" times={series.errors.times}
            lines={linesOf(series.errors).map((line) => ({ ...line, color: '--series-5' }))} format={rate}
            empty={measures ? waiting : 'This swarm has no post-processor, so nothing counts failures.'} />
        </section>
      </div>
    </div>
  );
}
