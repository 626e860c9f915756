import { describe, expect, it } from 'vitest';
import type { Outcome, SwarmSummary } from '../../api/queries';
import { passes, wordsOf } from '../runs/journal';
import { freeName, valueOf } from './create-swarm';
import { reasonOf } from './swarm-actions';
import { withState } from './swarms-page';

const swarm = (id: string, phase: SwarmSummary['phase']): SwarmSummary => ({
  id, phase, wish: 'running', health: 'Healthy', run: 'r', stale: false, allowed: [],
});

describe('the list of swarms', () => {
  it('takes in what is new, changes what is known, drops what is removed, and stays in order', () => {
    let list = withState([], swarm('b', 'Creating'));
    list = withState(list, swarm('a', 'Running'));
    list = withState(list, swarm('b', 'Running'));
    expect(list.map((each) => `${each.id} ${each.phase}`)).toEqual(['a Running', 'b Running']);
    expect(withState(list, swarm('a', 'Removed')).map((each) => each.id)).toEqual(['b']);
  });
});

describe('a new swarm', () => {
  it('is offered a name that nobody has', () => {
    expect(freeName('hello', ['hello-1', 'hello-2'])).toBe('hello-3');
  });
  it('has settings of any type', () => {
    expect([valueOf('50'), valueOf('true'), valueOf('[1]'), valueOf('sine')]).toEqual([50, true, [1], 'sine']);
  });
});

describe('a command that did not succeed', () => {
  it('says all that is missing', () => {
    const outcome: Outcome = {
      correlationId: 'c', swarm: 'a', command: 'swarm-start', status: 'NotReady', succeeded: false,
      reason: 'a bee is silent', context: { initialized: true, ready: false, pendingConfigUpdates: true },
    } as never;
    expect(reasonOf(outcome)).toBe('a bee is silent; not every bee has reported; a change of settings is still under way');
  });
});

describe('the journal', () => {
  const entry = {
    time: 't', severity: 'warn', swarm: 'a', run: 'r1', kind: 'alert', type: 'guard.rate', origin: 'o', data: { message: 'slower' },
  } as unknown as Parameters<typeof passes>[0];
  it('shows of what is heard only what the filters let pass', () => {
    expect(passes(entry, { severity: 'info', kind: '' }, 'r1')).toBe(true);
    expect(passes(entry, { severity: 'error', kind: '' }, 'r1')).toBe(false);
    expect(passes(entry, { severity: 'info', kind: 'outcome' }, 'r1')).toBe(false);
    expect(passes(entry, { severity: 'info', kind: '' }, 'r2')).toBe(false);
  });
  it('has a sentence for every entry', () => {
    expect(wordsOf(entry)).toBe('slower');
    expect(wordsOf({ ...entry, data: { status: 'Failed', reason: 'no answer' } } as never)).toBe('Failed: no answer');
  });
});
