import { useQuery } from '@tanstack/react-query';
import { call, ProblemError } from '../../api/client';
import { count, micros, rate, share, span } from '../../format';
import { Bones, Empty, ErrorNote } from '../../parts/basics';
import { Chart } from '../../parts/chart';
import type { Report } from './compare';
import './runs.css';

// How long a run that is still there may be out of date.
const againMs = 5000;

export function useReport(run: string | undefined, live = false) {
  return useQuery({
    queryKey: ['report', run],
    enabled: run !== undefined && run !== '',
    // What has measured nothing has no report: that is an answer too.
    queryFn: async (): Promise<Report | null> => {
      try {
        return await call('get', '/api/v1/runs/{runId}/report', { path: { runId: run ?? '' } });
      } catch (error) {
        if (error instanceof ProblemError && error.problem.detail.includes('has no report')) return null;
        throw error;
      }
    },
    refetchInterval: live ? againMs : false,
  });
}

export const sinceStart = (seconds: number): string => span(seconds * 1000);

export function isFine(status: string): boolean {
  return /^[0123]\d{0,2}$/.test(status);
}

export function Statuses(props: { report: Report }) {
  const entries = Object.entries(props.report.byStatus).filter(([, number]) => number > 0).sort(([, a], [, b]) => b - a);
  const total = entries.reduce((sum, [, number]) => sum + number, 0);
  if (total === 0) return null;
  return (
    <div className="statuses">
      <div className="status-bar" aria-hidden="true">
        {entries.map(([status, number]) => <i key={status} className={isFine(status) ? 'fine' : 'not'} style={{ flexGrow: number }} />)}
      </div>
      <ul className="num">
        {entries.slice(0, 12).map(([status, number]) => (
          <li key={status}><i className={isFine(status) ? 'fine' : 'not'} aria-hidden="true" /><b>{status}</b> {count(number)} <span className="muted">{share(number / total)}</span></li>
        ))}
        {entries.length > 12 && <li className="muted">and {entries.length - 12} more</li>}
      </ul>
    </div>
  );
}

export function ReportPanel(props: { run: string; live: boolean }) {
  const found = useReport(props.run, props.live);
  if (found.isPending) return <section className="panel" aria-label="Report"><Bones rows={6} /></section>;
  if (found.isError) return <section className="panel" aria-label="Report"><div className="body"><ErrorNote error={found.error} retry={() => void found.refetch()} /></div></section>;
  const report = found.data;
  if (report === null) {
    return (
      <section className="panel" aria-label="Report">
        <Empty title="Nothing was measured">
          {props.live ? 'A report appears with the first calls that a post-processor measures.' : 'No post-processor measured a call in this run, so there is nothing to report.'}
        </Empty>
      </section>
    );
  }
  const course = report.course;
  const times = course.map((point) => point.atSec);
  const us = report.latencyUs;
  const latency: [string, number][] = [['mean', us.mean], ['p50', us.p50], ['p90', us.p90], ['p95', us.p95], ['p99', us.p99], ['p99.9', us.p999], ['slowest', us.max]];
  return (
    <section className="panel" aria-label="Report">
      <header>
        <h2>Report</h2>
        <span className="small muted num">{props.live ? 'so far, ' : ''}{span(report.busySec * 1000)} of calls</span>
      </header>
      <dl className="figures">
        <div><dt>Calls</dt><dd>{count(report.calls)}</dd></div>
        <div><dt>Rate</dt><dd>{rate(report.ratePerSec)}</dd></div>
        <div><dt>Failed</dt><dd>{count(report.failed)}{report.calls > 0 && <small>{share(report.failed / report.calls)}</small>}</dd></div>
        <div><dt>p50</dt><dd>{micros(us.p50)}</dd></div>
        <div><dt>p99</dt><dd>{micros(us.p99)}</dd></div>
        <div><dt>Slowest</dt><dd>{micros(us.max)}</dd></div>
      </dl>
      <div className="grid-2 report-charts">
        <Chart title="Calls a second" times={times} at={sinceStart} format={rate} empty="No course yet."
          lines={[
            { name: 'calls', color: '--series-1', values: course.map((point) => point.ratePerSec) },
            { name: 'failed', color: '--series-5', values: course.map((point) => point.failedPerSec) },
          ]} />
        <Chart title="Latency since the start" times={times} at={sinceStart} format={micros} empty="No course yet."
          lines={[
            { name: 'p50', color: '--series-1', values: course.map((point) => point.p50Us) },
            { name: 'p95', color: '--series-2', values: course.map((point) => point.p95Us) },
            { name: 'p99', color: '--series-3', values: course.map((point) => point.p99Us) },
          ]} />
      </div>
      <div className="body report-foot">
        <div>
          <h3>What came back</h3>
          <Statuses report={report} />
        </div>
        <div>
          <h3>Latency{report.upperBound && <span className="muted"> · at most: several bees measured</span>}</h3>
          <dl className="spread num">
            {latency.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd><i style={{ width: `${us.max === 0 ? 0 : Math.max(1, (value / us.max) * 100)}%` }} aria-hidden="true" /></dd>
                <dd className="value">{micros(value)}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </section>
  );
}
