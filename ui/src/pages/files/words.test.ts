import { expect, test } from 'vitest';
import type { SyncPass } from '../../api/files';
import type { AuditEntry } from '../../api/model';
import { doneBy, foundBy, pastConflicts, pastPasses, stateOf } from './words';

const pass = (more: Partial<SyncPass>): SyncPass => ({ direction: 'pull', dryRun: true, files: 1200, changed: 0, conflictCount: 0, changes: [], conflicts: [], ...more });
const entry = (sequence: number, action: string, details: AuditEntry['details']): AuditEntry => ({
  sequence, action, details, time: `2026-01-05T10:00:0${sequence}Z`, actor: 'system:files', entityType: 'sync', entityId: '', correlationId: '', requestId: '', detailsHash: '', hash: '',
});

test('what is wrong is said before what is only under way', () => {
  expect(stateOf({ enabled: true, lastScan: '2026-01-05T10:00:00Z', waiting: 0 }).text).toBe('In step');
  expect(stateOf({ enabled: true, lastScan: '2026-01-05T10:00:00Z', waiting: 3 }).text).toBe('3 waiting');
  expect(stateOf({ enabled: true }).text).toBe('Being read');
  expect(stateOf({ enabled: true, waiting: 3, lastError: 'disk full' })).toEqual({ tone: 'bad', text: 'Not in step' });
});

test('a dry run says what would be done, a real one what was', () => {
  expect(foundBy(pass({}))).toBe('Nothing to take: all 1,200 files say what the colony knows.');
  expect(foundBy(pass({ changed: 2, conflictCount: 1 }))).toBe('2 files would be taken, with 1 conflict.');
  expect(foundBy(pass({ direction: 'push', changed: 1 }))).toBe('1 file would be written.');
  expect(doneBy(pass({ direction: 'push', changed: 1 }))).toBe('1 file is written');
  expect(doneBy(pass({}))).toBe('Nothing had to be done');
});

test('passes of both directions are one list, the newest first', () => {
  const passes = pastPasses([entry(1, 'sync.pulled', { count: 3, files: ['a', 'b', 'c'] }), entry(2, 'sync.pushed', { count: 1, files: ['d'], conflicts: [{ path: 'd', field: 'title' }] })]);
  expect(passes.map((each) => [each.direction, each.count, each.conflicts])).toEqual([['push', 1, 1], ['pull', 3, 0]]);
  expect(pastPasses([entry(1, 'sync.pulled', undefined)])[0]?.files).toEqual([]);
});

test('a conflict says what stays and what was lost, whoever won', () => {
  const told = { ref: 'TASK-1', field: 'priority', path: 'hive/tasks/a.md', file: 1, api: 4 };
  const [byFile, byApi] = pastConflicts([entry(1, 'sync.conflict', { ...told, winner: 'file' }), entry(2, 'sync.conflict', { ...told, winner: 'api' })]);
  expect([byFile?.stays, byFile?.lost]).toEqual(['1', '4']);
  expect([byApi?.stays, byApi?.lost]).toEqual(['4', '1']);
  expect(byApi?.task).toBe('TASK-1');
});
