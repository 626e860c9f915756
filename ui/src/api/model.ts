// What the API leaves open as `object`: the parts of it that the dashboard shows.
import type { Schemas } from './client';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export interface TemplateBee {
  id?: string;
  role: string;
  replicas?: number;
  work?: { in?: Record<string, string>; out?: Record<string, string> };
  config?: JsonObject;
}
export interface TemplateEdge {
  id: string;
  from: { beeId: string; port: string };
  to: { beeId: string; port: string };
  selector?: { policy?: string; expr?: string };
}
export interface Template {
  bees: TemplateBee[];
  topology?: { edges?: TemplateEdge[] };
}

export interface Worker {
  role: string;
  instance: string;
  beeId?: string;
  health?: string;
  enabled?: boolean;
  tps?: number;
  configured?: boolean;
  restarts?: number;
  startedAt?: string;
  lastSeen?: string;
  trouble?: string;
}
export interface Guard {
  queueAlias: string;
  state: string;
  depth?: number;
  smoothedDepth?: number;
  target?: number;
  bracket?: { min: number; max: number };
  rate?: number;
  estimate?: number;
  reason?: string;
}
export interface PlanProgress {
  elapsedMs: number;
  firedSteps: number;
  totalSteps: number;
  run: number;
  totalRuns: number;
  complete: boolean;
  lastStepId?: string;
}
export interface Binding {
  edgeId: string;
  from: { instance: string; role: string; port: string; routingKey?: string };
  to: { instance: string; role: string; port: string; queue?: string };
}
export interface Aggregate {
  swarmStatus?: string;
  health?: string;
  healthReason?: string;
  totals?: { total: number; healthy: number; running: number; enabled: number };
  planProgress?: PlanProgress;
  bufferGuards?: Guard[];
  // By bee and by queue, in every status; `workers` and `bindings` come with full ones only.
  rates?: Record<string, number>;
  depths?: Record<string, number>;
  workers?: Worker[];
  bindings?: { work?: { exchange?: string; edges?: Binding[] } };
}
export interface PlanStep {
  stepId: string;
  type?: string;
  time: string;
  name?: string;
  duration?: string;
  field?: string;
  from?: number;
  to?: number;
  config?: JsonObject;
}
export interface Plan {
  bees?: { beeId?: string; role?: string; instanceId?: string; steps: PlanStep[] }[];
  swarm?: PlanStep[];
  length?: string;
  runs?: number;
}

export interface Swarm extends Omit<Schemas['Swarm'], 'template' | 'plan' | 'aggregate' | 'creation'> {
  template: Template;
  plan: Plan;
  aggregate: Aggregate;
  creation: { correlationId: string; status?: string; reason?: string };
}

export interface Percentiles {
  p50: number;
  p90: number;
  p95: number;
  p99: number;
  p999: number;
  max: number;
  mean: number;
}
export interface BeeStatus {
  enabled?: boolean;
  tps?: number;
  startedAt?: string;
  config?: JsonObject;
  ioState?: { work?: { input?: string; output?: string } };
  context?: {
    work?: JsonObject & {
      processed?: number;
      failed?: number;
      transactions?: number;
      latencyUs?: Percentiles;
      byStatus?: Record<string, number>;
    };
  };
}
// A status as it travels over the control plane.
export interface StatusEnvelope {
  timestamp: string;
  type: 'status-full' | 'status-delta';
  scope: { swarmId: string; role: string; instance: string };
  data: BeeStatus & { context?: Aggregate };
}

export interface ScenarioModel {
  id: string;
  name: string;
  bees: TemplateBee[];
  edges?: TemplateEdge[];
  thresholds?: string[];
  suts?: { id: string; name?: string; endpoints?: Record<string, { kind?: string; baseUrl?: string }> }[];
  variables?: { profiles?: { id: string; name?: string }[] };
}
export type Scenario = Omit<Schemas['Scenario'], 'model'> & { model: Partial<ScenarioModel> };

export interface AuditEntry {
  sequence: number;
  time: string;
  actor: string;
  action: string;
  entityType: string;
  entityId: string;
  correlationId: string;
  requestId: string;
  detailsHash: string;
  hash: string;
  details?: JsonObject;
}
