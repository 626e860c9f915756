import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Live, reconnectDelayMs } from './live';
import { topicMatches } from './topics';

// What the server would say, said by hand.
class FakeSocket {
  sent: Record<string, unknown>[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.onclose?.({ code: 1000 });
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

describe('topics', () => {
  it('match by word, * for one and # for any number', () => {
    expect(topicMatches('swarm.state.*', 'swarm.state.alpha')).toBe(true);
    expect(topicMatches('swarm.*', 'swarm.state.alpha')).toBe(false);
    expect(topicMatches('swarm.#', 'swarm.state.alpha')).toBe(true);
    expect(topicMatches('swarm.#', 'swarm')).toBe(true);
    expect(topicMatches('control.#.alpha', 'control.event.metric.alpha')).toBe(true);
    expect(topicMatches('control.#.alpha', 'control.event.metric.beta')).toBe(false);
  });
});

describe('the live stream', () => {
  let sockets: FakeSocket[];
  let live: Live;
  const socket = () => sockets[sockets.length - 1] as FakeSocket;
  beforeEach(() => {
    vi.useFakeTimers();
    sockets = [];
    live = new Live(() => {
      sockets.push(new FakeSocket());
      return socket() as unknown as WebSocket;
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('subscribes once for all who want a topic, and ends it with the last of them', () => {
    live.start(() => undefined);
    socket().say({ type: 'welcome', seq: 7 });
    const first = live.listen(['swarm.state.*'], () => undefined);
    const second = live.listen(['swarm.state.*'], () => undefined);
    expect(socket().sent).toEqual([{ op: 'subscribe', topics: ['swarm.state.*'] }]);
    first();
    expect(socket().sent).toHaveLength(1);
    second();
    expect(socket().sent[1]).toEqual({ op: 'unsubscribe', topics: ['swarm.state.*'] });
  });

  it('resumes behind the last number it heard', () => {
    const heard: number[] = [];
    live.listen(['swarm.#'], (event) => heard.push(event.seq));
    live.start(() => undefined);
    socket().say({ type: 'welcome', seq: 7 });
    socket().say({ type: 'event', seq: 9, topic: 'swarm.state.alpha', data: {} });
    socket().onclose?.({ code: 1006 });
    expect(live.state).toBe('reconnecting');
    vi.advanceTimersByTime(500);
    expect(sockets).toHaveLength(2);
    socket().say({ type: 'welcome', seq: 12 });
    expect(live.state).toBe('live');
    expect(socket().sent).toEqual([{ op: 'subscribe', topics: ['swarm.#'], since: 9 }]);
    expect(heard).toEqual([9]);
  });

  it('tells a gap, and goes on behind it', () => {
    const gaps = vi.fn();
    live.watchGaps(gaps);
    live.listen(['swarm.#'], () => undefined);
    live.start(() => undefined);
    socket().say({ type: 'welcome', seq: 7 });
    socket().say({ type: 'gap', first: 8, last: 60 });
    expect(gaps).toHaveBeenCalledOnce();
    socket().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(500);
    socket().say({ type: 'welcome', seq: 61 });
    expect(socket().sent[0]).toMatchObject({ since: 60 });
  });

  it('tells of what may have happened before the server knew of a topic', () => {
    const missed = vi.fn();
    live.watchGaps(missed);
    live.listen(['bee.#'], () => undefined);
    live.start(() => undefined);
    socket().say({ type: 'welcome', seq: 7 });
    // Views asked for what they show before anybody listened.
    socket().say({ type: 'subscribed', topics: ['bee.#'], seq: 7 });
    expect(missed).toHaveBeenCalledTimes(1);
    // Nothing happened since.
    const leave = live.listen(['task.#'], () => undefined);
    socket().say({ type: 'subscribed', topics: ['task.#'], seq: 7 });
    expect(missed).toHaveBeenCalledTimes(1);
    // Something happened while nobody listened to that; a view may show what it kept.
    leave();
    live.listen(['task.#'], () => undefined);
    socket().say({ type: 'subscribed', topics: ['task.#'], seq: 8 });
    expect(missed).toHaveBeenCalledTimes(2);
    // What is resumed is told by events.
    socket().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(500);
    socket().say({ type: 'welcome', seq: 20 });
    socket().say({ type: 'subscribed', topics: ['bee.#', 'task.#'], seq: 20 });
    expect(missed).toHaveBeenCalledTimes(2);
  });

  it('says that the session is over when the server does', () => {
    const ended = vi.fn();
    live.start(ended);
    socket().onclose?.({ code: 4001 });
    expect(ended).toHaveBeenCalledOnce();
  });

  it('waits longer each time, up to a quarter of a minute', () => {
    expect(reconnectDelayMs(0, 1)).toBe(500);
    expect(reconnectDelayMs(3, 1)).toBe(4000);
    expect(reconnectDelayMs(99, 1)).toBe(15_000);
    expect(reconnectDelayMs(99, 0)).toBe(7500);
  });
});
