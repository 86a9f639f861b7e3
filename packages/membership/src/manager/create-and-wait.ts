/**
 * Changes that bring a new index: made by the cluster manager, which then waits for its shards.
 */
import { isActive } from '@shoal/cluster';
import type { ClusterState } from '@shoal/cluster-state';
import type { CreateIndexAnswer } from '@shoal/protocol';
import { writeActiveShards } from '@shoal/schema';
import { type Change, change, type ManagerHandlersHost } from './manager-change.ts';
import { TASK_PRIORITY } from './manager-task-queue.ts';

export interface Creation extends Omit<Change, 'priority' | 'settle'> {
  /** Name of the new index. */
  readonly index: string;
  /** Copies of each shard that are waited for; null: as many as the settings of the index say. */
  readonly waitForActiveShards: number | 'all' | null;
}

export async function createAndWait(host: ManagerHandlersHost, creation: Creation): Promise<CreateIndexAnswer> {
  const { applier } = host;
  const { index, waitForActiveShards, timeouts } = creation;
  let uuid: string | null = null;
  const { acknowledged } = await change(host, {
    checkBlocks: creation.checkBlocks,
    source: creation.source,
    priority: TASK_PRIORITY.urgent,
    timeouts,
    update: (state) => {
      const next = creation.update(state);
      uuid = next.metadata.indices.get(index)?.uuid ?? null;
      return next;
    },
  });
  const hasActive = (state: ClusterState): boolean => {
    const metadata = state.metadata.indices.get(index);
    if (metadata === undefined || metadata.uuid !== uuid) {
      // Deleted in the meantime: there is nothing to wait for.
      return state.metadata.indexGraveyard.some((tombstone) => tombstone.uuid === uuid);
    }
    const asked = waitForActiveShards ?? writeActiveShards(metadata.settings);
    const wanted = asked === 'all' ? 1 + metadata.numberOfReplicas : asked;
    return (state.routing.indices.get(index) ?? []).every((copies) => copies.filter(isActive).length >= wanted);
  };
  const active = acknowledged ? await applier.waitFor(hasActive, timeouts.timeoutMs) : null;
  return { acknowledged, shardsAcknowledged: active !== null, index };
}
