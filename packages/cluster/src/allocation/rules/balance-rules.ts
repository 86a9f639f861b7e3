/** What makes a node heavy, and by how much heavier it must be than another for a copy to move. */
import { illegalArgument } from '@shoal/core';
import type { ClusterSettings } from '../../reading/cluster-settings.ts';

export interface BalanceRules {
  /** Share of all copies of a node in its weight, 0..1. */
  readonly shard: number;
  /** Share of the copies of the same index; both together are 1. */
  readonly index: number;
  /** At least 1: with less a copy could move to and fro between two nodes for ever. */
  readonly threshold: number;
}

const SHARD = 'cluster.routing.allocation.balance.shard';
const INDEX = 'cluster.routing.allocation.balance.index';
const THRESHOLD = 'cluster.routing.allocation.balance.threshold';

export function balanceRules(settings: ClusterSettings): BalanceRules {
  const { shard, index } = factorsOf(settings);
  const sum = shard + index;
  return { shard: shard / sum, index: index / sum, threshold: Number(settings[THRESHOLD] ?? 1) };
}

/** Throws where no factor is left. @param settings cluster settings in force */
export function checkBalanceRules(settings: ClusterSettings): void {
  const { shard, index } = factorsOf(settings);
  const sum = shard + index;
  if (!(sum > 0)) throw illegalArgument(`Balance factors must sum to a value > 0 but was: ${sum}`);
}

function factorsOf(settings: ClusterSettings): { readonly shard: number; readonly index: number } {
  return { shard: Number(settings[SHARD] ?? 0.45), index: Number(settings[INDEX] ?? 0.55) };
}
