// What the charts of one swarm show: collected while somebody watches, bounded, in seconds of time.
import type { Aggregate, StatusEnvelope } from '../../api/model';

export const pointsMax = 900;
const rateEverySec = 0.5; // many bees that report one after the other are one point

export class Series {
  times: number[] = [];
  lines: Record<string, (number | null)[]> = {};

  add(time: number, values: Record<string, number | undefined>): void {
    const last = this.times[this.times.length - 1];
    // Charts need times that rise; what arrives late or at once replaces nothing.
    if (last !== undefined && time <= last) return;
    const before = this.times.length;
    this.times = [...this.times.slice(-(pointsMax - 1)), time];
    const names = new Set([...Object.keys(this.lines), ...Object.keys(values)]);
    const lines: Record<string, (number | null)[]> = {};
    for (const name of names) {
      const old = this.lines[name] ?? new Array<null>(before).fill(null);
      lines[name] = [...old.slice(-(pointsMax - 1)), values[name] ?? null];
    }
    this.lines = lines;
  }
}

interface Measured {
  latency: Record<string, number>;
  failed: number;
  done: number;
}

export class SwarmSeries {
  readonly rates = new Series();
  readonly depths = new Series();
  readonly guards = new Map<string, Series>();
  readonly latency = new Series();
  readonly errors = new Series();
  private measured = new Map<string, Measured>();
  private speeds = new Map<string, { bee: string; tps: number }>();
  private sums: { time: number; failed: number; done: number } | undefined;

  // From the controller: rates by bee, depths by queue, guards. Only a full status says what each worker does.
  saw(swarm: string, time: number, aggregate: Aggregate, full: boolean): void {
    for (const worker of aggregate.workers ?? []) {
      if (!full && this.speeds.has(worker.instance)) continue;
      this.speeds.set(worker.instance, { bee: worker.beeId ?? worker.role, tps: worker.tps ?? 0 });
    }
    this.addRates(time);
    const depths: Record<string, number> = {};
    const prefix = `ph.work.${swarm}.`;
    for (const [queue, depth] of Object.entries(aggregate.depths ?? {})) {
      if (queue.startsWith(prefix)) depths[queue.slice(prefix.length)] = depth;
    }
    this.depths.add(time, depths);
    for (const guard of aggregate.bufferGuards ?? []) {
      const series = this.guards.get(guard.queueAlias) ?? new Series();
      this.guards.set(guard.queueAlias, series);
      series.add(time, {
        depth: guard.depth,
        target: guard.target,
        most: guard.bracket?.max,
        least: guard.bracket?.min,
      });
    }
  }

  // From a bee itself: it speaks more often than its controller does for it.
  sawBee(instance: string, time: number, tps: number | undefined): void {
    const known = this.speeds.get(instance);
    if (known === undefined || tps === undefined) return;
    known.tps = tps;
    this.addRates(time);
  }

  // What the busiest bee does a second, all its replicas together.
  get rate(): number | undefined {
    const by = Object.values(this.byBee());
    return by.length === 0 ? undefined : Math.max(...by);
  }

  private byBee(): Record<string, number> {
    const rates: Record<string, number> = {};
    for (const { bee, tps } of this.speeds.values()) rates[bee] = (rates[bee] ?? 0) + tps;
    return rates;
  }

  private addRates(time: number): void {
    const last = this.rates.times[this.rates.times.length - 1];
    if (last === undefined || time - last >= rateEverySec) this.rates.add(time, this.byBee());
  }

  // From a bee that measures: of several, the slowest is shown, an upper bound.
  measuredBy(instance: string, time: number, data: StatusEnvelope['data']): void {
    const work = data.context && 'work' in data.context ? (data as { context: { work?: WorkNumbers } }).context.work : undefined;
    if (work?.latencyUs === undefined) return;
    this.measured.set(instance, {
      latency: { p50: work.latencyUs.p50, p95: work.latencyUs.p95, p99: work.latencyUs.p99 },
      failed: work.failed ?? 0,
      done: work.transactions ?? 0,
    });
    const all = [...this.measured.values()];
    const worst = (name: string) => Math.max(...all.map((each) => each.latency[name] ?? 0));
    this.latency.add(time, { p50: worst('p50'), p95: worst('p95'), p99: worst('p99') });
    const failed = all.reduce((sum, each) => sum + each.failed, 0);
    const done = all.reduce((sum, each) => sum + each.done, 0);
    const before = this.sums;
    if (before !== undefined && time > before.time) {
      const seconds = time - before.time;
      // Counters begin anew with a bee that was restarted.
      this.errors.add(time, { failed: Math.max(0, failed - before.failed) / seconds });
    }
    this.sums = { time, failed, done };
  }

  get totals(): { failed: number; done: number } | undefined {
    return this.sums;
  }
}

interface WorkNumbers {
  latencyUs?: { p50: number; p95: number; p99: number };
  failed?: number;
  transactions?: number;
}
