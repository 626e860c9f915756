import { useQuery } from '@tanstack/react-query';
import { call, type Schemas } from './client';
import { auditPage, useMay } from './queries';

export type SyncStatus = Schemas['SyncStatus'];
export type SyncPass = Schemas['SyncPass'];
export type Finding = NonNullable<SyncStatus['findings']>[number];
export type Direction = SyncPass['direction'];

export const files = {
  all: ['sync'],
  status: ['sync', 'status'],
  recorded: (action: string) => ['sync', 'recorded', action],
} as const;

// A scan that finds nothing is no event: when it was is asked for.
export function useSyncStatus() {
  return useQuery({ queryKey: files.status, refetchInterval: 5000, queryFn: () => call('get', '/api/v1/sync/status') });
}

export function runPass(direction: Direction, dryRun: boolean): Promise<SyncPass> {
  return call('post', direction === 'pull' ? '/api/v1/sync/pull' : '/api/v1/sync/push', { body: { dryRun } });
}

// The newest entries of one kind in the audit log, for those who may read it.
export function useRecorded(action: 'sync.pulled' | 'sync.pushed' | 'sync.conflict', enabled: boolean) {
  const may = useMay('audit', 'read');
  return useQuery({
    queryKey: files.recorded(action),
    enabled: enabled && may,
    queryFn: async () => (await auditPage({ actor: '', action, entityType: '', entityId: '' }, undefined)).items,
  });
}
