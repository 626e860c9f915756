// How requests for approval are told: apart from drawing.
import type { Approval, Rule, Stage } from '../../api/approvals';
import { beeAddress, channelAddress, taskAddress } from '../../api/colony';
import { durationMs, span } from '../../format';

export const stateWords: Record<Approval['state'], string> = {
  open: 'Open',
  approved: 'Approved',
  denied: 'Denied',
  timed_out: 'Timed out',
  withdrawn: 'Withdrawn',
};
export const stateTones = { open: 'honey', approved: 'good', denied: 'bad', timed_out: 'warn', withdrawn: '' } as const;

export const carryWords: Record<Approval['carry'], string> = {
  nothing: '',
  pending: 'It is being carried out.',
  done: 'It has been carried out.',
  refused: 'It could not be carried out:',
};

const actWords: Record<string, string> = {
  'swarm.start': 'start', 'swarm.stop': 'stop', 'swarm.remove': 'remove', 'swarm.create': 'make',
  'task.complete': 'complete', 'task.cancel': 'cancel', 'task.claim': 'take', 'channel.post': 'post in',
};

const question = 'question'; // holds nothing back: only an answer is wanted

export function isQuestion(act: Approval['act']): boolean {
  return act.what === question;
}

// The subject in words, where it is only the name of the act.
export function titleOf(approval: Pick<Approval, 'subject' | 'act'>): string {
  if (!approval.subject.startsWith(`${approval.act.what} `)) return approval.subject;
  const words = actOf(approval.act);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// `start swarm alpha`; what has no words of its own is said as it is called.
export function actOf(act: Approval['act']): string {
  if (isQuestion(act)) return 'a question';
  const verb = actWords[act.what] ?? act.what;
  return [verb, act.entityType, act.entityId].filter((each) => each !== '').join(' ');
}

export function addressOf(act: Approval['act']): string | undefined {
  const facts = (act.facts ?? {}) as Record<string, unknown>;
  const ref = typeof facts.ref === 'string' ? facts.ref : act.entityId;
  switch (act.entityType) {
    case 'swarm':
      return `/swarms/${act.entityId}`;
    case 'task':
      return taskAddress(ref);
    case 'channel':
      return channelAddress(act.entityId);
    case 'bee':
      return beeAddress(act.entityId);
    default:
      return undefined;
  }
}

export function quorumOf(stage: Stage | undefined): number {
  return stage?.quorum ?? 1;
}

// How many of this stage have agreed so far.
export function agreedIn(approval: Pick<Approval, 'votes'>, stage: number): number {
  return new Set(approval.votes.filter((vote) => vote.stage === stage && vote.verdict === 'approve').map((vote) => vote.who)).size;
}

// `2 of human or alice`, `every person`
export function decidersOf(stage: Stage): string {
  const names = [...(stage.roles ?? []).map((role) => (role === 'human' ? 'people' : role === 'admin' ? 'admins' : role)), ...(stage.people ?? [])];
  const who = names.length === 0 ? 'people' : names.join(' or ');
  const quorum = quorumOf(stage);
  return quorum === 1 ? `one of ${who}` : `${quorum} of ${who}`;
}

export function leftOf(approval: Approval, now: number): string {
  const left = Date.parse(approval.stageEnds) - now;
  if (left <= 0) return 'time is up';
  const last = approval.stage >= approval.stages.length - 1;
  return `${span(left)} left, then ${last ? 'denied' : 'others are asked'}`;
}

// Only addresses that a browser may open without running anything.
export function safeLink(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const url = new URL(value);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}

// What a rule is about, in a line.
export function matchOf(match: Rule['match']): string {
  const words = [match.acts.join(', ')];
  const add = (name: string, list: string[] | undefined) => {
    if (list !== undefined && list.length > 0) words.push(`${name} ${list.join(', ')}`);
  };
  add('swarms', match.swarms);
  add('tasks', match.tasks);
  add('channels', match.channels);
  add('tagged', match.tags);
  if (match.priority !== undefined) words.push(`priority ${match.priority} or more urgent`);
  add('when asked by', match.from);
  return words.join(' · ');
}

export function stagesOf(stages: Stage[] | undefined): string {
  return (stages ?? []).map((stage) => `${decidersOf(stage)}${stage.within === undefined ? '' : ` within ${span(durationMs(stage.within))}`}`).join(', then ');
}
