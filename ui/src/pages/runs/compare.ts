// Two runs side by side: told apart from drawing.
import type { Schemas } from '../../api/client';
import { count, micros, rate, share, span } from '../../format';

export type Report = Schemas['RunReport'];

export interface Compared {
  name: string;
  a: string;
  b: string;
  change: number | undefined; // of b against a, 0.1 is a tenth more
  better: boolean | undefined; // nothing when it is neither, or too little to say
}

// Less than this is what two runs of the same thing differ by anyway.
const noise = 0.05;

function row(name: string, a: number, b: number, write: (value: number) => string, good: 'more' | 'less' | 'neither'): Compared {
  const change = a === b ? 0 : a === 0 ? undefined : (b - a) / a;
  const matters = good !== 'neither' && a !== b && (change === undefined || Math.abs(change) >= noise);
  return { name, a: write(a), b: write(b), change, better: matters ? (b > a) === (good === 'more') : undefined };
}

export function compared(a: Report, b: Report): Compared[] {
  const failedShare = (report: Report) => (report.calls === 0 ? 0 : report.failed / report.calls);
  return [
    row('Measured for', a.busySec, b.busySec, (value) => span(value * 1000), 'neither'),
    row('Calls', a.calls, b.calls, count, 'neither'),
    row('Rate', a.ratePerSec, b.ratePerSec, rate, 'more'),
    row('Failed', a.failed, b.failed, count, 'neither'),
    row('Share that failed', failedShare(a), failedShare(b), share, 'less'),
    row('Latency, mean', a.latencyUs.mean, b.latencyUs.mean, micros, 'less'),
    row('p50', a.latencyUs.p50, b.latencyUs.p50, micros, 'less'),
    row('p90', a.latencyUs.p90, b.latencyUs.p90, micros, 'less'),
    row('p95', a.latencyUs.p95, b.latencyUs.p95, micros, 'less'),
    row('p99', a.latencyUs.p99, b.latencyUs.p99, micros, 'less'),
    row('p99.9', a.latencyUs.p999, b.latencyUs.p999, micros, 'less'),
    row('Slowest', a.latencyUs.max, b.latencyUs.max, micros, 'neither'),
  ];
}

export function changeOf(change: number | undefined): string {
  if (change === undefined) return 'new';
  if (change === 0) return 'same';
  const percent = Math.abs(change) * 100;
  const words = percent >= 1000 ? `${count(percent / 100)}×` : `${percent < 1 ? percent.toFixed(1) : count(percent)} %`;
  return `${change > 0 ? '+' : '−'}${words}`;
}

// What came back, by status; every status of either run once, the most frequent first.
export function statusesOf(a: Report, b: Report): { status: string; a: number; b: number }[] {
  const names = [...new Set([...Object.keys(a.byStatus), ...Object.keys(b.byStatus)])];
  return names
    .map((status) => ({ status, a: a.byStatus[status] ?? 0, b: b.byStatus[status] ?? 0 }))
    .sort((x, y) => y.a + y.b - (x.a + x.b) || x.status.localeCompare(y.status));
}

type Point = Report['course'][number];

// Courses with different points on one axis: where one of them has none is a hole.
export function together(courses: Point[][], of: (point: Point) => number): { times: number[]; lines: (number | null)[][] } {
  const times = [...new Set(courses.flat().map((point) => point.atSec))].sort((x, y) => x - y);
  const lines = courses.map((course) => {
    const known = new Map(course.map((point) => [point.atSec, of(point)]));
    return times.map((time) => known.get(time) ?? null);
  });
  return { times, lines };
}

// Which setting of the two runs is not the same; nothing is said of what both lack.
export function differing(a: Record<string, string>, b: Record<string, string>): { name: string; a: string; b: string }[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => a[name] !== b[name])
    .sort()
    .map((name) => ({ name, a: a[name] ?? '–', b: b[name] ?? '–' }));
}
