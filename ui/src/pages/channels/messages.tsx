import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../../api/client';
import { colony, isSwollen, type Message, type Pages } from '../../api/colony';
import { useMay, useMe } from '../../api/queries';
import { useLive } from '../../api/use-live';
import { ago, dateTime, span } from '../../format';
import { Badge } from '../../parts/badges';
import { Bones, ErrorNote, useNow } from '../../parts/basics';
import { CloseIcon, GoodIcon, ReplyIcon } from '../../parts/icons';
import { tellFailed } from '../../parts/toasts';
import { Tags } from '../tasks/parts';
import { awaited, threadsOf, withMessage } from './thread';
import './channels.css';

const kinds: Record<string, '' | 'info' | 'warn' | 'good' | 'honey'> = { progress: 'honey', request: 'warn', response: 'good' };

function Said(props: { message: Message; now: number; me: string; may: boolean; onReply: () => void; onAck: () => void }) {
  const { message, now } = props;
  const missing = awaited(message);
  return (
    <>
      <span className="face" aria-hidden="true">{message.sender.charAt(0)}</span>
      <div className="said">
        <div className="line">
          <b>{message.sender}</b>
          <time dateTime={message.createdAt} title={dateTime(message.createdAt)}>{ago(message.createdAt, now)}</time>
          {message.type !== 'text' && <Badge plain tone={kinds[message.type] ?? 'info'} text={message.type} />}
          <Tags words={message.tags} />
          {props.may && (
            <button type="button" className="button quiet icon small reply" aria-label={`Reply to ${message.sender}`} onClick={props.onReply}><ReplyIcon /></button>
          )}
        </div>
        <p className="prose">{message.content}</p>
        {(message.ackFrom ?? []).length > 0 && (
          <div className="line acks">
            {(message.acks ?? []).map((ack) => <Badge key={ack.bee} tone="good" text={`${ack.bee} acknowledged`} />)}
            {missing.map((bee) => <Badge key={bee} tone={message.overdue === true ? 'bad' : 'warn'} text={message.overdue === true ? `${bee} is overdue` : `waits for ${bee}`} />)}
            {missing.length > 0 && message.ackBy !== undefined && Date.parse(message.ackBy) > now && (
              <span className="muted small">within {span(Date.parse(message.ackBy) - now)}</span>
            )}
            {props.may && missing.includes(props.me) && (
              <button type="button" className="button small" onClick={props.onAck}><GoodIcon /> Acknowledge</button>
            )}
          </div>
        )}
      </div>
    </>
  );
}

// The messages of a channel, as they come, and a box to say something. What is shown counts as read.
export function Messages(props: { channel: string; empty: string; say: string }) {
  const { channel } = props;
  const client = useQueryClient();
  const me = useMe().data?.id ?? '';
  const may = useMay('channels', 'write');
  const now = useNow(5000);
  const [text, setText] = useState('');
  const [answering, setAnswering] = useState<Message>();
  const box = useRef<HTMLTextAreaElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const key = colony.messages(channel);
  const take = (message: Message) => {
    const grown = client.setQueryData<Pages<Message>>(key, (before) => withMessage(before, message));
    if (isSwollen(grown)) void client.invalidateQueries({ queryKey: key });
  };
  const pages = useInfiniteQuery({
    queryKey: key,
    initialPageParam: '',
    queryFn: async ({ pageParam }) =>
      (await call('get', '/api/v1/channels/{channel}/messages', { path: { channel }, query: { limit: 100, cursor: pageParam } })) as { items: Message[]; next?: string },
    getNextPageParam: (last) => last.next,
  });
  useLive(['message.#'], (event) => {
    const { message } = event.data as { message?: Message };
    if (message?.channel === channel) take(message);
  });
  const threads = useMemo(() => threadsOf((pages.data?.pages ?? []).flatMap((page) => page.items)), [pages.data]);
  const newest = pages.data?.pages[0]?.items[0]?.id;

  useEffect(() => {
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
    const read = () => {
      // On a phone the list of channels may stand before it: what is not seen is not read.
      const seen = document.visibilityState === 'visible' && element !== null && element.getClientRects().length > 0;
      if (newest === undefined || !may || !seen) return;
      // A cursor that could not be moved shows as unread, which is no harm.
      call('put', '/api/v1/channels/{channel}/cursor', { path: { channel }, body: { message: newest } })
        .then(() => client.invalidateQueries({ queryKey: colony.channels }))
        .catch(() => undefined);
    };
    read();
    document.addEventListener('visibilitychange', read);
    return () => document.removeEventListener('visibilitychange', read);
  }, [newest, may, channel, client]);

  const say = useMutation({
    mutationFn: async () =>
      (await call('post', '/api/v1/channels/{channel}/messages', {
        path: { channel },
        body: { content: text.trim(), ...(answering === undefined ? {} : { replyTo: answering.id }) },
      })) as Message,
    onSuccess: (message) => {
      take(message);
      setText('');
      setAnswering(undefined);
    },
  });
  const acknowledge = (message: Message) =>
    void call('post', '/api/v1/messages/{message}/ack', { path: { message: message.id } }).then(
      (after) => take(after as Message),
      (error: unknown) => tellFailed('It could not be acknowledged', error),
    );
  const one = (message: Message) => (
    <Said message={message} now={now} me={me} may={may} onAck={() => acknowledge(message)}
      onReply={() => {
        setAnswering(message);
        box.current?.focus();
      }} />
  );
  return (
    <>
      {pages.isPending && <Bones rows={4} />}
      {pages.isError && <div className="body"><ErrorNote error={pages.error} retry={() => void pages.refetch()} /></div>}
      {pages.isSuccess && threads.length === 0 && <p className="body small muted">{props.empty}</p>}
      {threads.length > 0 && (
        <div className="messages" ref={scroller} tabIndex={0} role="log" aria-label={`Messages of ${channel}`}>
          {pages.hasNextPage && (
            <button type="button" className="button small" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>Older messages</button>
          )}
          <ul>
            {threads.map((thread) => (
              <li key={thread.root.id}>
                <div className="message">{one(thread.root)}</div>
                {thread.replies.length > 0 && (
                  <ul className="replies" aria-label={`Replies to ${thread.root.sender}`}>
                    {thread.replies.map((reply) => <li key={reply.id} className="message">{one(reply)}</li>)}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {may && (
        <form
          className="say"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') say.mutate();
          }}
        >
          {answering !== undefined && (
            <div className="answering small">
              <ReplyIcon /> <span>Reply to <b>{answering.sender}</b>: {answering.content}</span>
              <button type="button" className="button quiet icon small" aria-label="Do not reply" onClick={() => setAnswering(undefined)}><CloseIcon /></button>
            </div>
          )}
          {say.isError && <ErrorNote error={say.error} />}
          <div className="line">
            <textarea ref={box} className="input words" rows={2} aria-label={props.say} placeholder={props.say} value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }} />
            <button type="submit" className="button primary" disabled={text.trim() === '' || say.isPending}>{say.isPending && <span className="spin" />} Send</button>
          </div>
        </form>
      )}
    </>
  );
}
