// A rule as a form has it, and back: told apart from drawing.
import type { Rule } from '../../api/approvals';
import type { Schemas } from '../../api/client';
import { wordsOf } from '../tasks/moves';

export interface StageDraft {
  roles: string[];
  people: string;
  quorum: string;
  within: string;
}
export interface Draft {
  name: string;
  rank: string;
  enabled: boolean;
  effect: Rule['effect'];
  acts: string;
  tags: string;
  tasks: string;
  channels: string;
  swarms: string;
  priority: string;
  from: string;
  stages: StageDraft[];
}

export const emptyDraft: Draft = {
  name: '', rank: '100', enabled: true, effect: 'ask', acts: '', tags: '', tasks: '', channels: '', swarms: '', priority: '', from: '',
  stages: [{ roles: ['human'], people: '', quorum: '1', within: '1h' }],
};

export function draftOf(rule: Rule): Draft {
  const { match } = rule;
  const joined = (list: string[] | undefined) => (list ?? []).join(', ');
  return {
    name: rule.name,
    rank: String(rule.rank),
    enabled: rule.enabled,
    effect: rule.effect,
    acts: joined(match.acts),
    tags: joined(match.tags),
    tasks: joined(match.tasks),
    channels: joined(match.channels),
    swarms: joined(match.swarms),
    priority: match.priority === undefined ? '' : String(match.priority),
    from: (match.from ?? []).join(','),
    stages: (rule.stages ?? []).map((stage) => ({
      roles: stage.roles ?? [],
      people: joined(stage.people),
      quorum: String(stage.quorum ?? 1),
      within: stage.within ?? '',
    })),
  };
}

// Only what is said: an empty field is left out rather than sent as nothing.
export function ruleOf(draft: Draft): Schemas['NewApprovalRule'] {
  const listed = (name: string, text: string) => (wordsOf(text).length === 0 ? {} : { [name]: wordsOf(text) });
  return {
    name: draft.name.trim(),
    rank: Number(draft.rank) || 0,
    enabled: draft.enabled,
    effect: draft.effect,
    match: {
      acts: wordsOf(draft.acts),
      ...listed('tags', draft.tags),
      ...listed('tasks', draft.tasks),
      ...listed('channels', draft.channels),
      ...listed('swarms', draft.swarms),
      ...(draft.priority === '' ? {} : { priority: Number(draft.priority) }),
      ...(draft.from === '' ? {} : { from: draft.from.split(',') as ('bee' | 'human')[] }),
    },
    ...(draft.effect === 'ask'
      ? {
          stages: draft.stages.map((stage) => ({
            ...(stage.roles.length === 0 ? {} : { roles: stage.roles as ('human' | 'admin')[] }),
            ...listed('people', stage.people),
            quorum: Number(stage.quorum) || 1,
            ...(stage.within.trim() === '' ? {} : { within: stage.within.trim() }),
          })),
        }
      : {}),
  };
}
