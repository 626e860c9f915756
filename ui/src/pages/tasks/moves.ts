// What the board shows where, and what a person may do with a task: told apart from drawing.
import type { Machine, Move, Task, TaskState } from '../../api/colony';

export interface ColumnPlan {
  id: string;
  name: string;
  states: TaskState[];
  order: 'newest' | 'next'; // `next`: as they are taken
  empty: string;
}
export const columns: ColumnPlan[] = [
  { id: 'waiting', name: 'Waiting', states: ['waiting'], order: 'newest', empty: 'Nothing waits for its time or for other tasks.' },
  { id: 'pending', name: 'Ready', states: ['pending'], order: 'next', empty: 'Nothing to take. New tasks appear here.' },
  { id: 'work', name: 'In work', states: ['claimed', 'in_progress'], order: 'newest', empty: 'Nobody works on a task now.' },
  { id: 'held', name: 'Held up', states: ['blocked', 'in_review'], order: 'newest', empty: 'Nothing is blocked or in review.' },
  { id: 'over', name: 'Over', states: ['completed', 'failed', 'dead', 'cancelled'], order: 'newest', empty: 'Nothing has ended yet.' },
];

export const stateNames: Record<TaskState, string> = {
  waiting: 'Waiting',
  pending: 'Ready',
  claimed: 'Claimed',
  in_progress: 'In progress',
  blocked: 'Blocked',
  in_review: 'In review',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  dead: 'Dead',
};
export const priorityNames = ['Urgent', 'High', 'Usual', 'Low', 'Someday'];

export const moveNames: Record<Move, string> = {
  claim: 'Take it',
  release: 'Give it back',
  cancel: 'Cancel',
  unblock: 'Unblock',
  redrive: 'Drive again',
  reopen: 'Reopen',
  progress: 'Tell progress',
  complete: 'Complete',
  block: 'Block',
  fail: 'Fail',
};
export const movedNames: Record<Move, string> = {
  claim: 'yours',
  release: 'free again',
  cancel: 'cancelled',
  unblock: 'unblocked',
  redrive: 'driven again',
  reopen: 'open again',
  progress: 'noted',
  complete: 'completed',
  block: 'blocked',
  fail: 'failed',
};

export interface Person {
  id: string;
  role: string;
}
const steering: Move[] = ['claim', 'unblock', 'redrive', 'reopen', 'release', 'cancel'];
const working: Move[] = ['progress', 'complete', 'block', 'fail'];

// Moves of the machine that this person can make; what only a holder does is for the holder.
export function movesOf(machine: Machine | undefined, task: Task, me: Person): Move[] {
  const has = (move: Move) => machine?.transitions.some((each) => each.from === task.state && each.move === move) === true;
  const own = task.lease?.holder === me.id;
  return [...working, ...steering].filter((move) => {
    if (!has(move)) return false;
    if (working.includes(move)) return own;
    if (move === 'release') return own || me.role === 'admin';
    if (move === 'claim') return task.assignedTo === undefined || task.assignedTo === '' || task.assignedTo === me.id;
    return true;
  });
}

// The move that dragging to a column means; its own column means none.
export function dropMove(machine: Machine | undefined, task: Task, column: ColumnPlan, me: Person): Move | undefined {
  if (column.states.includes(task.state)) return undefined;
  return movesOf(machine, task, me).find(
    (move) =>
      steering.includes(move) &&
      machine?.transitions.some((each) => each.from === task.state && each.move === move && column.states.includes(each.to)),
  );
}

export interface TaskFilter {
  q: string;
  tag: string;
  priority: string;
  holder: string;
}
export const noFilter: TaskFilter = { q: '', tag: '', priority: '', holder: '' };

// As the server compares, for tasks that come over the stream.
export function fits(task: Task, filter: TaskFilter): boolean {
  return (
    (filter.q === '' || task.title.toLowerCase().includes(filter.q.toLowerCase())) &&
    (filter.tag === '' || task.tags?.includes(filter.tag) === true) &&
    (filter.priority === '' || task.priority === Number(filter.priority)) &&
    (filter.holder === '' || task.lease?.holder === filter.holder)
  );
}

// Where each state of a column goes on; a state that is not named has no more.
export type Cursors = Partial<Record<TaskState, string>>;
export interface ColumnPages {
  pages: { items: Task[]; next: Cursors }[];
  pageParams: unknown[];
}

// A column with the task as it is now: in it or out of it. An older one than is shown changes nothing.
export function placed(pages: ColumnPages | undefined, task: Task, wanted: boolean): ColumnPages | undefined {
  const first = pages?.pages[0];
  if (pages === undefined || first === undefined) return pages;
  const known = pages.pages.flatMap((page) => page.items).find((each) => each.id === task.id);
  if (known !== undefined && known.revision > task.revision) return pages;
  if (known === undefined && !wanted) return pages;
  const rest = pages.pages.map((page) => ({ ...page, items: page.items.filter((each) => each.id !== task.id) }));
  const head = rest[0] ?? first;
  return { ...pages, pages: [wanted ? { ...head, items: [task, ...head.items] } : head, ...rest.slice(1)] };
}

const newestFirst = (a: Task, b: Task) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id);
const nextFirst = (a: Task, b: Task) => a.priority - b.priority || newestFirst(b, a);

// All pages as one list in the order of the column, each task once.
export function listed(pages: ColumnPages | undefined, order: ColumnPlan['order']): Task[] {
  const byId = new Map<string, Task>();
  for (const task of (pages?.pages ?? []).flatMap((page) => page.items)) {
    if ((byId.get(task.id)?.revision ?? -1) < task.revision) byId.set(task.id, task);
  }
  return [...byId.values()].sort(order === 'next' ? nextFirst : newestFirst);
}

// `a, b c` as words, each once.
export function wordsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))];
}
