/**
 * Requests that need the cluster's data but no cluster manager are refused while this node has not learnt it yet.
 */
import { ShoalError } from '@shoal/core';
import type { ClusterState } from '@shoal/protocol';

const STATE_NOT_RECOVERED_ID = 1;

/** @throws cluster_block_exception (503) while the state is not recovered */
export function blockIfNotRecovered(state: ClusterState): ClusterState {
  const block = state.blocks.global.find(({ id }) => id === STATE_NOT_RECOVERED_ID);
  if (block === undefined) return state;
  const reason = `blocked by: [SERVICE_UNAVAILABLE/${block.id}/${block.description}];`;
  throw new ShoalError('cluster_block_exception', block.status, reason);
}
