/**
 * One aspect of the health of the cluster, as `_health_report` tells it: how it is, what suffers from it, why, and what to do.
 */
import type { ClusterSettings } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import type { StatsTree } from '../../bodies/stats-tree.ts';

type Json = Readonly<Record<string, unknown>>;

/** From the best to the worst. */
const HEALTH_ORDER = ['green', 'unknown', 'yellow', 'red'] as const;
export type IndicatorStatus = (typeof HEALTH_ORDER)[number];

export type ImpactArea = 'backup' | 'deployment_management' | 'ingest' | 'search';

export interface Impact {
  readonly id: string;
  /** 1 is the gravest. */
  readonly severity: number;
  readonly description: string;
  readonly areas: readonly ImpactArea[];
}

export interface Diagnosis {
  readonly id: string;
  readonly cause: string;
  readonly action: string;
  /** What it is about: names of indices, or nodes; null: the whole cluster. */
  readonly affected: { readonly indices: readonly string[] } | { readonly nodes: readonly NodeName[] } | null;
}

export interface NodeName {
  readonly nodeId: string;
  readonly name: string;
}

export interface IndicatorResult {
  readonly status: IndicatorStatus;
  /** What is seen, in one sentence. */
  readonly symptom: string;
  readonly details: Json;
  readonly impacts: readonly Impact[];
  readonly diagnoses: readonly Diagnosis[];
}

/** What indicators look at. */
export interface HealthFacts {
  readonly state: ClusterState;
  /** Settings of the cluster in force. */
  readonly settings: ClusterSettings;
  /** Statistics of the data nodes by their ids; of those that do not answer there are none. */
  readonly nodeStats: ReadonlyMap<string, StatsTree>;
}

export interface HealthIndicator {
  readonly name: string;
  readonly look: (facts: HealthFacts) => IndicatorResult;
}

export function isWell(symptom: string, details: Json): IndicatorResult {
  return { status: 'green', symptom, details, impacts: [], diagnoses: [] };
}

export function worstOf(statuses: readonly IndicatorStatus[]): IndicatorStatus {
  return HEALTH_ORDER.findLast((status) => statuses.includes(status)) ?? 'green';
}

/** @param count of things whose name takes an `s` */
export function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
