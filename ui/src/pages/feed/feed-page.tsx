import { useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import { memo, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { call, type Schemas } from '../../api/client';
import { colony, useBees, useFresh } from '../../api/colony';
import { auditPage, useMay, useSwarms, type AuditPage } from '../../api/queries';
import { useLive } from '../../api/use-live';
import { ago, clock, count, dateTime } from '../../format';
import { Bones, Empty, ErrorNote, useNow, useTitle } from '../../parts/basics';
import { PauseIcon, PlayIcon } from '../../parts/icons';
import { feedTopics, fitting, itemOfEntry, itemOfEvent, itemOfJournal, kindNames, merged, type FeedKind, type Item } from './feed';
import './feed.css';

const nothing = { actor: '', action: '', entityType: '', entityId: '' };
const recentMs = 60 * 60_000;

function Now() {
  const counts = useQuery({ queryKey: colony.counts, queryFn: () => call('get', '/api/v1/tasks/counts') });
  const bees = useBees();
  const swarms = useSwarms();
  useFresh(['task.#'], colony.counts, 1000);
  useFresh(['bee.#'], colony.bees, 1000);
  useFresh(['swarm.state.*'], ['swarms'], 2000);
  const of = (...states: string[]) => (counts.data === undefined ? undefined : states.reduce((sum, state) => sum + ((counts.data as Record<string, number>)[state] ?? 0), 0));
  const silent = (bees.data ?? []).filter((bee) => bee.alarm !== 'none').length;
  const here = (bees.data ?? []).filter((bee) => bee.presence === 'there' || bee.presence === 'working').length;
  const figures: [string, string, string][] = [
    ['Ready', '/tasks', count(of('pending'))],
    ['In work', '/tasks', count(of('claimed', 'in_progress'))],
    ['Held up', '/tasks', count(of('blocked', 'in_review'))],
    ['Bees here', '/bees', bees.data === undefined ? '–' : count(here)],
    ['Gone quiet', '/bees', bees.data === undefined ? '–' : count(silent)],
    ['Swarms running', '/swarms', count(swarms.data?.filter((swarm) => swarm.phase === 'Running').length)],
  ];
  return (
    <dl className="panel figures" aria-label="Now">
      {figures.map(([name, to, value]) => <div key={name}><dt>{name}</dt><dd><Link href={to}>{value}<span className="hidden-text"> {name.toLowerCase()}</span></Link></dd></div>)}
    </dl>
  );
}

const Row = memo(function Row(props: { item: Item; now: number; fresh: boolean }) {
  const { item } = props;
  const subject = item.what !== undefined && item.what !== '' && (item.to === undefined ? <b>{item.what}</b> : <Link href={item.to} className="name-link">{item.what}</Link>);
  const recent = props.now - Date.parse(item.at) < recentMs;
  return (
    <li className="feed-item" data-tone={item.tone} data-fresh={props.fresh}>
      <time dateTime={item.at} title={dateTime(item.at)}>{recent ? ago(item.at, props.now) : clock(item.at)}</time>
      <span className="cell" aria-hidden="true" />
      <span className="line">
        {item.who === '' ? <>{subject} <span className="does">{item.does}</span></> : <><b>{item.who}</b> <span className="does">{item.does}</span> {subject}</>}
      </span>
      {item.more !== undefined && item.more !== '' && <span className="more">{item.more}</span>}
    </li>
  );
});

const dayOf = (at: string): string => new Date(at).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });

// What is written down already, for those who may read it; what comes afterwards is heard.
function usePast() {
  const may = useMay('audit', 'read');
  const log = useInfiniteQuery<AuditPage, Error, InfiniteData<AuditPage>, readonly string[], string>({
    queryKey: ['feed', 'audit'],
    enabled: may,
    staleTime: 0,
    initialPageParam: '',
    queryFn: ({ pageParam }) => auditPage(nothing, pageParam === '' ? undefined : pageParam),
    getNextPageParam: (last) => last.next,
  });
  const journal = useQuery({
    queryKey: ['feed', 'journal'],
    staleTime: 0,
    queryFn: () => call('get', '/api/v1/journal', { query: { kind: 'transition', limit: 100 } }) as Promise<{ items: Schemas['JournalEntry'][] }>,
  });
  const items = useMemo(() => {
    const entries = (log.data?.pages ?? []).flatMap((page) => page.items).map(itemOfEntry);
    const lived = (journal.data?.items ?? []).map(itemOfJournal).filter((item) => item !== undefined);
    return merged(entries, lived, Infinity);
  }, [log.data, journal.data]);
  return { items, log, pending: (may && log.isPending) || journal.isPending, error: log.error ?? journal.error };
}

export default function FeedPage() {
  useTitle('Feed');
  const now = useNow(5000);
  const began = useRef(Date.now());
  const [search, setSearch] = useSearchParams();
  const [heard, setHeard] = useState<Item[]>([]);
  const [held, setHeld] = useState<Item[]>();
  const [text, setText] = useState('');
  const past = usePast();
  useLive(feedTopics, (event) => {
    const item = itemOfEvent(event.topic, event.data);
    if (item === undefined) return;
    if (held === undefined) setHeard((before) => merged(before, [item]));
    else setHeld((before) => merged(before ?? [], [item]));
  });
  const key = search.get('only') ?? '';
  const only = useMemo(() => new Set(key.split(',').filter((each) => each !== '')), [key]);
  const items = useMemo(() => merged(past.items, heard, past.items.length + heard.length), [past.items, heard]);
  const shown = useMemo(() => fitting(items, only, text), [items, only, text]);
  const toggle = (kind: FeedKind) => {
    const after = new Set(only);
    if (!after.delete(kind)) after.add(kind);
    setSearch(after.size === 0 ? new URLSearchParams() : new URLSearchParams({ only: [...after].join(',') }), { replace: true });
  };
  const goOn = () => {
    setHeard((before) => merged(before, held ?? []));
    setHeld(undefined);
  };
  const days = useMemo(() => {
    const found: { day: string; items: Item[] }[] = [];
    for (const item of shown) {
      const day = dayOf(item.at);
      const last = found[found.length - 1];
      if (last?.day === day) last.items.push(item);
      else found.push({ day, items: [item] });
    }
    return found;
  }, [shown]);
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Feed</h1>
          <p>What happens in the colony and its swarms, while it happens.</p>
        </div>
        <button type="button" className="button" aria-pressed={held !== undefined} onClick={() => (held === undefined ? setHeld([]) : goOn())}>
          {held === undefined ? <><PauseIcon /> Hold still</> : <><PlayIcon /> Go on</>}
        </button>
      </div>
      <Now />
      <section className="panel" aria-label="What happened">
        <header>
          <div className="chips grow" role="group" aria-label="Show only">
            {(Object.keys(kindNames) as FeedKind[]).map((kind) => (
              <button key={kind} type="button" className="chip" aria-pressed={only.has(kind)} onClick={() => toggle(kind)}>{kindNames[kind]}</button>
            ))}
          </div>
          <input className="input find" type="search" aria-label="Find in the feed" placeholder="Find by name or words" value={text} onChange={(event) => setText(event.target.value)} />
        </header>
        {held !== undefined && held.length > 0 && <button type="button" className="feed-held" onClick={goOn}>{held.length} new · show</button>}
        {past.pending && <Bones rows={10} />}
        {past.error !== null && <div className="body"><ErrorNote error={past.error} retry={() => void past.log.refetch()} /></div>}
        {!past.pending && shown.length === 0 && (
          items.length === 0
            ? <Empty title="Nothing has happened yet">Make a task, start a swarm, or let a bee say something: it appears here at once.</Empty>
            : <Empty title="Nothing fits">Nothing that is loaded fits these filters. Take some of them away.</Empty>
        )}
        <div className="feed-list" role="log" aria-label="Feed" aria-live="off">
          {days.map((each) => (
            <div key={each.day}>
              <h2 className="feed-day">{each.day}</h2>
              <ul>{each.items.map((item) => <Row key={item.key} item={item} now={now} fresh={Date.parse(item.at) > began.current} />)}</ul>
            </div>
          ))}
        </div>
        {past.log.hasNextPage && (
          <div className="body"><button type="button" className="button small" disabled={past.log.isFetchingNextPage} onClick={() => void past.log.fetchNextPage()}>Older</button></div>
        )}
      </section>
    </div>
  );
}
