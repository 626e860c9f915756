import { describe, expect, it } from 'vitest';
import { changesOf, patchOf } from './config-diff';
import { roomAfter, stepsOf } from './plan';
import { pointsMax, Series, SwarmSeries } from './series';
import { lastSeen } from './workers';

describe('a change of settings', () => {
  const before = { inputs: { scheduler: { ratePerSec: 20, maxMessages: 5 } }, list: [1, 2] };
  it('is what differs, and only that is sent', () => {
    const changes = changesOf(before, { inputs: { scheduler: { ratePerSec: 50, maxMessages: 5 } }, list: [1, 2] });
    expect(changes).toEqual([{ path: 'inputs.scheduler.ratePerSec', before: 20, after: 50 }]);
    expect(patchOf(changes)).toEqual({ inputs: { scheduler: { ratePerSec: 50 } } });
  });
  it('may be a new setting deep inside', () => {
    const changes = changesOf({}, { mode: { type: 'sine', sine: { min: 1 } } });
    expect(changes.map((change) => change.path)).toEqual(['mode.type', 'mode.sine.min']);
    expect(patchOf(changes)).toEqual({ mode: { type: 'sine', sine: { min: 1 } } });
  });
  it('takes a list as a whole, and sends nothing for what was removed', () => {
    const changes = changesOf(before, { inputs: { scheduler: { ratePerSec: 20 } }, list: [1] });
    expect(patchOf(changes)).toEqual({ list: [1] });
    expect(changes).toContainEqual({ path: 'inputs.scheduler.maxMessages', before: 5, after: undefined });
  });
});

describe('series', () => {
  it('rise in time, are bounded, and have gaps where a line was not there yet', () => {
    const series = new Series();
    series.add(1, { a: 1 });
    series.add(1, { a: 2 });
    series.add(2, { a: 3, b: 4 });
    expect(series.times).toEqual([1, 2]);
    expect(series.lines).toEqual({ a: [1, 3], b: [null, 4] });
    for (let time = 3; time < 2000; time += 1) series.add(time, { a: time });
    expect(series.times).toHaveLength(pointsMax);
    expect(series.lines.b).toHaveLength(pointsMax);
  });
  it('of a swarm sum up replicas, and show the slowest of several that measure', () => {
    const series = new SwarmSeries();
    series.saw('alpha', 1, {
      workers: [
        { role: 'p', instance: 'p-1', beeId: 'p', tps: 10 },
        { role: 'p', instance: 'p-2', beeId: 'p', tps: 5 },
      ],
      depths: { 'ph.work.alpha.raw': 7 },
    }, true);
    series.sawBee('p-2', 2, 8);
    expect(series.rates.lines.p).toEqual([15, 18]);
    expect(series.rate).toBe(18);
    // A small status repeats what the last full one said of workers, which is older than what they say themselves.
    series.saw('alpha', 2.5, { workers: [{ role: 'p', instance: 'p-2', beeId: 'p', tps: 5 }], depths: { 'ph.work.alpha.raw': 9 } }, false);
    expect(series.rate).toBe(18);
    expect(series.depths.lines.raw).toEqual([7, 9]);
    const measured = (p99: number, failed: number) =>
      ({ context: { work: { latencyUs: { p50: 1, p95: 2, p99 }, failed, transactions: 100 } } }) as never;
    series.measuredBy('m-1', 3, measured(50, 1));
    series.measuredBy('m-2', 4, measured(20, 0));
    series.measuredBy('m-1', 5, measured(40, 3));
    expect(series.latency.lines.p99).toEqual([50, 50, 40]);
    expect(series.errors.lines.failed).toEqual([0, 2]);
    expect(series.totals).toMatchObject({ failed: 3, done: 200 });
  });
});

describe('a plan', () => {
  it('is its steps in the order of the clock, each with whom it is for', () => {
    const steps = stepsOf({
      swarm: [{ stepId: 'end', time: '50s', type: 'stop' }],
      bees: [{ beeId: 'generator', steps: [{ stepId: 'climb', time: '1s', duration: '6s', type: 'ramp' }] }],
    });
    expect(steps.map((step) => [step.stepId, step.target, step.at, step.length])).toEqual([
      ['climb', 'generator', 1000, 6000],
      ['end', 'Whole swarm', 50_000, 0],
    ]);
  });
});

describe('the name of a step', () => {
  it('has room until the next step of the same bee, or until the end', () => {
    const steps = stepsOf({ bees: [
      { beeId: 'a', steps: [{ stepId: '1', time: '1s' }, { stepId: '2', time: '4s' }] },
      { beeId: 'b', steps: [{ stepId: '3', time: '2s' }] },
    ] });
    expect(steps.map((step) => roomAfter(steps, step, 10_000))).toEqual([3000, 8000, 6000]);
  });
});

describe('when a bee was last seen', () => {
  it('is told by whoever heard it last: the controller or this page', () => {
    const worker = { role: 'echo', instance: 'alpha-echo-1', lastSeen: '2026-01-05T10:00:05Z' };
    expect(lastSeen(worker, undefined)).toBe(worker.lastSeen);
    expect(lastSeen(worker, { at: '2026-01-05T10:00:05.5Z' })).toBe('2026-01-05T10:00:05.5Z');
    expect(lastSeen(worker, { at: '2026-01-05T09:59:00Z' })).toBe(worker.lastSeen);
    expect(lastSeen({ role: 'echo', instance: 'alpha-echo-1' }, undefined)).toBeUndefined();
  });
});
