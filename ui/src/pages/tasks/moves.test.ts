import { describe, expect, it } from 'vitest';
import type { Machine, Task } from '../../api/colony';
import { columns, dropMove, fits, listed, movesOf, noFilter, placed, wordsOf, type ColumnPages } from './moves';

const machine: Machine = {
  states: [],
  transitions: [
    { from: 'pending', move: 'claim', to: 'claimed' },
    { from: 'pending', move: 'cancel', to: 'cancelled' },
    { from: 'claimed', move: 'release', to: 'pending' },
    { from: 'claimed', move: 'lapse', to: 'pending' },
    { from: 'claimed', move: 'complete', to: 'completed' },
    { from: 'claimed', move: 'cancel', to: 'cancelled' },
    { from: 'blocked', move: 'unblock', to: 'pending' },
    { from: 'completed', move: 'reopen', to: 'pending' },
    { from: 'dead', move: 'redrive', to: 'pending' },
  ],
};
const task = (parts: Partial<Task> = {}): Task => ({
  id: 'a', ref: 'TASK-1', title: 'Measure the checkout', state: 'pending', priority: 2, createdBy: 'root',
  createdAt: '2026-01-01T00:00:00Z', changedAt: '2026-01-01T00:00:00Z', revision: 1, attempts: 0, retry: {}, ...parts,
});
const held = (holder: string) => task({ state: 'claimed', lease: { holder, ends: '2026-01-01T00:05:00Z', span: '5m' } });
const eva = { id: 'eva', role: 'human' };
const root = { id: 'root', role: 'admin' };
const column = (id: string) => columns.find((each) => each.id === id) ?? columns[0]!;
const pagesOf = (...items: Task[][]): ColumnPages => ({ pages: items.map((each) => ({ items: each, next: {} })), pageParams: [] });

describe('what a person may do', () => {
  it('is what the machine has, never what only the hive does', () => {
    expect(movesOf(machine, task(), eva)).toEqual(['claim', 'cancel']);
    expect(movesOf(machine, held('BEE-1'), eva)).toEqual(['cancel']);
    expect(movesOf(machine, task({ state: 'completed' }), eva)).toEqual(['reopen']);
    expect(movesOf(undefined, task(), eva)).toEqual([]);
  });
  it('is more for a holder; an administrator may take a task away', () => {
    expect(movesOf(machine, held('eva'), eva)).toEqual(['complete', 'release', 'cancel']);
    expect(movesOf(machine, held('BEE-1'), root)).toEqual(['release', 'cancel']);
  });
  it('is not to take what is for somebody else', () => {
    expect(movesOf(machine, task({ assignedTo: 'BEE-1' }), eva)).toEqual(['cancel']);
    expect(movesOf(machine, task({ assignedTo: 'eva' }), eva)).toEqual(['claim', 'cancel']);
  });
});

describe('dragging', () => {
  it('means the move that leads to the column', () => {
    expect(dropMove(machine, task(), column('work'), eva)).toBe('claim');
    expect(dropMove(machine, task(), column('over'), eva)).toBe('cancel');
    expect(dropMove(machine, held('eva'), column('pending'), eva)).toBe('release');
    expect(dropMove(machine, task({ state: 'blocked' }), column('pending'), eva)).toBe('unblock');
    expect(dropMove(machine, task({ state: 'dead' }), column('pending'), eva)).toBe('redrive');
  });
  it('means nothing where there is no such move', () => {
    expect(dropMove(machine, task(), column('pending'), eva)).toBeUndefined();
    expect(dropMove(machine, task(), column('held'), eva)).toBeUndefined();
    expect(dropMove(machine, held('BEE-1'), column('pending'), eva)).toBeUndefined();
    // Dragging one's own task to what is over cancels it; completing is said, not dragged.
    expect(dropMove(machine, held('eva'), column('over'), eva)).toBe('cancel');
  });
});

describe('a column', () => {
  it('takes in what belongs to it and lets go of what does not', () => {
    const other = task({ id: 'b', createdAt: '2026-01-02T00:00:00Z' });
    const pages = pagesOf([other], [task()]);
    expect(listed(placed(pages, task({ id: 'c', createdAt: '2026-01-03T00:00:00Z' }), true), 'newest').map((each) => each.id)).toEqual(['c', 'b', 'a']);
    expect(listed(placed(pages, task({ revision: 2, state: 'claimed' }), false), 'newest').map((each) => each.id)).toEqual(['b']);
    expect(listed(placed(pages, task({ revision: 2, title: 'Other words' }), true), 'newest')[1]?.title).toBe('Other words');
  });
  it('does not go back to what a task was before', () => {
    const pages = pagesOf([task({ revision: 5 })]);
    expect(placed(pages, task({ revision: 4 }), false)).toBe(pages);
    expect(placed(undefined, task(), true)).toBeUndefined();
  });
  it('shows a task once that comes in two pages', () => {
    expect(listed(pagesOf([task({ revision: 2 })], [task()]), 'newest')).toEqual([task({ revision: 2 })]);
  });
  it('of what can be taken has first what is taken next', () => {
    const usual = task({ id: 'b', createdAt: '2026-01-01T00:00:00.2Z' });
    const older = task({ id: 'a', createdAt: '2026-01-01T00:00:00.1Z' });
    const urgent = task({ id: 'c', priority: 0, createdAt: '2026-01-02T00:00:00Z' });
    expect(listed(pagesOf([usual, older], [urgent]), column('pending').order)).toEqual([urgent, older, usual]);
    expect(listed(pagesOf([usual, older], [urgent]), column('over').order)).toEqual([urgent, usual, older]);
  });
  it('holds every state exactly once', () => {
    expect(new Set(columns.flatMap((each) => each.states)).size).toBe(10);
    expect(columns.flatMap((each) => each.states)).toHaveLength(10);
  });
});

it('filters compare as the server does', () => {
  expect(fits(task(), noFilter)).toBe(true);
  expect(fits(task(), { ...noFilter, q: 'CHECK' })).toBe(true);
  expect(fits(task({ tags: ['perf'] }), { ...noFilter, tag: 'per' })).toBe(false);
  expect(fits(task(), { ...noFilter, priority: '0' })).toBe(false);
  expect(fits(held('BEE-1'), { ...noFilter, holder: 'BEE-1' })).toBe(true);
});

it('words are apart by commas and spaces', () => {
  expect(wordsOf(' perf, checkout perf,,TASK-1 ')).toEqual(['perf', 'checkout', 'TASK-1']);
});
