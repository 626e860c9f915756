import { describe, expect, it } from 'vitest';
import { fitting, itemOf, itemOfEntry, itemOfEvent, itemOfJournal, merged, type Item } from './feed';

const claimed = { event: 'task.claimed', actor: 'bee:forager', entityType: 'task', entityId: 't1', at: '2026-01-05T10:00:00Z', ref: 'TASK-1', title: 'Sweep' };

describe('the feed', () => {
  it('tells who did what to which task', () => {
    expect(itemOf(claimed)).toMatchObject({ kind: 'task', who: 'forager', does: 'took', what: 'TASK-1 Sweep', to: '/tasks/TASK-1' });
    expect(itemOf({ ...claimed, event: 'task.progress', percent: 40, note: 'halfway' })).toMatchObject({ does: 'works on', more: '40 % · halfway' });
  });
  it('tells an event and its entry in the log as one', () => {
    const entry = { sequence: 3, time: claimed.at, actor: claimed.actor, action: 'task.claimed', entityType: 'task', entityId: 't1', correlationId: '', requestId: '', detailsHash: '', hash: '', details: { ref: 'TASK-1', title: 'Sweep' } };
    expect(itemOfEntry(entry)).toEqual(itemOf(claimed));
    expect(merged([itemOfEntry(entry)], [itemOf(claimed)])).toHaveLength(1);
  });
  it('has words for what it does not know', () => {
    expect(itemOf({ ...claimed, event: 'scenario.updated', entityType: 'scenario', entityId: 'hello' })).toMatchObject({ kind: 'hive', does: 'changed the scenario', what: 'hello', to: '/scenarios/hello' });
    expect(itemOf({ ...claimed, event: 'thing.turned-blue', entityType: 'thing', entityId: 'x' })).toMatchObject({ does: 'turned blue:', what: 'thing x' });
    expect(itemOf({ ...claimed, event: 'task.sent-to_mars' }).does).toBe('sent to mars');
  });
  it('tells a message by its sender and a silence by its bee', () => {
    expect(itemOf({ ...claimed, event: 'message.new', channel: 'general', message: { sender: 'scout', content: 'Hello' } })).toMatchObject({ who: 'scout', does: 'said in', what: 'general', more: 'Hello' });
    expect(itemOf({ ...claimed, event: 'bee.silent', entityId: 'scout', bee: 'scout' })).toMatchObject({ what: 'scout', does: 'is silent', tone: 'bad' });
  });
  it('tells what was spent, and whose budget is used up', () => {
    expect(itemOf({ ...claimed, event: 'cost.recorded', entityType: 'cost', bee: 'scout', micros: 8100, taskRef: 'TASK-9', model: 'small-1' }))
      .toMatchObject({ kind: 'cost', who: 'scout', does: 'spent', what: '0.0081', to: '/tasks/TASK-9', more: 'TASK-9 · small-1' });
    expect(itemOf({ ...claimed, event: 'cost.recorded', entityType: 'cost', micros: 0, cpuSeconds: 2.5, run: 'run-1' })).toMatchObject({ what: '2.5 s of CPU', to: '/runs/run-1' });
    expect(itemOf({ ...claimed, event: 'budget.exceeded', entityType: 'budget', entityId: 'b', name: 'A day', subject: 'scout', period: '2026-01-05' }))
      .toMatchObject({ who: 'scout', does: 'has used up a budget:', what: 'A day', tone: 'bad' });
  });
  it('tells what waits for approval in words', () => {
    expect(itemOf({ ...claimed, event: 'approval.requested', entityType: 'approval', entityId: 'a1', subject: 'swarm.start alpha', act: 'swarm.start', entity: 'alpha' }))
      .toMatchObject({ kind: 'approval', does: 'asks for approval:', what: 'start alpha', to: '/approvals/a1' });
    expect(itemOf({ ...claimed, event: 'approval.decided', entityType: 'approval', entityId: 'a1', subject: 'May I?', state: 'denied', reason: 'no' }))
      .toMatchObject({ does: 'denied', tone: 'bad', what: 'May I?', more: 'no' });
  });
  it('takes alerts and transitions of swarms, and leaves out what was asked', () => {
    const entry = { time: claimed.at, severity: 'warn' as const, swarm: 'alpha', kind: 'alert', type: 'alert', origin: 'x', data: { message: 'out of data' } };
    expect(itemOfEvent('swarm.journal.alpha', entry)).toMatchObject({ kind: 'swarm', what: 'alpha', tone: 'warn', more: 'out of data' });
    expect(itemOfJournal({ ...entry, kind: 'transition', type: 'Running', severity: 'info', data: {} })).toMatchObject({ does: 'is running', tone: 'good' });
    expect(itemOfJournal({ ...entry, kind: 'transition', type: 'Stopping' })).toBeUndefined();
    expect(itemOfJournal({ ...entry, kind: 'request' })).toBeUndefined();
    expect(itemOfJournal({ ...entry, severity: 'info' })).toBeUndefined();
  });
  it('is bounded, in order and without doubles', () => {
    const at = (second: number): Item => ({ ...itemOf(claimed), key: String(second), at: new Date(second * 1000).toISOString() });
    expect(merged([at(3), at(1)], [at(2), at(3)], 2).map((item) => item.key)).toEqual(['3', '2']);
  });
  it('is filtered by kind and words', () => {
    const items = [itemOf(claimed), itemOf({ ...claimed, event: 'bee.joined', bee: 'scout' })];
    expect(fitting(items, new Set(['bee']), '')).toHaveLength(1);
    expect(fitting(items, new Set(), 'sweep')).toEqual([items[0]]);
  });
});
