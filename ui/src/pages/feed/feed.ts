// What happened, as sentences: events as they come and entries of the audit log are told alike.
import type { Schemas } from '../../api/client';
import { beeAddress, channelAddress, taskAddress } from '../../api/colony';
import type { AuditEntry } from '../../api/model';
import { actOf } from '../approvals/words';
import { money, seconds } from '../costs/sums';

export type FeedKind = 'task' | 'bee' | 'message' | 'approval' | 'cost' | 'swarm' | 'hive';
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'honey' | '';
export interface Item {
  key: string;
  at: string;
  kind: FeedKind;
  tone: Tone;
  who: string;
  does: string;
  what?: string; // links to `to`
  to?: string;
  more?: string; // words of whoever did it
}
export const kindNames: Record<FeedKind, string> = {
  task: 'Tasks', bee: 'Bees', message: 'Messages', approval: 'Approvals', cost: 'Costs', swarm: 'Swarms', hive: 'Hive',
};
export const feedTopics = ['task.#', 'bee.#', 'message.#', 'approval.#', 'cost.#', 'budget.#', 'swarm.journal.#', 'scenario.#', 'key.#', 'webhook.#', 'auth.#', 'sync.#'];
export const itemsMax = 500;

interface Told {
  event: string;
  actor: string;
  entityType: string;
  entityId: string;
  at: string;
  [name: string]: unknown;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const nameOf = (actor: string): string => actor.replace(/^\w+:/, '');

const taskVerbs: Record<string, [does: string, tone: Tone]> = {
  created: ['made', ''],
  changed: ['changed', ''],
  ready: ['made ready', 'info'],
  waiting: ['has to wait with', ''],
  claimed: ['took', 'honey'],
  progress: ['works on', 'honey'],
  completed: ['completed', 'good'],
  failed: ['failed at', 'bad'],
  dead: ['gave up on', 'bad'],
  blocked: ['is held up at', 'warn'],
  unblocked: ['unblocked', 'info'],
  released: ['gave back', ''],
  lapsed: ['lost the lease of', 'warn'],
  cancelled: ['cancelled', ''],
  redriven: ['drives again', 'info'],
  reopened: ['reopened', 'info'],
  review: ['asks for approval of', 'info'],
  rejected: ['was refused', 'warn'],
};
const beeVerbs: Record<string, [does: string, tone: Tone]> = {
  joined: ['joined the colony', 'good'],
  back: ['is back', 'good'],
  changed: ['says', ''],
  paused: ['is paused', 'honey'],
  resumed: ['may take tasks again', 'good'],
  quiet: ['has gone quiet', 'warn'],
  silent: ['is silent', 'bad'],
  silenced: ['spoke too often and is muted', 'warn'],
};
const approvalVerbs: Record<string, [does: string, tone: Tone]> = {
  requested: ['asks for approval:', 'info'],
  voted: ['voted on', 'info'],
  decided: ['decided', ''],
  overridden: ['overrode the rule for', 'warn'],
  escalated: ['has to ask others about', 'warn'],
  timeout: ['got no answer in time:', 'warn'],
  withdrawn: ['does not ask any more for', ''],
  evidence: ['added to', ''],
  linked: ['made a link for', ''],
  carried: ['carried out', 'good'],
  'rule-created': ['made the rule', ''],
  'rule-changed': ['changed the rule', ''],
  'rule-removed': ['removed the rule', ''],
};
const spoken = (word: string): string => word.replace(/[-_.]/g, ' ');

function ofTask(told: Told, verb: string): Omit<Item, 'key' | 'at' | 'kind'> {
  const [does, tone] = taskVerbs[verb] ?? [spoken(verb), ''];
  const ref = text(told.ref) || told.entityId;
  const percent = typeof told.percent === 'number' ? `${told.percent} %` : '';
  const more = [percent, text(told.note) || text(told.error)].filter((each) => each !== '').join(' · ');
  return { who: nameOf(told.actor), does, tone, what: `${ref} ${text(told.title)}`.trim(), to: taskAddress(ref), more };
}

function ofMessage(told: Told, verb: string): Omit<Item, 'key' | 'at' | 'kind'> {
  const message = (told.message ?? {}) as { sender?: string; content?: string };
  const channel = text(told.channel);
  const does = verb === 'new' ? 'said in' : verb === 'acknowledged' ? 'acknowledged a message in' : verb === 'overdue' ? 'was not acknowledged in time in' : spoken(verb);
  return {
    who: verb === 'acknowledged' ? text(told.bee) : (message.sender ?? nameOf(told.actor)),
    does, tone: verb === 'overdue' ? 'warn' : '', what: channel, to: channelAddress(channel), more: message.content ?? '',
  };
}

function ofBee(told: Told, verb: string): Omit<Item, 'key' | 'at' | 'kind'> {
  const [does, tone] = beeVerbs[verb] ?? [spoken(verb), ''];
  const bee = text(told.bee) || told.entityId;
  const more = [text(told.status), text(told.note)].filter((each) => each !== '').join(' · ');
  return { who: '', what: bee, to: beeAddress(bee), does, tone, more };
}

function ofApproval(told: Told, verb: string): Omit<Item, 'key' | 'at' | 'kind'> {
  const [does, tone] = approvalVerbs[verb] ?? [spoken(verb), ''];
  const ended: Record<string, [string, Tone]> = { approved: ['approved', 'good'], denied: ['denied', 'bad'] };
  const [said, colour] = verb === 'decided' ? (ended[text(told.state)] ?? [does, tone]) : [does, tone];
  const act = text(told.act);
  // A subject that is only the name of the act is said in words.
  const title = act !== '' && text(told.subject).startsWith(`${act} `) ? actOf({ what: act, entityType: '', entityId: text(told.entity) }) : text(told.subject);
  return {
    who: nameOf(told.actor), does: said, tone: colour,
    what: title || text(told.rule) || told.entityId, to: told.entityType === 'approval' ? `/approvals/${told.entityId}` : '/settings/rules', more: text(told.reason) || text(told.note),
  };
}

const otherVerbs: Record<string, [does: string, tone: Tone]> = {
  'swarm.created': ['made the swarm', ''],
  'swarm.started': ['started', 'good'],
  'swarm.stopped': ['stopped', ''],
  'swarm.removed': ['removed the swarm', ''],
  'swarm.configured': ['changed the settings of', ''],
  'swarm.run.changed': ['changed the run', ''],
  'scenario.created': ['made the scenario', ''],
  'scenario.updated': ['changed the scenario', ''],
  'scenario.edited': ['changed the files of', ''],
  'scenario.deleted': ['removed the scenario', ''],
  'key.created': ['made the key', ''],
  'key.rotated': ['rotated the key', ''],
  'key.revoked': ['revoked the key', 'warn'],
  'auth.signed-in': ['signed in', ''],
  'auth.signed-out': ['signed out', ''],
  'auth.invited': ['invited', ''],
  'auth.session-ended': ['signed somebody out', ''],
  'budget.warned': ['has used most of a budget:', 'warn'],
  'budget.granted': ['granted more of a budget:', 'good'],
  'budget.exceeded': ['has used up a budget:', 'bad'],
  'webhook.created': ['made a webhook', ''],
  'webhook.changed': ['changed a webhook', ''],
  'webhook.tested': ['tried a webhook', ''],
  'webhook.removed': ['removed a webhook', ''],
  'webhook.disabled': ['turned off a webhook that failed', 'warn'],
};
const unnamed = ['auth.signed-in', 'auth.signed-out', 'auth.session-ended', 'webhook.created', 'webhook.changed', 'webhook.tested', 'webhook.removed', 'webhook.disabled'];

function ofOther(told: Told): Omit<Item, 'key' | 'at' | 'kind'> {
  const bad = /denied|refused|failed|exceeded|disabled/.test(told.event);
  const to = told.entityType === 'swarm' ? `/swarms/${told.entityId}` : told.entityType === 'scenario' ? `/scenarios/${told.entityId}` : told.entityType === 'run' ? `/runs/${told.entityId}` : undefined;
  const known = otherVerbs[told.event];
  const [does, tone] = known ?? [`${spoken(told.event.replace(/^\w+\./, ''))}:`, bad ? ('warn' as const) : ('' as const)];
  const named = text(told.name) || told.entityId;
  const subject = unnamed.includes(told.event) ? text(told.url) : known === undefined ? [told.entityType, named].filter((each) => each !== '').join(' ') : named;
  return { who: nameOf(told.actor), does, tone, what: subject, ...(to === undefined ? {} : { to }), more: text(told.reason) };
}

function ofCost(told: Told): Omit<Item, 'key' | 'at' | 'kind'> {
  if (told.event === 'cost.recorded') {
    const ref = text(told.taskRef);
    const run = text(told.run);
    const cpu = Number(told.cpuSeconds ?? 0);
    // What has no price yet is told by what was used.
    const what = Number(told.micros) === 0 && cpu > 0 ? `${seconds(cpu)} of CPU` : money(Number(told.micros));
    return {
      who: text(told.bee) || nameOf(told.actor), does: 'spent', tone: '', what, to: ref !== '' ? taskAddress(ref) : run !== '' ? `/runs/${run}` : '/costs',
      more: [ref, text(told.model)].filter((each) => each !== '').join(' · '),
    };
  }
  const whose = told.event === 'budget.granted' ? nameOf(told.actor) : text(told.subject) || 'The hive';
  return { ...ofOther(told), ...(told.event.startsWith('budget.') && text(told.period) !== '' ? { who: whose } : {}), to: '/costs' };
}

// Files that were taken or written, all of one pass together.
function ofSync(told: Told, verb: string): Omit<Item, 'key' | 'at' | 'kind'> {
  if (verb === 'conflict') {
    const ref = text(told.ref) || told.entityId;
    return { who: '', what: ref, to: taskAddress(ref), does: `had its ${text(told.field)} changed in its file and in the colony at once`, tone: 'warn', more: `What the ${told.winner === 'file' ? 'file' : 'colony'} says stays.` };
  }
  const number = Number(told.count ?? 0);
  const names = Array.isArray(told.files) ? told.files.map(String) : [];
  return {
    who: 'The hive', does: verb === 'pulled' ? 'took' : 'wrote', tone: '', what: number === 1 ? '1 file' : `${number} files`, to: '/files',
    more: names.slice(0, 2).join(', ') + (number > 2 ? ` and ${number - 2} more` : ''),
  };
}

const kinds: Record<string, FeedKind> = { task: 'task', bee: 'bee', message: 'message', approval: 'approval', cost: 'cost', budget: 'cost', price: 'cost', swarm: 'swarm' };

// What was recorded, as it came over the stream or out of the log: both say the same.
export function itemOf(told: Told): Item {
  const [area = '', ...rest] = told.event.split('.');
  const verb = rest.join('.');
  const kind = kinds[area] ?? 'hive';
  const said = kind === 'task' ? ofTask(told, verb) : kind === 'message' ? ofMessage(told, verb) : kind === 'bee' ? ofBee(told, verb) : kind === 'approval' ? ofApproval(told, verb) : kind === 'cost' ? ofCost(told) : area === 'sync' ? ofSync(told, verb) : ofOther(told);
  return { key: `${told.at}|${told.event}|${told.entityId}`, at: told.at, kind, ...said };
}

export function itemOfEntry(entry: AuditEntry): Item {
  return itemOf({ ...(entry.details ?? {}), event: entry.action, actor: entry.actor, entityType: entry.entityType, entityId: entry.entityId, at: entry.time });
}

type JournalEntry = Omit<Schemas['JournalEntry'], 'sequence' | 'data'> & { data: object };

// Between two states nobody has to look, and that it was removed is told by who did it.
const passing = ['Creating', 'Ready', 'Starting', 'Stopping', 'Removing', 'Removed'];

// Of a swarm's journal what nobody asked for: what people asked is in the audit log already.
export function itemOfJournal(entry: JournalEntry): Item | undefined {
  if (entry.kind !== 'transition' && entry.kind !== 'alert') return undefined;
  if (entry.kind === 'transition' && passing.includes(entry.type)) return undefined;
  const data = entry.data as { message?: string; reason?: string };
  const alert = entry.kind === 'alert';
  // A guard says what it does every second; that is for the journal.
  if (alert && entry.severity === 'info') return undefined;
  return {
    key: `${entry.time}|${entry.type}|${entry.swarm}|${entry.origin}`, at: entry.time, kind: 'swarm', who: '', what: entry.swarm,
    to: `/swarms/${entry.swarm}`, does: alert ? 'says' : `is ${spoken(entry.type).toLowerCase()}`,
    tone: entry.severity === 'error' ? 'bad' : entry.severity === 'warn' ? 'warn' : entry.type === 'Running' ? 'good' : '',
    more: data.message ?? data.reason ?? '',
  };
}

export function itemOfEvent(topic: string, data: unknown): Item | undefined {
  if (topic.startsWith('swarm.journal.')) return itemOfJournal(data as JournalEntry);
  return typeof (data as Partial<Told>).event === 'string' ? itemOf(data as Told) : undefined;
}

// Newest first, each once, bounded.
export function merged(before: Item[], fresh: Item[], most = itemsMax): Item[] {
  const known = new Set<string>();
  return [...fresh, ...before]
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .filter((item) => !known.has(item.key) && known.add(item.key) !== undefined)
    .slice(0, most);
}

export function fitting(items: Item[], only: ReadonlySet<string>, words: string): Item[] {
  const word = words.trim().toLowerCase();
  return items.filter((item) =>
    (only.size === 0 || only.has(item.kind)) &&
    (word === '' || `${item.who} ${item.does} ${item.what ?? ''} ${item.more ?? ''}`.toLowerCase().includes(word)));
}
