import { useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call, type Schemas } from './client';
import { useLive } from './use-live';

export type Task = Schemas['Task'];
export type TaskState = Task['state'];
export type Machine = Schemas['TaskMachine'];
export type Message = Schemas['Message'];
export type Channel = Schemas['Channel'];
export type Bee = Schemas['Bee'];
export type WorkloadBee = Schemas['WorkloadBee'];
export type Pages<T> = InfiniteData<{ items: T[]; next?: string }, string>;

// The first page of a list grows by what is heard. One that has grown too long is asked for anew, as the
// server cuts it, so that a page that is left open for days stays as small as one that was just opened.
export const pageMax = 300;
export function isSwollen(list: { pages: { items: unknown[] }[] } | undefined): boolean {
  return (list?.pages[0]?.items.length ?? 0) > pageMax;
}

export const colony = {
  tasks: ['tasks'],
  board: ['tasks', 'board'],
  counts: ['tasks', 'counts'],
  task: (id: string) => ['tasks', 'one', id],
  bees: ['bees'],
  channels: ['channels'],
  messages: (channel: string) => ['messages', channel],
} as const;

export const taskAddress = (ref: string): string => `/tasks/${encodeURIComponent(ref)}`;
export const beeAddress = (id: string): string => `/bees/${encodeURIComponent(id)}`;
export const channelAddress = (name: string): string => `/channels/${encodeURIComponent(name)}`;

export async function getTask(id: string): Promise<Task> {
  return (await call('get', '/api/v1/tasks/{task}', { path: { task: id } })) as Task;
}

export function useMachine() {
  return useQuery({ queryKey: ['tasks', 'machine'], staleTime: Infinity, queryFn: () => call('get', '/api/v1/tasks/machine') });
}

export function useBees() {
  return useQuery({
    queryKey: colony.bees,
    queryFn: async () => ((await call('get', '/api/v1/bees', { query: { kind: 'working', limit: 1000 } })) as { items: Bee[] }).items,
  });
}

// Those of swarms: they work on traffic, not on tasks.
export function useWorkloadBees() {
  return useQuery({
    queryKey: [...colony.bees, 'workload'],
    queryFn: async () => ((await call('get', '/api/v1/bees', { query: { kind: 'workload', limit: 1000 } })) as { items: WorkloadBee[] }).items,
    refetchInterval: 5000,
  });
}

export type Move = 'claim' | 'release' | 'cancel' | 'unblock' | 'redrive' | 'reopen' | 'progress' | 'complete' | 'block' | 'fail';

export async function moveTask(id: string, move: Move, body: object = {}): Promise<Task> {
  // All moves take and answer the same; the path is written as one of them.
  const path = `/api/v1/tasks/{task}/${move}` as '/api/v1/tasks/{task}/cancel';
  return (await call('post', path, { path: { task: id }, body })) as Task;
}

// Acts at once on the first event, then at most every so often however many come.
export function useLiveSoon<T>(topics: string[], of: (data: unknown) => T, act: (heard: T[]) => void, everyMs = 400): void {
  const heard = useRef<T[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef(0);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => () => {
    clearTimeout(timer.current);
    timer.current = undefined;
  }, []);
  useLive(topics, (event) => {
    heard.current.push(of(event.data));
    if (timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      last.current = Date.now();
      latest.current(heard.current.splice(0));
    }, Math.max(0, last.current + everyMs - Date.now()));
  });
}

// What is shown of a list is asked for again when something of these topics happens.
export function useFresh(topics: string[], key: readonly string[], everyMs?: number): void {
  const client = useQueryClient();
  useLiveSoon(topics, () => undefined, () => void client.invalidateQueries({ queryKey: [...key] }), everyMs);
}
