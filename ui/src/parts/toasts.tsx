import { useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { HeldError } from '../api/client';
import { CloseIcon } from './icons';

interface Toast {
  id: number;
  kind: 'good' | 'bad' | 'info';
  title: string;
  text?: string;
  to?: string;
}

let toasts: Toast[] = [];
let next = 1;
const watchers = new Set<() => void>();

function show(list: Toast[]): void {
  toasts = list;
  for (const watcher of watchers) watcher();
}

export function tell(kind: Toast['kind'], title: string, text?: string, to?: string): void {
  const id = next;
  next += 1;
  show([...toasts.slice(-3), { id, kind, title, text, to }]);
  // What went wrong stays until it is read.
  if (kind !== 'bad') setTimeout(() => dismiss(id), 6000);
}

// What somebody wanted was not done, or not yet: a rule that asks for approval is no mistake.
export function tellFailed(title: string, error: unknown): void {
  if (error instanceof HeldError) tell('info', 'It waits for approval', error.message, `/approvals/${error.approval}`);
  else tell('bad', title, error instanceof Error ? error.message : String(error));
}

function dismiss(id: number): void {
  show(toasts.filter((each) => each.id !== id));
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function Toasts() {
  const list = useSyncExternalStore(watch, () => toasts);
  return (
    <div className="toasts" role="region" aria-label="Messages" aria-live="polite">
      {list.map((toast) => (
        <div key={toast.id} className={`toast ${toast.kind}`}>
          <div className="text">
            <strong>{toast.title}</strong>
            {toast.text}
            {toast.to !== undefined && <> <Link href={toast.to}>See it</Link></>}
          </div>
          <button type="button" className="button quiet icon small" aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
            <CloseIcon />
          </button>
        </div>
      ))}
    </div>
  );
}
