import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer } from 'react';
import { call } from '../../api/client';
import type { BeeStatus, StatusEnvelope, Swarm } from '../../api/model';
import { keys, useMay, useSwarm, type SwarmSummary } from '../../api/queries';
import { useLive, useLiveState } from '../../api/use-live';
import { SwarmSeries } from './series';

export interface SeenStatus extends BeeStatus {
  role: string;
  instance: string;
  at: string;
}
interface Watched {
  series: SwarmSeries;
  statuses: Map<string, SeenStatus>;
}

// Kept while the page is open, so that charts are still there when one comes back to a swarm.
const watched = new Map<string, Watched>();
const watchedMax = 20;

function watchedOf(run: string): Watched {
  let found = watched.get(run);
  if (found === undefined) {
    found = { series: new SwarmSeries(), statuses: new Map() };
    watched.set(run, found);
    const oldest = watched.keys().next().value;
    if (watched.size > watchedMax && oldest !== undefined) watched.delete(oldest);
  }
  return found;
}

export function useLiveSwarm(id: string) {
  const swarm = useSwarm(id);
  const client = useQueryClient();
  const may = useMay('swarms', 'write');
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const run = swarm.data?.run ?? '';
  const state = useLiveState();
  const { series, statuses } = watchedOf(run);

  useLive([`swarm.state.${id}`, `control.event.metric.*.${id}.#`], (event) => {
    if (run === '') return;
    if (event.topic.startsWith('swarm.')) {
      const summary = event.data as SwarmSummary;
      if (summary.run !== run) void client.invalidateQueries({ queryKey: keys.swarm(id) });
      client.setQueryData<Swarm>(keys.swarm(id), (old) => (old === undefined ? old : { ...old, ...summary }));
      return;
    }
    const status = event.data as StatusEnvelope;
    const time = Date.parse(status.timestamp) / 1000;
    if (status.scope.role === 'swarm-controller') {
      const said = status.data.context;
      if (said === undefined) return;
      const full = status.type === 'status-full';
      // What a small status leaves out is as it was.
      const now = client.setQueryData<Swarm>(keys.swarm(id), (old) => (old === undefined ? old : { ...old, aggregate: full ? said : { ...old.aggregate, ...said } }));
      if (now !== undefined) series.saw(id, time, now.aggregate, full);
    } else {
      const old = statuses.get(status.scope.instance);
      statuses.set(status.scope.instance, {
        ...old,
        ...(status.data as BeeStatus),
        role: status.scope.role,
        instance: status.scope.instance,
        at: status.timestamp,
      });
      series.sawBee(status.scope.instance, time, status.data.tps);
      series.measuredBy(status.scope.instance, time, status.data);
      redraw();
    }
  });

  // Full statuses come now and then by themselves; who may ask need not wait for them.
  useEffect(() => {
    if (run === '' || !may || state !== 'live') return;
    call('post', '/api/v1/swarms/{swarmId}/status-request', { path: { swarmId: id } }).catch(() => undefined);
  }, [id, run, may, state]);

  return { swarm, series, statuses };
}
