import { describe, expect, it } from 'vitest';
import { changeOf, compared, differing, statusesOf, together, type Report } from './compare';

const point = (atSec: number, ratePerSec: number) => ({ atSec, ratePerSec, failedPerSec: 0, p50Us: 1, p95Us: 2, p99Us: 3 });
const report = (change: Partial<Report>): Report => ({
  began: '2026-01-05T10:00:00Z', upTo: '2026-01-05T10:01:00Z', busySec: 60, calls: 600, failed: 6, ratePerSec: 10,
  latencyUs: { p50: 1000, p90: 2000, p95: 2500, p99: 4000, p999: 8000, max: 9000, mean: 1200 }, upperBound: false,
  byStatus: { '200': 594, '503': 6 }, course: [point(10, 10)], ...change,
});
const of = (rows: ReturnType<typeof compared>, name: string) => rows.find((row) => row.name === name);

describe('two runs', () => {
  it('are better or worse where that can be said', () => {
    const rows = compared(report({}), report({ ratePerSec: 12, failed: 60, latencyUs: { ...report({}).latencyUs, p99: 6000 } }));
    expect(of(rows, 'Rate')).toMatchObject({ a: '10/s', b: '12/s', better: true });
    expect(of(rows, 'Share that failed')).toMatchObject({ a: '1.0 %', b: '10 %', better: false });
    expect(of(rows, 'p99')).toMatchObject({ a: '4 ms', b: '6 ms', change: 0.5, better: false });
  });
  it('are not judged by less than noise, nor by how long they took', () => {
    const rows = compared(report({}), report({ ratePerSec: 10.2, busySec: 120, calls: 1224 }));
    expect(of(rows, 'Rate')?.better).toBeUndefined();
    expect(of(rows, 'Measured for')?.better).toBeUndefined();
    expect(of(rows, 'p50')).toMatchObject({ change: 0, better: undefined });
  });
  it('differ from nothing without a percentage', () => {
    const row = of(compared(report({ failed: 0 }), report({ failed: 6 })), 'Share that failed');
    expect(row).toMatchObject({ change: undefined, better: false });
    expect(changeOf(undefined)).toBe('new');
  });
  it('say changes as people do', () => {
    expect([0.5, -0.25, 0.004, 0, 30].map(changeOf)).toEqual(['+50 %', '−25 %', '+0.4 %', 'same', '+30×']);
  });
  it('share an axis though they have other points', () => {
    const { times, lines } = together([[point(5, 10), point(10, 20)], [point(5, 1), point(7, 2)]], (each) => each.ratePerSec);
    expect(times).toEqual([5, 7, 10]);
    expect(lines).toEqual([[10, null, 20], [1, 2, null]]);
  });
  it('list every status once, the frequent first', () => {
    expect(statusesOf(report({}), report({ byStatus: { timeout: 9, '200': 1 } }))).toEqual([
      { status: '200', a: 594, b: 1 }, { status: 'timeout', a: 0, b: 9 }, { status: '503', a: 6, b: 0 },
    ]);
  });
  it('are set up differently in what is named', () => {
    expect(differing({ scenario: 'x', sut: 'a' }, { scenario: 'x', sut: 'b', ticket: '4' })).toEqual([
      { name: 'sut', a: 'a', b: 'b' }, { name: 'ticket', a: '–', b: '4' },
    ]);
  });
});
