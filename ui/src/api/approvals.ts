import { useQuery } from '@tanstack/react-query';
import { call, type Schemas } from './client';
import { useMay } from './queries';

export type Approval = Schemas['Approval'];
export type Rule = Schemas['ApprovalRule'];
export type Evidence = Approval['evidence'][number];
export type Stage = Approval['stages'][number];

export const approvals = {
  all: ['approvals'],
  open: ['approvals', 'open'],
  one: (id: string) => ['approvals', 'one', id],
  rules: ['approval-rules'],
} as const;

export const approvalAddress = (id: string): string => `/approvals/${id}`;

export function useOpenApprovals() {
  const may = useMay('approvals', 'read');
  return useQuery({
    queryKey: approvals.open,
    enabled: may,
    queryFn: async () => ((await call('get', '/api/v1/approvals', { query: { state: 'open', limit: 200 } })) as { items: Approval[] }).items,
  });
}
