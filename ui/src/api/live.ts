import { topicMatches } from './topics';

export type LiveState = 'connecting' | 'live' | 'reconnecting';
export interface LiveEvent {
  seq: number;
  topic: string;
  data: unknown;
}
type Listener = (event: LiveEvent) => void;

// Doubles from half a second to a quarter of a minute; a random part keeps a hall of screens from
// knocking at the same moment after a restart.
export function reconnectDelayMs(attempt: number, random: number): number {
  const longest = Math.min(15_000, 500 * 2 ** Math.min(attempt, 10));
  return Math.round(longest * (0.5 + random / 2));
}

interface Interest {
  topics: string[];
  listener: Listener;
}

// One WebSocket for the whole page: topics come and go with the views that show them. After a break
// it resumes by number; what cannot be resumed is told as a gap, and whoever cares asks again. So is
// what may have happened before the server knew of a topic: a view asks for what it shows at the same
// time, and the answer may be the older of the two.
export class Live {
  private socket: WebSocket | undefined;
  private interests = new Set<Interest>();
  private onState = new Set<() => void>();
  private onGap = new Set<() => void>();
  private counts = new Map<string, number>();
  private attempt = 0;
  private lastSeq = 0;
  private known = -1; // the greatest number that the server has named
  private asked = new Map<string, number>(); // by topics, what was known then
  private timer: ReturnType<typeof setTimeout> | undefined;
  private wanted = false;
  private said: LiveState = 'connecting';
  private ended: () => void = () => undefined;

  constructor(private readonly open: () => WebSocket) {}

  get state(): LiveState {
    return this.said;
  }
  start(ended: () => void): void {
    this.ended = ended;
    if (this.wanted) return;
    this.wanted = true;
    this.connect();
  }
  stop(): void {
    this.wanted = false;
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
    this.become('connecting');
  }
  watchState = (listener: () => void): (() => void) => {
    this.onState.add(listener);
    return () => this.onState.delete(listener);
  };
  watchGaps(listener: () => void): () => void {
    this.onGap.add(listener);
    return () => this.onGap.delete(listener);
  }
  listen(topics: string[], listener: Listener): () => void {
    const interest = { topics, listener };
    this.interests.add(interest);
    const fresh = topics.filter((topic) => this.count(topic, 1) === 1);
    if (fresh.length > 0) this.subscribe(fresh);
    return () => {
      this.interests.delete(interest);
      const gone = topics.filter((topic) => this.count(topic, -1) === 0);
      if (gone.length > 0) this.say({ op: 'unsubscribe', topics: gone });
    };
  }

  private count(topic: string, by: number): number {
    const now = (this.counts.get(topic) ?? 0) + by;
    if (now === 0) this.counts.delete(topic);
    else this.counts.set(topic, now);
    return now;
  }
  private subscribe(topics: string[], since?: number): void {
    if (this.said !== 'live') return;
    // What happened since then will be told; without, it may be missed.
    this.asked.set(topics.join(' '), since === undefined ? this.known : Infinity);
    this.say({ op: 'subscribe', topics, since });
  }
  private say(message: object): void {
    if (this.said === 'live') this.socket?.send(JSON.stringify(message));
  }
  private become(state: LiveState): void {
    if (this.said === state) return;
    this.said = state;
    for (const listener of this.onState) listener();
  }
  private connect(): void {
    const socket = this.open();
    this.socket = socket;
    socket.onmessage = ({ data }) => this.hear(JSON.parse(String(data)) as Record<string, unknown>);
    socket.onclose = ({ code }) => {
      if (this.socket !== socket || !this.wanted) return;
      this.become('reconnecting');
      // The session is over: trying again with the same cookie is of no use.
      if (code === 4001) this.ended();
      this.timer = setTimeout(() => this.connect(), reconnectDelayMs(this.attempt, Math.random()));
      this.attempt += 1;
    };
  }
  private hear(message: Record<string, unknown>): void {
    switch (message.type) {
      case 'welcome': {
        const again = this.lastSeq > 0;
        this.attempt = 0;
        this.become('live');
        const topics = [...this.counts.keys()];
        this.asked.clear();
        if (topics.length > 0) this.subscribe(topics, again ? this.lastSeq : undefined);
        if (!again) this.lastSeq = Number(message.seq);
        this.known = Math.max(this.known, Number(message.seq));
        break;
      }
      case 'subscribed': {
        const topics = (message.topics as string[]).join(' ');
        const missed = Number(message.seq) > (this.asked.get(topics) ?? Infinity);
        this.asked.delete(topics);
        this.known = Math.max(this.known, Number(message.seq));
        if (missed) for (const listener of this.onGap) listener();
        break;
      }
      case 'gap':
        this.lastSeq = Math.max(this.lastSeq, Number(message.last));
        for (const listener of this.onGap) listener();
        break;
      case 'event': {
        const event = message as unknown as LiveEvent;
        this.lastSeq = Math.max(this.lastSeq, event.seq);
        this.known = Math.max(this.known, event.seq);
        for (const interest of this.interests) {
          if (interest.topics.some((topic) => topicMatches(topic, event.topic))) {
            interest.listener(event);
          }
        }
        break;
      }
      default:
        break;
    }
  }
}

export const live = new Live(() => {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocket(`${scheme}://${location.host}/ws`);
});
