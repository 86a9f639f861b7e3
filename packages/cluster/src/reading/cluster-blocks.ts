/**
 * Blocks: what the cluster, or an index, refuses at the moment, and the error that says so.
 */
import { ShoalError } from '@shoal/core';
import { type BlockLevel, type ClusterBlock, type ClusterState, withEntries } from '@shoal/protocol';
import { typedIndexSettings } from '@shoal/schema';

const ALL_LEVELS: readonly BlockLevel[] = ['read', 'write', 'metadata_read', 'metadata_write'];

/** Block until a first cluster manager is elected: nothing is known of the cluster's data. */
export const STATE_NOT_RECOVERED_BLOCK: ClusterBlock = {
  id: 1,
  description: 'state not recovered / initialized',
  status: 503,
  levels: ALL_LEVELS,
};

const NO_MANAGER_ID = 2;
const RETRYABLE_STATUS = 429;

/** Operations that a node without a cluster manager refuses, by `cluster.no_master_block`. */
export type NoManagerMode = 'metadata_write' | 'write' | 'all';

export function noManagerBlock(mode: NoManagerMode): ClusterBlock {
  const levels: readonly BlockLevel[] =
    mode === 'all' ? ALL_LEVELS : mode === 'write' ? ['write', 'metadata_write'] : ['metadata_write'];
  return { id: NO_MANAGER_ID, description: 'no master', status: 503, levels };
}

const INDEX_CLOSED_BLOCK: ClusterBlock = { id: 4, description: 'index closed', status: 403, levels: ['read', 'write'] };

/** The state as a node without a cluster manager has it. */
export function withoutManager(state: ClusterState, mode: NoManagerMode): ClusterState {
  const others = state.blocks.global.filter((block) => block.id !== NO_MANAGER_ID);
  return {
    ...state,
    clusterManagerId: null,
    blocks: { ...state.blocks, global: [...others, noManagerBlock(mode)] },
  };
}

/** Blocks that an index has for its settings and its state. */
export function blocksOfIndex(settings: Readonly<Record<string, string>>, isClosed: boolean): readonly ClusterBlock[] {
  const typed = typedIndexSettings(settings);
  const blocks: ClusterBlock[] = [];
  const add = (id: number, description: string, status: number, levels: readonly BlockLevel[]): void => {
    blocks.push({ id, description, status, levels });
  };
  if (isClosed) blocks.push(INDEX_CLOSED_BLOCK);
  if (typed.isReadOnly) add(5, 'index read-only (api)', 403, ['write', 'metadata_write']);
  if (typed.isReadBlocked) add(7, 'index read (api)', 403, ['read']);
  if (typed.isWriteBlocked) add(8, 'index write (api)', 403, ['write']);
  if (typed.isMetadataBlocked) add(9, 'index metadata (api)', 403, ['metadata_read', 'metadata_write']);
  if (typed.isReadOnlyAllowDelete) {
    add(12, 'disk usage exceeded flood-stage watermark, index has read-only-allow-delete block', 429, [
      'write',
      'metadata_write',
    ]);
  }
  return blocks;
}

/** The state with the blocks of these indices replaced (null: the index is gone). */
export function withIndexBlocks(
  state: ClusterState,
  changes: Iterable<readonly [string, readonly ClusterBlock[] | null]>,
): ClusterState {
  const wanted = [...changes].map(
    ([index, blocks]) => [index, blocks === null || blocks.length === 0 ? null : blocks] as const,
  );
  const effective = wanted.filter(([index, blocks]) => blocks !== null || state.blocks.indices.has(index));
  if (effective.length === 0) return state;
  return { ...state, blocks: { ...state.blocks, indices: withEntries(state.blocks.indices, effective) } };
}

/**
 * Throws `cluster_block_exception` when the cluster, or one of the indices, refuses `level`.
 *
 * @param indices concrete names that the request touches; empty: only what concerns the whole cluster
 */
export function checkBlock(state: ClusterState, level: BlockLevel, indices: readonly string[]): void {
  const error = findBlock(state, level, indices);
  if (error !== null) throw error;
}

/** Like `checkBlock`, as a value: for a bulk, where each item fails by itself. */
export function findBlock(state: ClusterState, level: BlockLevel, indices: readonly string[]): ShoalError | null {
  const ofLevel = (blocks: readonly ClusterBlock[]): readonly ClusterBlock[] =>
    blocks.filter((block) => block.levels.includes(level));
  const global = ofLevel(state.blocks.global);
  if (global.length > 0) return blockError(global, `blocked by: ${listed(global)}`);
  for (const index of indices) {
    const blocks = ofLevel(state.blocks.indices.get(index) ?? []);
    if (blocks.length > 0) {
      return blockError(blocks, `index [${index}] blocked by: ${listed(blocks)}`);
    }
  }
  return null;
}

function listed(blocks: readonly ClusterBlock[]): string {
  return blocks.map((block) => `[${statusName(block.status)}/${block.id}/${block.description}];`).join('');
}

function blockError(blocks: readonly ClusterBlock[], reason: string): ShoalError {
  // A client may retry a 429: it is only told so when every block is of that kind.
  const lasting = blocks.map((block) => block.status).filter((status) => status !== RETRYABLE_STATUS);
  const status = lasting.length === 0 ? RETRYABLE_STATUS : Math.max(...lasting);
  return new ShoalError('cluster_block_exception', status, reason);
}

function statusName(status: number): string {
  switch (status) {
    case 503:
      return 'SERVICE_UNAVAILABLE';
    case 429:
      return 'TOO_MANY_REQUESTS';
    default:
      return 'FORBIDDEN';
  }
}
