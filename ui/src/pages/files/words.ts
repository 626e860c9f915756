// What files and the colony have to do with each other, in words.
import type { SyncPass, SyncStatus } from '../../api/files';
import type { AuditEntry } from '../../api/model';
import { count } from '../../format';

export const policyWords: Record<NonNullable<SyncStatus['policy']>, string> = {
  'last-write': 'the later change stays',
  'files-win': 'what the file says stays',
  'api-win': 'what the colony says stays',
};

export function stateOf(status: SyncStatus): { tone: 'good' | 'warn' | 'bad' | 'honey'; text: string } {
  if (status.lastError !== undefined) return { tone: 'bad', text: 'Not in step' };
  if (status.lastScan === undefined) return { tone: 'honey', text: 'Being read' };
  if ((status.waiting ?? 0) > 0) return { tone: 'honey', text: `${count(status.waiting)} waiting` };
  return { tone: 'good', text: 'In step' };
}

const some = (number: number, one: string): string => `${count(number)} ${number === 1 ? one : `${one}s`}`;

// What a dry run found.
export function foundBy(pass: SyncPass): string {
  const pulls = pass.direction === 'pull';
  if (pass.changed === 0) return pulls ? `Nothing to take: all ${count(pass.files)} files say what the colony knows.` : 'Nothing to write: every task has its file.';
  const clash = pass.conflictCount === 0 ? '' : `, with ${some(pass.conflictCount, 'conflict')}`;
  return `${some(pass.changed, 'file')} would be ${pulls ? 'taken' : 'written'}${clash}.`;
}
export function doneBy(pass: SyncPass): string {
  if (pass.changed === 0) return 'Nothing had to be done';
  return `${some(pass.changed, 'file')} ${pass.changed === 1 ? 'is' : 'are'} ${pass.direction === 'pull' ? 'taken' : 'written'}`;
}

export interface PastPass {
  key: number;
  at: string;
  direction: 'pull' | 'push';
  files: string[];
  count: number;
  conflicts: number;
}
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export function pastPasses(entries: AuditEntry[], most = 50): PastPass[] {
  return entries
    .map((entry) => ({
      key: entry.sequence,
      at: entry.time,
      direction: entry.action === 'sync.pulled' ? ('pull' as const) : ('push' as const),
      files: list(entry.details?.files).map(String),
      count: Number(entry.details?.count ?? 0),
      conflicts: list(entry.details?.conflicts).length,
    }))
    .sort((a, b) => b.key - a.key)
    .slice(0, most);
}

export interface PastConflict {
  key: number;
  at: string;
  task: string;
  field: string;
  path: string;
  winner: 'file' | 'api';
  stays: string;
  lost: string;
}
const spelled = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

export function pastConflicts(entries: AuditEntry[]): PastConflict[] {
  return entries.map((entry) => {
    const told = entry.details ?? {};
    const winner = told.winner === 'file' ? ('file' as const) : ('api' as const);
    return {
      key: entry.sequence, at: entry.time, winner,
      task: spelled(told.ref) || entry.entityId, field: spelled(told.field), path: spelled(told.path),
      stays: spelled(winner === 'file' ? told.file : told.api), lost: spelled(winner === 'file' ? told.api : told.file),
    };
  });
}
