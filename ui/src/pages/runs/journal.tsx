import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { call, type Schemas } from '../../api/client';
import { useLive } from '../../api/use-live';
import { clock, count, dateTime } from '../../format';
import { Bones, Empty, ErrorNote, Field } from '../../parts/basics';
import { Badge } from '../../parts/badges';

type Entry = Schemas['JournalEntry'];
type LiveEntry = Omit<Entry, 'sequence'>;
const severities = ['info', 'warn', 'error'];
const kinds = ['request', 'signal', 'outcome', 'alert', 'transition', 'measure'];
const heardMax = 500;

export interface JournalFilter {
  severity: string;
  kind: string;
}

export function passes(entry: LiveEntry, filter: JournalFilter, run: string): boolean {
  return (
    severities.indexOf(entry.severity) >= severities.indexOf(filter.severity) &&
    (filter.kind === '' || entry.kind === filter.kind) &&
    (entry.run === undefined || entry.run === run)
  );
}

// A sentence of an entry: its message, or how the command ended.
export function wordsOf(entry: LiveEntry): string {
  const data = entry.data as { message?: string; status?: string; reason?: string; context?: { reason?: string } };
  if (data.message !== undefined) return data.message;
  if (entry.kind === 'measure') {
    const { calls, failed } = entry.data as { calls?: number; failed?: number };
    return `${count(calls)} calls measured, ${count(failed)} failed`;
  }
  return [data.status, data.reason ?? data.context?.reason].filter((each) => each !== undefined).join(': ');
}

const tones = { info: '', warn: 'warn', error: 'bad' } as const;

// The same entry comes over the wire and in the next page: by time and kind it is one.
const keyOf = (entry: LiveEntry): string => `${entry.time}${entry.type}${entry.origin}`;

export function Journal(props: { swarm: string; run: string; live?: boolean }) {
  const [search, setSearch] = useSearchParams();
  const severity = search.get('severity') ?? 'info';
  const kind = search.get('kind') ?? '';
  const filter = useMemo<JournalFilter>(() => ({ severity: severities.includes(severity) ? severity : 'info', kind: kinds.includes(kind) ? kind : '' }), [severity, kind]);
  const set = (name: keyof JournalFilter, value: string, usual: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      if (value === usual) after.delete(name);
      else after.set(name, value);
      return after;
    }, { replace: true });
  const [heard, setHeard] = useState<LiveEntry[]>([]);
  const [text, setText] = useState('');
  const pages = useInfiniteQuery({
    queryKey: ['journal', props.swarm, props.run, filter],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      call('get', '/api/v1/swarms/{swarmId}/journal', {
        path: { swarmId: props.swarm },
        query: { run: props.run, severity: filter.severity, kind: filter.kind, limit: 100, cursor: pageParam },
      }) as Promise<{ items: Entry[]; next?: string }>,
    getNextPageParam: (last) => last.next,
  });
  useLive(props.live === true ? [`swarm.journal.${props.swarm}`] : [], (event) =>
    setHeard((before) => [event.data as LiveEntry, ...before].slice(0, heardMax)),
  );
  const entries = useMemo(() => {
    const stored: LiveEntry[] = (pages.data?.pages ?? []).flatMap((page) => page.items);
    const known = new Set(stored.map(keyOf));
    const fresh = heard.filter((entry) => passes(entry, filter, props.run) && !known.has(keyOf(entry)));
    const word = text.trim().toLowerCase();
    const all = [...fresh, ...stored];
    return word === '' ? all : all.filter((each) => `${each.type} ${each.origin} ${wordsOf(each)}`.toLowerCase().includes(word));
  }, [pages.data, heard, filter, props.run, text]);
  return (
    <section className="panel" aria-label="Journal">
      <header>
        <div className="filters grow">
          <Field label="At least">
            {(parts) => (
              <select {...parts} className="input" value={filter.severity} onChange={(event) => set('severity', event.target.value, 'info')}>
                {severities.map((each) => <option key={each}>{each}</option>)}
              </select>
            )}
          </Field>
          <Field label="Kind">
            {(parts) => (
              <select {...parts} className="input" value={filter.kind} onChange={(event) => set('kind', event.target.value, '')}>
                <option value="">all</option>
                {kinds.map((each) => <option key={each}>{each}</option>)}
              </select>
            )}
          </Field>
          <Field label="Find">
            {(parts) => <input {...parts} className="input" type="search" value={text} placeholder="among those loaded" onChange={(event) => setText(event.target.value)} />}
          </Field>
        </div>
      </header>
      {pages.isPending && <Bones rows={8} />}
      {pages.isError && <div className="body"><ErrorNote error={pages.error} retry={() => void pages.refetch()} /></div>}
      {pages.isSuccess && entries.length === 0 && <Empty title="Nothing was written down">No entry fits these filters. Take some of them away.</Empty>}
      {entries.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Journal, scrolls sideways">
          <table className="table stacks">
            <thead><tr><th scope="col">Time</th><th scope="col">Severity</th><th scope="col">What</th><th scope="col">Words</th><th scope="col">From</th></tr></thead>
            <tbody>
              {entries.map((entry, index) => (
                <tr key={`${keyOf(entry)}${index}`}>
                  <td className="fit mono" title={dateTime(entry.time)}>{clock(entry.time)}</td>
                  <td className="fit"><Badge plain tone={tones[entry.severity]} text={entry.severity} /></td>
                  <td className="fit"><b>{entry.type}</b> <span className="muted">{entry.kind}</span></td>
                  <td className="wrap lead">{wordsOf(entry)}</td>
                  <td className="fit muted">{entry.origin}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pages.hasNextPage && (
        <div className="body row">
          <button type="button" className="button small" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>Older entries</button>
        </div>
      )}
    </section>
  );
}
