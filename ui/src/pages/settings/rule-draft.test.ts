import { describe, expect, it } from 'vitest';
import type { Rule } from '../../api/approvals';
import { draftOf, emptyDraft, ruleOf } from './rule-draft';

describe('the form of a rule', () => {
  it('sends only what was said', () => {
    expect(ruleOf({ ...emptyDraft, name: ' starts ', acts: 'swarm.start, swarm.stop', swarms: 'prod-*' })).toEqual({
      name: 'starts', rank: 100, enabled: true, effect: 'ask', match: { acts: ['swarm.start', 'swarm.stop'], swarms: ['prod-*'] },
      stages: [{ roles: ['human'], quorum: 1, within: '1h' }],
    });
  });
  it('asks nobody when it allows or denies', () => {
    expect(ruleOf({ ...emptyDraft, name: 'no', acts: '*', effect: 'deny' }).stages).toBeUndefined();
  });
  it('is the rule again after a look', () => {
    const rule: Rule = {
      id: '1', name: 'n', rank: 7, enabled: false, effect: 'ask', match: { acts: ['task.*'], tags: ['a', 'b'], priority: 1, from: ['bee'] },
      stages: [{ people: ['root'], quorum: 2, within: '4h' }], createdBy: 'x', createdAt: '', changedAt: '', revision: 3,
    };
    expect(ruleOf(draftOf(rule))).toEqual({ name: 'n', rank: 7, enabled: false, effect: 'ask', match: rule.match, stages: rule.stages });
  });
});
