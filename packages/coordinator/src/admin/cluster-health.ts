/**
 * Health of the cluster, its indices and shards, computed from the routing of one cluster state, and what a request may
 * wait for.
 *
 * Green: every copy serves. Yellow: every primary serves, or was never assigned yet. Red: some primary does not. Pure.
 */
import { illegalArgument } from '@shoal/core';
import type { ClusterState, ShardRouting } from '@shoal/protocol';

export type HealthStatus = 'green' | 'yellow' | 'red';
export type HealthLevel = 'cluster' | 'indices' | 'shards';

export interface ShardCounts {
  readonly activePrimaries: number;
  readonly active: number;
  readonly relocating: number;
  readonly initializing: number;
  readonly unassigned: number;
  readonly unassignedPrimaries: number;
}

export interface ShardHealth extends ShardCounts {
  readonly shard: number;
  readonly status: HealthStatus;
}

export interface IndexHealth extends ShardCounts {
  readonly index: string;
  readonly status: HealthStatus;
  readonly numberOfShards: number;
  readonly numberOfReplicas: number;
  readonly shards: readonly ShardHealth[];
}

export interface ClusterHealth extends ShardCounts {
  readonly clusterName: string;
  readonly status: HealthStatus;
  readonly numberOfNodes: number;
  readonly numberOfDataNodes: number;
  readonly indices: readonly IndexHealth[];
  /** 0..100; over all copies of the cluster, whichever indices were asked for. */
  readonly activeShardsPercent: number;
}

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

const SERVICE_UNAVAILABLE = 503;
const NO_COUNTS: ShardCounts = {
  activePrimaries: 0,
  active: 0,
  relocating: 0,
  initializing: 0,
  unassigned: 0,
  unassignedPrimaries: 0,
};
/** Operators of `wait_for_nodes` as users write them, the longer ones first. */
const NODE_COUNT_FORMS: readonly { readonly pattern: RegExp; readonly operator: NodeCountCondition['operator'] }[] = [
  { pattern: /^(?:>=(\d{1,9})|ge\((\d{1,9})\))$/, operator: '>=' },
  { pattern: /^(?:<=(\d{1,9})|le\((\d{1,9})\))$/, operator: '<=' },
  { pattern: /^(?:>(\d{1,9})|gt\((\d{1,9})\))$/, operator: '>' },
  { pattern: /^(?:<(\d{1,9})|lt\((\d{1,9})\))$/, operator: '<' },
  { pattern: /^(\d{1,9})$/, operator: '=' },
];

/** Health as far as the concrete indices of `indices` are concerned. */
export function clusterHealthOf(state: ClusterState, indices: readonly string[]): ClusterHealth {
  const perIndex = indices.map((index) => indexHealth(state, index));
  const nodes = [...state.nodes.values()];
  const isBlocked = state.blocks.global.some((block) => block.status === SERVICE_UNAVAILABLE);
  const computed = worst(perIndex.map((health) => health.status));
  return {
    clusterName: state.clusterName,
    status: isBlocked ? 'red' : computed,
    numberOfNodes: nodes.length,
    numberOfDataNodes: nodes.filter((node) => node.roles.includes('data')).length,
    ...sumCounts(perIndex),
    indices: perIndex,
    activeShardsPercent: computed === 'green' && !isBlocked ? 100 : activePercent(state),
  };
}

/** Health of one index of the state. */
export function indexHealth(state: ClusterState, index: string): IndexHealth {
  const metadata = state.metadata.indices.get(index);
  const shards = (state.routing.indices.get(index) ?? []).map(shardHealth);
  return {
    index,
    // An index whose routing is not made yet serves nothing.
    status: shards.length === 0 ? 'red' : worst(shards.map((shard) => shard.status)),
    numberOfShards: metadata?.numberOfShards ?? shards.length,
    numberOfReplicas: metadata?.numberOfReplicas ?? 0,
    ...sumCounts(shards),
    shards,
  };
}

export function isActive(copy: ShardRouting): boolean {
  return copy.state === 'STARTED' || copy.state === 'RELOCATING';
}

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
    (!wanted.noRelocating || health.relocating === 0) &&
    (!wanted.noInitializing || health.initializing === 0)
  );
}

function hasActiveShards(health: ClusterHealth, wanted: number | 'all'): boolean {
  return wanted === 'all' ? health.unassigned === 0 && health.initializing === 0 : health.active >= wanted;
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

function shardHealth(copies: readonly ShardRouting[], shard: number): ShardHealth {
  const count = (keep: (copy: ShardRouting) => boolean): number => copies.filter(keep).length;
  const primary = copies.find((copy) => copy.isPrimary);
  const active = count(isActive);
  const isPrimaryActive = primary !== undefined && isActive(primary);
  return {
    shard,
    status: isPrimaryActive ? (active === copies.length ? 'green' : 'yellow') : inactivePrimaryStatus(primary),
    activePrimaries: Number(isPrimaryActive),
    active,
    relocating: count((copy) => copy.state === 'RELOCATING'),
    initializing: count((copy) => copy.state === 'INITIALIZING'),
    unassigned: count((copy) => copy.state === 'UNASSIGNED'),
    unassignedPrimaries: count((copy) => copy.isPrimary && copy.state === 'UNASSIGNED'),
  };
}

/** A primary that was never started holds nothing yet, so waiting for it loses nothing: yellow, unless nothing will take it. */
function inactivePrimaryStatus(primary: ShardRouting | undefined): HealthStatus {
  const info = primary?.unassigned;
  const isNew =
    primary?.recoverySource === 'EMPTY_STORE' &&
    (info === null || info === undefined || (info.allocationStatus !== 'deciders_no' && info.failedAllocations === 0));
  return isNew ? 'yellow' : 'red';
}

function activePercent(state: ClusterState): number {
  const copies = [...state.routing.indices.values()].flat(2);
  return copies.length === 0 ? 0 : (copies.filter(isActive).length / copies.length) * 100;
}

function sumCounts(parts: readonly ShardCounts[]): ShardCounts {
  return parts.reduce<ShardCounts>(
    (sum, part) => ({
      activePrimaries: sum.activePrimaries + part.activePrimaries,
      active: sum.active + part.active,
      relocating: sum.relocating + part.relocating,
      initializing: sum.initializing + part.initializing,
      unassigned: sum.unassigned + part.unassigned,
      unassignedPrimaries: sum.unassignedPrimaries + part.unassignedPrimaries,
    }),
    NO_COUNTS,
  );
}

function rank(status: HealthStatus): number {
  return status === 'green' ? 0 : status === 'yellow' ? 1 : 2;
}

function worst(statuses: readonly HealthStatus[]): HealthStatus {
  return statuses.reduce<HealthStatus>((a, b) => (rank(b) > rank(a) ? b : a), 'green');
}
