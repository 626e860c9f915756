import { describe, expect, it } from 'vitest';
import type { Approval } from '../../api/approvals';
import { actOf, addressOf, titleOf, agreedIn, decidersOf, leftOf, matchOf, safeLink, stagesOf } from './words';

const approval: Approval = {
  id: '1', state: 'open', subject: 'swarm.start alpha', act: { what: 'swarm.start', entityType: 'swarm', entityId: 'alpha' },
  requester: { id: 'bob', role: 'human' }, createdAt: '2026-01-05T10:00:00Z', revision: 1,
  stages: [{ roles: ['human'], quorum: 2, within: '1h' }, { people: ['root'], within: '4h' }], stage: 0, stageEnds: '2026-01-05T11:00:00Z',
  votes: [
    { who: 'ann', verdict: 'approve', at: '2026-01-05T10:10:00Z', stage: 0, via: 'api' },
    { who: 'eve', verdict: 'approve', at: '2026-01-05T10:10:00Z', stage: 1, via: 'link' },
  ],
  evidence: [], carry: 'nothing',
};

describe('a request for approval', () => {
  it('says what is wanted, and where that is', () => {
    expect(actOf(approval.act)).toBe('start swarm alpha');
    expect(titleOf(approval)).toBe('Start swarm alpha');
    expect(titleOf({ ...approval, subject: 'May I?' })).toBe('May I?');
    expect(actOf({ what: 'question', entityType: 'question', entityId: '' })).toBe('a question');
    expect(addressOf(approval.act)).toBe('/swarms/alpha');
    expect(addressOf({ what: 'task.complete', entityType: 'task', entityId: 'uuid', facts: { ref: 'TASK-1' } as never })).toBe('/tasks/TASK-1');
    expect(addressOf({ what: 'question', entityType: '', entityId: '' })).toBeUndefined();
  });
  it('counts who agreed in each stage, and says who decides', () => {
    expect(agreedIn(approval, 0)).toBe(1);
    expect(approval.stages.map(decidersOf)).toEqual(['2 of people', 'one of root']);
    expect(stagesOf(approval.stages)).toBe('2 of people within 1 h, then one of root within 4 h');
  });
  it('says what happens when the time is up', () => {
    expect(leftOf(approval, Date.parse('2026-01-05T10:30:00Z'))).toBe('30 min left, then others are asked');
    expect(leftOf({ ...approval, stage: 1 }, Date.parse('2026-01-05T10:59:30Z'))).toBe('30 s left, then denied');
    expect(leftOf(approval, Date.parse('2026-01-05T12:00:00Z'))).toBe('time is up');
  });
  it('has links that run nothing', () => {
    expect(safeLink('https://example.org/diff')).toBe('https://example.org/diff');
    expect(safeLink('javascript:alert(1)')).toBeUndefined();
    expect(safeLink({})).toBeUndefined();
  });
  it('comes from a rule that fits in a line', () => {
    expect(matchOf({ acts: ['swarm.*'], swarms: ['prod-*'], from: ['bee'], priority: 1 })).toBe('swarm.* · swarms prod-* · priority 1 or more urgent · when asked by bee');
  });
});
