import { Link, useSearchParams } from 'wouter';
import { useRuns, type Run } from '../../api/queries';
import { count, dateTime, micros, rate, share, span } from '../../format';
import { Bones, Empty, ErrorNote, Field, useTitle } from '../../parts/basics';
import { Chart } from '../../parts/chart';
import { changeOf, compared, differing, statusesOf, together, type Report } from './compare';
import { sinceStart, useReport } from './report';
import './runs.css';

const nameOf = (run: Run): string => `${run.swarm} · ${run.labels.scenario ?? 'no scenario'} · ${dateTime(run.created)}`;

function Head(props: { letter: 'a' | 'b'; runs: Run[]; id: string; onChoose: (id: string) => void }) {
  const run = props.runs.find((each) => each.id === props.id);
  return (
    <section className={`panel ${props.letter}`} aria-label={`Run ${props.letter.toUpperCase()}`}>
      <Field label={`Run ${props.letter.toUpperCase()}`}>
        {(parts) => (
          <select {...parts} className="input" value={props.id} onChange={(event) => props.onChoose(event.target.value)}>
            <option value="">Choose one…</option>
            {run === undefined && props.id !== '' && <option value={props.id}>{props.id}</option>}
            {props.runs.map((each) => <option key={each.id} value={each.id}>{nameOf(each)}</option>)}
          </select>
        )}
      </Field>
      {run !== undefined && (
        <p className="num">
          <Link href={`/runs/${run.id}`}>{run.swarm}</Link>, by {run.who.replace(/^\w+:/, '')}, {run.ended === undefined ? 'still there' : `lived ${span(Date.parse(run.ended) - Date.parse(run.created))}`}
          {run.notes !== '' && <> · {run.notes}</>}
        </p>
      )}
    </section>
  );
}

function SideBySide(props: { a: Report; b: Report }) {
  const { a, b } = props;
  return (
    <section className="panel" aria-label="Numbers">
      <header><h2>Numbers</h2><span className="small muted">B against A; less than 5 % is not judged</span></header>
      <div className="table-scroll" tabIndex={0} role="group" aria-label="Numbers, scroll sideways">
        <table className="table compare-table">
          <thead><tr><th scope="col">What</th><th scope="col" className="right">A</th><th scope="col" className="right">B</th><th scope="col" className="right">Change</th></tr></thead>
          <tbody>
            {compared(a, b).map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name}</th>
                <td className="right">{row.a}</td>
                <td className="right">{row.b}</td>
                <td className={`right ${row.better === undefined ? 'muted' : row.better ? 'better' : 'worse'}`}>
                  {changeOf(row.change)}{row.better !== undefined && <span className="hidden-text">, {row.better ? 'better' : 'worse'}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function CameBack(props: { a: Report; b: Report }) {
  const { a, b } = props;
  const part = (number: number, report: Report) => (report.calls === 0 ? '–' : share(number / report.calls));
  return (
    <section className="panel" aria-label="What came back">
      <header><h2>What came back</h2></header>
      <div className="table-scroll" tabIndex={0} role="group" aria-label="What came back, scrolls sideways">
        <table className="table compare-table">
          <thead><tr><th scope="col">Status</th><th scope="col" className="right">A</th><th scope="col" className="right">B</th></tr></thead>
          <tbody>
            {statusesOf(a, b).map((row) => (
              <tr key={row.status}>
                <th scope="row">{row.status}</th>
                <td className="right">{count(row.a)} <span className="muted">{part(row.a, a)}</span></td>
                <td className="right">{count(row.b)} <span className="muted">{part(row.b, b)}</span></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Courses(props: { a: Report; b: Report }) {
  const chart = (title: string, of: (point: Report['course'][number]) => number, format: (value: number | undefined) => string) => {
    const { times, lines } = together([props.a.course, props.b.course], of);
    return (
      <section className="panel">
        <Chart title={title} times={times} at={sinceStart} format={format} empty="No course to draw."
          lines={[{ name: 'A', color: '--series-1', values: lines[0] ?? [] }, { name: 'B', color: '--series-2', values: lines[1] ?? [] }]} />
      </section>
    );
  };
  return (
    <div className="grid-2">
      {chart('Calls a second', (point) => point.ratePerSec, rate)}
      {chart('p99 since the start', (point) => point.p99Us, micros)}
      {chart('p50 since the start', (point) => point.p50Us, micros)}
      {chart('Failed a second', (point) => point.failedPerSec, rate)}
    </div>
  );
}

function Setup(props: { a: Run; b: Run }) {
  const rows = differing(props.a.labels, props.b.labels);
  return (
    <section className="panel" aria-label="Set up">
      <header><h2>Set up differently</h2></header>
      {rows.length === 0 ? <p className="body small muted">Both have the same labels.</p> : (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Labels, scroll sideways">
          <table className="table compare-table">
            <thead><tr><th scope="col">Label</th><th scope="col">A</th><th scope="col">B</th></tr></thead>
            <tbody>{rows.map((row) => <tr key={row.name}><th scope="row">{row.name}</th><td className="wrap">{row.a}</td><td className="wrap">{row.b}</td></tr>)}</tbody>
          </table>
        </div>
      )}
    </section>
  );
}

export default function ComparePage() {
  useTitle('Compare runs');
  const [search, setSearch] = useSearchParams();
  const runs = useRuns();
  const items = runs.data?.items ?? [];
  const ids = { a: search.get('a') ?? '', b: search.get('b') ?? '' };
  const of = (id: string) => items.find((run) => run.id === id);
  const live = (id: string) => of(id) !== undefined && of(id)?.ended === undefined;
  const a = useReport(ids.a, live(ids.a));
  const b = useReport(ids.b, live(ids.b));
  const choose = (letter: 'a' | 'b') => (id: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.set(letter, id);
      return after;
    }, { replace: true });
  const chosen = ids.a !== '' && ids.b !== '';
  const runA = of(ids.a);
  const runB = of(ids.b);
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <Link href="/runs" className="crumb">Runs /</Link>
          <h1>Compare two runs</h1>
          <p>What they measured, side by side. The address can be shared.</p>
        </div>
        {chosen && <button type="button" className="button" onClick={() => setSearch(new URLSearchParams({ a: ids.b, b: ids.a }), { replace: true })}>Swap A and B</button>}
      </div>
      {runs.isError && <ErrorNote error={runs.error} retry={() => void runs.refetch()} />}
      <div className="compare-heads">
        <Head letter="a" runs={items} id={ids.a} onChoose={choose('a')} />
        <Head letter="b" runs={items} id={ids.b} onChoose={choose('b')} />
      </div>
      {!chosen && <section className="panel"><Empty title="Choose two runs">Two runs of the same scenario say most: before and after a change, or with another setting.</Empty></section>}
      {a.isError && <ErrorNote error={a.error} retry={() => void a.refetch()} />}
      {b.isError && <ErrorNote error={b.error} retry={() => void b.refetch()} />}
      {chosen && (a.isPending || b.isPending) && <section className="panel"><Bones rows={8} /></section>}
      {chosen && a.isSuccess && b.isSuccess && (a.data === null || b.data === null) && (
        <section className="panel">
          <Empty title="Nothing to compare">
            {a.data === null && b.data === null ? 'Neither run' : `Run ${a.data === null ? 'A' : 'B'}`} measured a call: only swarms with a post-processor do.
          </Empty>
        </section>
      )}
      {chosen && a.data !== null && a.data !== undefined && b.data !== null && b.data !== undefined && (
        <>
          <SideBySide a={a.data} b={b.data} />
          <Courses a={a.data} b={b.data} />
          <div className="grid-2">
            <CameBack a={a.data} b={b.data} />
            {runA !== undefined && runB !== undefined && <Setup a={runA} b={runB} />}
          </div>
        </>
      )}
    </div>
  );
}
