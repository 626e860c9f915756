import { useQuery } from '@tanstack/react-query';
import { call, type Schemas } from './client';

export type Usage = Schemas['Usage'];
export type CostSum = Schemas['CostSum'];
export type Budget = Schemas['Budget'];
export type Price = Schemas['Price'];
export type Grouping = 'day' | 'bee' | 'task' | 'model';

export const costs = {
  all: ['costs'],
  sums: (by: Grouping, from: string) => ['costs', 'sums', by, from],
  budgets: ['costs', 'budgets'],
  prices: ['costs', 'prices'],
} as const;

// Sums of one thing since a day; a thousand of them are enough for any screen.
export function useSums(by: Grouping, from: string) {
  return useQuery({
    queryKey: costs.sums(by, from),
    placeholderData: (before: CostSum[] | undefined) => before,
    queryFn: async () => ((await call('get', '/api/v1/costs/summary', { query: { by, from, limit: 1000 } })) as { items: CostSum[] }).items,
  });
}

export function useBudgets() {
  return useQuery({ queryKey: costs.budgets, queryFn: async () => ((await call('get', '/api/v1/budgets')) as { items: Budget[] }).items });
}
