import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../../api/client';
import { channelAddress, colony, taskAddress, beeAddress, useFresh, type Channel } from '../../api/colony';
import { useMay } from '../../api/queries';
import { count, span } from '../../format';
import { Bones, ErrorNote, useNow, useTitle } from '../../parts/basics';
import { Messages } from './messages';
import './channels.css';

const kinds: [string, (name: string) => boolean][] = [
  ['Rooms', (name) => !/^(task|bee):/.test(name)],
  ['Tasks', (name) => name.startsWith('task:')],
  ['Bees', (name) => name.startsWith('bee:')],
];

export default function ChannelsPage(props: { name?: string }) {
  const name = props.name ?? 'general';
  useTitle(props.name === undefined ? 'Channels' : name);
  const [, go] = useLocation();
  const may = useMay('channels', 'write');
  const now = useNow(10_000);
  const [text, setText] = useState('');
  useFresh(['message.#'], colony.channels);
  const channels = useQuery({
    queryKey: colony.channels,
    queryFn: async () => ((await call('get', '/api/v1/channels', { query: { limit: 1000 } })) as { items: Channel[] }).items,
  });
  const word = text.trim().toLowerCase();
  const known = channels.data ?? [];
  // The room everybody has is there before anybody spoke in it.
  const all = [{ name: 'general', unread: 0 }, { name, unread: 0 }]
    .filter((each, index, list) => !known.some((one) => one.name === each.name) && list.findIndex((one) => one.name === each.name) === index)
    .concat(known) as (Partial<Channel> & { name: string; unread: number })[];
  const shown = all.filter((each) => each.name.toLowerCase().includes(word)).sort((a, b) => (b.changedAt ?? '').localeCompare(a.changedAt ?? ''));
  const subject = name.replace(/^\w+:/, '');
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Channels</h1>
          <p>What bees and people say. Each task and each bee has a channel of its own.</p>
        </div>
      </div>
      <div className="channels" data-open={props.name !== undefined}>
        <section className="panel channel-side" aria-label="All channels">
          <header>
            <form className="grow" onSubmit={(event) => {
              event.preventDefault();
              const wish = text.trim();
              if (wish === '') return;
              const found = shown[0];
              setText('');
              go(channelAddress(all.some((each) => each.name === wish) || found === undefined ? wish : found.name));
            }}>
              <input className="input" type="search" aria-label="Find a channel" placeholder={may ? 'Find, or name a new one' : 'Find'} value={text} onChange={(event) => setText(event.target.value)} />
            </form>
          </header>
          {channels.isPending && <Bones rows={5} />}
          {channels.isError && <div className="body"><ErrorNote error={channels.error} retry={() => void channels.refetch()} /></div>}
          {channels.isSuccess && (
            <nav className="channel-list" aria-label="Channels">
              {shown.length === 0 && <p className="small muted">{may ? 'None is called so. Press Enter to begin it.' : 'None is called so.'}</p>}
              {kinds.map(([kind, belongs]) => {
                const of = shown.filter((each) => belongs(each.name));
                if (of.length === 0) return null;
                return (
                  <div key={kind}>
                    <div className="kind">{kind}</div>
                    {of.map((each) => (
                      <Link key={each.name} href={channelAddress(each.name)} aria-current={each.name === name ? 'page' : undefined}>
                        <span>{each.name.replace(/^(task|bee):/, '')}</span>
                        {each.changedAt !== undefined && <time dateTime={each.changedAt}>{span(now - Date.parse(each.changedAt))}</time>}
                        {each.unread > 0 && each.name !== name && <span className="unread num">{count(each.unread)}<span className="hidden-text"> unread</span></span>}
                      </Link>
                    ))}
                  </div>
                );
              })}
            </nav>
          )}
        </section>
        <section className="panel channel-main" aria-label={`Channel ${name}`}>
          <header>
            <h2>{name}</h2>
            {name.startsWith('task:') && <Link className="button small" href={taskAddress(subject)}>Open the task</Link>}
            {name.startsWith('bee:') && <Link className="button small" href={beeAddress(subject)}>Open the bee</Link>}
            {props.name !== undefined && <Link className="button small quiet back" href="/channels">All channels</Link>}
          </header>
          <Messages key={props.name ?? ''} channel={name} say={`Say something in ${name}`}
            empty={may ? 'Nobody has said anything here. Whoever listens hears what you say at once.' : 'Nobody has said anything here yet.'} />
        </section>
      </div>
    </div>
  );
}
