/**
 * Conditions that a request to `_cluster/health` may wait for, and the check of a health against them.
 */
import type { ClusterHealth, HealthStatus } from '@shoal/cluster';
import { illegalArgument } from '@shoal/core';

/** Detail of an answer. */
export type HealthLevel = 'cluster' | 'indices' | 'shards';

export interface HealthConditions {
  readonly status: HealthStatus | null;
  readonly nodes: NodeCountCondition | null;
  /** null: do not wait. */
  readonly activeShards: number | 'all' | null;
  readonly noRelocating: boolean;
  readonly noInitializing: boolean;
}

export interface NodeCountCondition {
  readonly operator: '>=' | '<=' | '>' | '<' | '=';
  readonly count: number;
}

/** Operators of `wait_for_nodes` as users write them. */
const NODE_COUNT_FORMS: readonly { readonly pattern: RegExp; readonly operator: NodeCountCondition['operator'] }[] = [
  { pattern: /^(?:>=(\d{1,9})|ge\((\d{1,9})\))$/, operator: '>=' },
  { pattern: /^(?:<=(\d{1,9})|le\((\d{1,9})\))$/, operator: '<=' },
  { pattern: /^(?:>(\d{1,9})|gt\((\d{1,9})\))$/, operator: '>' },
  { pattern: /^(?:<(\d{1,9})|lt\((\d{1,9})\))$/, operator: '<' },
  { pattern: /^(\d{1,9})$/, operator: '=' },
];

/** @throws illegal_argument_exception when `text` is not a condition on a number of nodes */
export function parseNodeCount(text: string): NodeCountCondition {
  for (const { pattern, operator } of NODE_COUNT_FORMS) {
    const match = pattern.exec(text.trim());
    if (match !== null) return { operator, count: Number(match[1] ?? match[2]) };
  }
  throw illegalArgument(`unable to parse value [${text}] of parameter [wait_for_nodes]`);
}

/** True when everything that the request waits for holds. */
export function meetsConditions(health: ClusterHealth, wanted: HealthConditions): boolean {
  return (
    (wanted.status === null || rank(health.status) <= rank(wanted.status)) &&
    (wanted.nodes === null || meetsNodeCount(health.numberOfNodes, wanted.nodes)) &&
    (wanted.activeShards === null || hasActiveShards(health, wanted.activeShards)) &&
    (!wanted.noRelocating || health.relocatingShards === 0) &&
    (!wanted.noInitializing || health.initializingShards === 0)
  );
}

function hasActiveShards(health: ClusterHealth, wanted: number | 'all'): boolean {
  return wanted === 'all'
    ? health.unassignedShards === 0 && health.initializingShards === 0
    : health.activeShards >= wanted;
}

function meetsNodeCount(count: number, wanted: NodeCountCondition): boolean {
  switch (wanted.operator) {
    case '>=':
      return count >= wanted.count;
    case '<=':
      return count <= wanted.count;
    case '>':
      return count > wanted.count;
    case '<':
      return count < wanted.count;
    case '=':
      return count === wanted.count;
  }
}

/** Rank of a status, best first: a better status meets the condition of a worse one. */
function rank(status: HealthStatus): number {
  return status === 'green' ? 0 : status === 'yellow' ? 1 : 2;
}
