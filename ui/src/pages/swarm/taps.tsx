import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client';
import type { JsonObject, Swarm } from '../../api/model';
import { useMay } from '../../api/queries';
import { bytes, clock, span } from '../../format';
import { Empty, ErrorNote, Field, useNow } from '../../parts/basics';

interface TapItem {
  seenAt: string;
  bytes: number;
  item: { headers?: JsonObject; steps?: { payload?: string; headers?: JsonObject }[] };
}

// The newest step of an item is what the bee behind the queue will see.
function payloadOf(item: TapItem): string {
  const steps = item.item.steps ?? [];
  const text = steps[steps.length - 1]?.payload ?? '';
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

export function Taps(props: { swarm: Swarm }) {
  const { swarm } = props;
  const may = useMay('swarms', 'write');
  const now = useNow();
  const queues = [...new Set(swarm.template.bees.flatMap((bee) => [...Object.values(bee.work?.in ?? {}), ...Object.values(bee.work?.out ?? {})]))];
  const [queue, setQueue] = useState(queues[0] ?? '');
  const [tapId, setTapId] = useState<string>();
  const open = useMutation({
    mutationFn: async () => {
      if (tapId !== undefined) await call('delete', '/api/v1/taps/{tapId}', { path: { tapId } }).catch(() => undefined);
      return call('post', '/api/v1/swarms/{swarmId}/taps', { path: { swarmId: swarm.id }, body: { queue, max: 50, ttl: '60s' } });
    },
    onSuccess: (tap) => setTapId(tap.id),
  });
  const tap = useQuery({
    queryKey: ['tap', tapId],
    enabled: tapId !== undefined,
    retry: false,
    refetchInterval: (query) => (query.state.status === 'error' ? false : 1000),
    queryFn: () => call('get', '/api/v1/taps/{tapId}', { path: { tapId: tapId ?? '' } }),
  });
  if (!may) {
    return <section className="panel"><Empty title="Taps need the right to steer swarms">A tap shows what passes a queue, payloads included. Your role may only watch.</Empty></section>;
  }
  const items = ((tap.data?.items ?? []) as unknown as TapItem[]).slice().reverse();
  const left = tap.data === undefined ? 0 : Date.parse(tap.data.expiresAt) - now;
  const ended = tapId !== undefined && (tap.isError || (tap.data !== undefined && left <= 0));
  return (
    <section className="panel" aria-label="Taps">
      <header>
        <div className="filters grow">
          <Field label="Queue">
            {(parts) => (
              <select {...parts} className="input" value={queue} onChange={(event) => setQueue(event.target.value)}>
                {queues.map((each) => <option key={each}>{each}</option>)}
              </select>
            )}
          </Field>
          <button type="button" className="button primary" disabled={queue === '' || open.isPending} onClick={() => open.mutate()}>
            {tapId === undefined || ended ? 'Listen for a minute' : 'Listen again'}
          </button>
        </div>
        {tap.data !== undefined && (
          <span className="small muted num" role="status">
            {ended ? 'It has ended' : `${span(left)} left`} · {items.length} kept{tap.data.dropped > 0 && `, ${tap.data.dropped} passed unseen`}
          </span>
        )}
      </header>
      {open.isError && <div className="body"><ErrorNote error={open.error} /></div>}
      {items.length === 0 ? (
        <Empty title={tapId === undefined ? 'Look at what passes a queue' : 'Nothing has passed yet'}>
          {tapId === undefined
            ? 'A tap copies up to fifty items while they pass; nothing is taken from the bees. It ends by itself.'
            : swarm.phase === 'Running' ? 'Items appear here as soon as one passes.' : 'The swarm does not run: start it to see items.'}
        </Empty>
      ) : (
        items.map((item, index) => (
          <details className="tap-item" key={`${item.seenAt}${index}`}>
            <summary>
              <span className="mono num">{clock(item.seenAt)}</span>
              <span className="muted num">{bytes(item.bytes)}</span>
              <code className="grow">{payloadOf(item).replace(/\s+/g, ' ').slice(0, 110)}</code>
            </summary>
            <pre tabIndex={0}>{payloadOf(item)}</pre>
            <pre tabIndex={0}>{JSON.stringify(item.item.headers ?? {}, null, 2)}</pre>
          </details>
        ))
      )}
    </section>
  );
}
