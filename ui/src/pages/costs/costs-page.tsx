import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { call } from '../../api/client';
import { beeAddress, taskAddress, useFresh } from '../../api/colony';
import { costs, useSums, type CostSum, type Usage } from '../../api/costs';
import { useMay } from '../../api/queries';
import { ago, count, dateTime } from '../../format';
import { Bones, Empty, ErrorNote, Field, useNow, useTitle } from '../../parts/basics';
import { Chart } from '../../parts/chart';
import { Budgets } from './budgets';
import { amountOf, amountText, byDay, dayOf, daysBefore, largest, money, short, tokensOf, totalMoney, totalOf, type Measure } from './sums';
import './costs.css';

const measures: Record<Measure, string> = { money: 'Money', tokens: 'Tokens', cpu: 'CPU time' };
const top = 8;
const hourMs = 3_600_000;
const dayName = (seconds: number): string => new Date(seconds * 1000).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

function Amounts(props: { title: string; by: 'bee' | 'task' | 'model'; from: string; measure: Measure; of: (sum: CostSum) => ReactNode; none: string }) {
  const sums = useSums(props.by, props.from);
  const found = largest(sums.data ?? [], props.measure, top);
  const most = found.top[0] === undefined ? 0 : amountOf(found.top[0], props.measure);
  return (
    <section className="panel" aria-label={props.title}>
      <header><h2>{props.title}</h2></header>
      {sums.isPending && <Bones rows={4} />}
      {sums.isError && <div className="body"><ErrorNote error={sums.error} retry={() => void sums.refetch()} /></div>}
      {sums.isSuccess && found.top.length === 0 && <p className="body small muted">{props.none}</p>}
      {found.top.length > 0 && (
        <ul className="amounts body">
          {found.top.map((sum, index) => (
            <li key={index}>
              <span className="what">{props.of(sum)}</span>
              <span className="value">{amountText(amountOf(sum, props.measure), props.measure)}</span>
              <span className="bar" aria-hidden="true"><i style={{ width: `${(amountOf(sum, props.measure) / most) * 100}%` }} /></span>
            </li>
          ))}
          {found.restCount > 0 && <li><span className="muted">and {count(found.restCount)} more</span><span className="value">{amountText(found.rest, props.measure)}</span></li>}
        </ul>
      )}
    </section>
  );
}

function Records(props: { from: string }) {
  const now = useNow(10_000);
  const pages = useInfiniteQuery({
    queryKey: [...costs.all, 'records', props.from],
    initialPageParam: '',
    queryFn: async ({ pageParam }) => (await call('get', '/api/v1/costs', { query: { from: props.from, limit: 50, cursor: pageParam } })) as { items: Usage[]; next?: string },
    getNextPageParam: (last) => last.next,
  });
  const items = (pages.data?.pages ?? []).flatMap((page) => page.items);
  return (
    <section className="panel" aria-label="Records">
      <header><h2>Records</h2></header>
      {pages.isPending && <Bones rows={5} />}
      {pages.isError && <div className="body"><ErrorNote error={pages.error} retry={() => void pages.refetch()} /></div>}
      {pages.isSuccess && items.length === 0 && <p className="body small muted">Nothing was recorded in this time.</p>}
      {items.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Records, scroll sideways">
          <table className="table">
            <thead><tr><th scope="col">When</th><th scope="col">Bee</th><th scope="col">Task</th><th scope="col">Model</th><th scope="col" className="right">Tokens</th><th scope="col" className="right">Cost</th></tr></thead>
            <tbody>
              {items.map((usage) => (
                <tr key={usage.id}>
                  <td className="fit" title={dateTime(usage.at)}>{ago(usage.at, now)}</td>
                  <td>{usage.bee === undefined || usage.bee === '' ? usage.recordedBy : <Link href={beeAddress(usage.bee)}>{usage.bee}</Link>}</td>
                  <td>{usage.taskRef === undefined || usage.taskRef === '' ? '–' : <Link href={taskAddress(usage.taskRef)}>{usage.taskRef}</Link>}</td>
                  <td>{usage.model === undefined || usage.model === '' ? '–' : usage.model}</td>
                  <td className="right fit">{count(tokensOf(usage))}</td>
                  <td className="right fit">{money(usage.micros)}{usage.stated === true && <span className="muted"> stated</span>}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pages.hasNextPage && <div className="body"><button type="button" className="button small" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>Older</button></div>}
    </section>
  );
}

export default function CostsPage() {
  useTitle('Costs');
  const [search, setSearch] = useSearchParams();
  const measure = (search.get('of') ?? 'money') as Measure;
  const days = Number(search.get('days') ?? 30) || 30;
  // By the hour: what is asked for stays the same while somebody looks.
  const now = Math.floor(useNow(60_000) / hourMs) * hourMs;
  const shown = useMemo(() => daysBefore(now, days), [now, days]);
  const from = `${shown[0] ?? dayOf(now)}T00:00:00Z`;
  const admin = useMay('costs', 'admin');
  const sums = useSums('day', from);
  useFresh(['cost.#', 'budget.#'], costs.all, 2000);
  const set = (name: string, value: string) => setSearch((before) => {
    const after = new URLSearchParams(before);
    after.set(name, value);
    return after;
  }, { replace: true });
  const { times, values } = byDay(sums.data ?? [], shown, measure);
  const today = shown[shown.length - 1] ?? '';
  const week = shown[Math.max(0, shown.length - 7)] ?? '';
  const nothing = sums.isSuccess && sums.data.length === 0;
  const records = (sums.data ?? []).reduce((all, sum) => all + sum.records, 0);
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Costs</h1>
          <p>What work has cost, and what it may cost. Days are those of UTC.</p>
        </div>
        {admin && <Link className="button" href="/settings/prices">Prices</Link>}
      </div>
      {sums.isError && <ErrorNote error={sums.error} retry={() => void sums.refetch()} />}
      <dl className="panel figures">
        <div><dt>Today</dt><dd>{totalMoney(sums.data ?? [], today)}</dd></div>
        <div><dt>Last 7 days</dt><dd>{totalMoney(sums.data ?? [], week)}</dd></div>
        <div><dt>Last {days} days</dt><dd>{totalMoney(sums.data ?? [])}</dd></div>
        <div><dt>Tokens</dt><dd>{short(totalOf(sums.data ?? [], 'tokens'))}</dd></div>
        <div><dt>Records</dt><dd>{count(records)}</dd></div>
      </dl>
      <section className="panel" aria-label="By day">
        <header>
          <h2>By day</h2>
          <div className="filters">
            <Field label="Of">
              {(parts) => <select {...parts} className="input" value={measure} onChange={(event) => set('of', event.target.value)}>{(Object.keys(measures) as Measure[]).map((each) => <option key={each} value={each}>{measures[each]}</option>)}</select>}
            </Field>
            <Field label="Days">
              {(parts) => <select {...parts} className="input" value={days} onChange={(event) => set('days', event.target.value)}>{[7, 30, 90].map((each) => <option key={each} value={each}>{each}</option>)}</select>}
            </Field>
          </div>
        </header>
        {sums.isPending ? <Bones rows={5} /> : nothing ? (
          <Empty title="Nothing was spent">Bees report what they use with <code>hive cost record</code> or <code>POST /api/v1/costs</code>: tokens, CPU time or money.</Empty>
        ) : (
          <Chart bars title={`${measures[measure]} a day`} times={times} at={dayName} format={(value) => amountText(value, measure)} empty="" height={220}
            lines={[{ name: 'today', color: '--series-1', values }]} />
        )}
      </section>
      <div className="grid-3">
        <Amounts title="By bee" by="bee" from={from} measure={measure} none="No bee has spent anything."
          of={(sum) => (sum.bee === undefined || sum.bee === '' ? <span className="muted">no bee</span> : <Link className="name-link" href={beeAddress(sum.bee)}>{sum.bee}</Link>)} />
        <Amounts title="By task" by="task" from={from} measure={measure} none="Nothing was spent on a task."
          of={(sum) => (sum.taskRef === undefined ? <span className="muted">{sum.task === undefined || sum.task === '' ? 'no task' : sum.task}</span> : <Link className="name-link" href={taskAddress(sum.taskRef)}>{sum.taskRef}</Link>)} />
        <Amounts title="By model" by="model" from={from} measure={measure} none="No model was used." of={(sum) => sum.model ?? <span className="muted">no model</span>} />
      </div>
      <Budgets />
      <Records from={from} />
    </div>
  );
}
