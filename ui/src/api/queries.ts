import { QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, HeldError, keepCsrfToken, ProblemError, type Schemas } from './client';
import type { AuditEntry, Scenario, Swarm } from './model';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // A refusal stays a refusal; an outage may pass.
      retry: (count, error) => !(error instanceof HeldError) && !(error instanceof ProblemError && !error.problem.retryable) && count < 3,
      refetchOnWindowFocus: true,
    },
  },
});

// Asks for everything that is shown once more. What is under way comes first: its answer may be old
// already, and to break it off would show nothing for longer.
export function askAgain(client: QueryClient): void {
  const again = () => void client.invalidateQueries();
  if (client.isFetching() === 0) return again();
  const forget = client.getQueryCache().subscribe(() => {
    if (client.isFetching() > 0) return;
    forget();
    again();
  });
}

export type Me = Schemas['Me'];
export type SwarmSummary = Schemas['SwarmSummary'];
export type Run = Schemas['Run'];

export const keys = {
  me: ['me'],
  swarms: ['swarms'],
  swarm: (id: string) => ['swarm', id],
  runs: ['runs'],
  scenarios: ['scenarios'],
  scenario: (id: string) => ['scenario', id],
} as const;

export function useMe() {
  return useQuery({
    queryKey: keys.me,
    staleTime: 5 * 60_000,
    queryFn: async (): Promise<Me | null> => {
      try {
        const me = await call('get', '/api/v1/me');
        keepCsrfToken(me.csrfToken ?? '');
        return me;
      } catch (error) {
        if (error instanceof ProblemError && error.status === 401) return null;
        throw error;
      }
    },
  });
}

const levels = ['none', 'read', 'write', 'admin'];

// May this person do that? Only to decide what to offer: the server decides what happens.
export function allows(scopes: string[], area: string, level: 'read' | 'write' | 'admin'): boolean {
  return scopes.some((scope) => {
    const [of, upTo] = scope.split(':');
    return (of === '*' || of === area) && levels.indexOf(upTo ?? '') >= levels.indexOf(level);
  });
}

export function useMay(area: string, level: 'read' | 'write' | 'admin'): boolean {
  const me = useMe();
  return allows(me.data?.scopes ?? [], area, level);
}

async function all<T>(page: (cursor?: string) => Promise<{ items: T[]; next?: string }>, most = 2000): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const answer = await page(cursor);
    items.push(...answer.items);
    cursor = answer.next;
  } while (cursor !== undefined && items.length < most);
  return items;
}

export function useSwarms() {
  return useQuery({
    queryKey: keys.swarms,
    queryFn: () =>
      all<SwarmSummary>(
        (cursor) =>
          call('get', '/api/v1/swarms', { query: { limit: 500, cursor } }) as Promise<{
            items: SwarmSummary[];
            next?: string;
          }>,
      ),
  });
}

export function useSwarm(id: string) {
  return useQuery({
    queryKey: keys.swarm(id),
    queryFn: async () =>
      (await call('get', '/api/v1/swarms/{swarmId}', { path: { swarmId: id } })) as unknown as Swarm,
  });
}

export function useRuns() {
  return useQuery({
    queryKey: keys.runs,
    queryFn: async () =>
      (await call('get', '/api/v1/runs', { query: { limit: 500 } })) as { items: Run[]; next?: string },
  });
}

export function useScenarios() {
  return useQuery({
    queryKey: keys.scenarios,
    queryFn: () =>
      all<Schemas['ScenarioSummary']>(
        (cursor) =>
          call('get', '/api/v1/scenarios', { query: { limit: 200, cursor } }) as Promise<{
            items: Schemas['ScenarioSummary'][];
            next?: string;
          }>,
      ),
  });
}

export function useScenario(id: string | undefined) {
  return useQuery({
    queryKey: keys.scenario(id ?? ''),
    enabled: id !== undefined && id !== '',
    queryFn: async () =>
      (await call('get', '/api/v1/scenarios/{scenarioId}', {
        path: { scenarioId: id ?? '' },
      })) as unknown as Scenario,
  });
}

export type Outcome = Schemas['SwarmOutcome'];
export type SwarmAction = 'start' | 'stop' | 'remove';

// A command is followed to its outcome: the request waits, and asks again as long as it is under way.
export async function followed(first: unknown): Promise<Outcome> {
  let answer = first as Partial<Outcome> & { correlationId?: string };
  while (answer.status === undefined) {
    if (answer.correlationId === undefined) throw new Error('the server did not name the command');
    answer = (await call('get', '/api/v1/commands/{correlationId}', {
      path: { correlationId: answer.correlationId },
      query: { wait: '20s' },
    })) as Partial<Outcome>;
  }
  return answer as Outcome;
}

export function useSwarmAction(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (action: SwarmAction): Promise<Outcome> => {
      const parts = { path: { swarmId: id }, query: { wait: '20s' } };
      if (action === 'remove') return followed(await call('delete', '/api/v1/swarms/{swarmId}', parts));
      if (action === 'start') return followed(await call('post', '/api/v1/swarms/{swarmId}/start', parts));
      return followed(await call('post', '/api/v1/swarms/{swarmId}/stop', parts));
    },
    onSettled: (outcome, _error, action) => {
      void client.invalidateQueries({ queryKey: keys.swarms });
      // Nobody asks after what is gone.
      if (action !== 'remove' || outcome?.succeeded !== true) void client.invalidateQueries({ queryKey: keys.swarm(id) });
      void client.invalidateQueries({ queryKey: keys.runs });
    },
  });
}

export interface AuditFilter {
  actor: string;
  action: string;
  entityType: string;
  entityId: string;
}
export interface AuditPage {
  items: AuditEntry[];
  next?: string;
}
export async function auditPage(filter: AuditFilter, cursor: string | undefined): Promise<AuditPage> {
  return (await call('get', '/api/v1/audit', {
    query: { ...filter, limit: 100, cursor },
  })) as unknown as AuditPage;
}
