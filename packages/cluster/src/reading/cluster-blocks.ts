/**
 * Blocks: what the cluster, or an index, refuses at the moment, and the error that says so.
 */

import { type BlockLevel, type ClusterBlock, type ClusterState, withEntries } from '@shoal/cluster-state';
import { ShoalError } from '@shoal/core';
import { typedIndexSettings } from '@shoal/schema';

const ALL_LEVELS: readonly BlockLevel[] = ['read', 'write', 'metadata_read', 'metadata_write'];

/** Numbers of blocks, those of Elasticsearch. */
export const BLOCK_ID = {
  stateNotRecovered: 1,
  noManager: 2,
  indexClosed: 4,
  indexReadOnly: 5,
  clusterReadOnly: 6,
  indexRead: 7,
  indexWrite: 8,
  indexMetadata: 9,
  indexReadOnlyAllowDelete: 12,
  clusterReadOnlyAllowDelete: 13,
} as const;

/** Block until a first cluster manager is elected: nothing is known of the cluster's data. */
export const STATE_NOT_RECOVERED_BLOCK: ClusterBlock = {
  id: BLOCK_ID.stateNotRecovered,
  description: 'state not recovered / initialized',
  status: 503,
  levels: ALL_LEVELS,
};

/** Blocks that end by themselves: what they refuse may be tried again. */
const RETRYABLE_BLOCK_IDS: ReadonlySet<number> = new Set([BLOCK_ID.stateNotRecovered, BLOCK_ID.noManager]);

/** True when nobody has to lift the block. */
export function isRetryableBlock(block: ClusterBlock): boolean {
  return RETRYABLE_BLOCK_IDS.has(block.id);
}

const RETRYABLE_STATUS = 429;

/** Operations that a node without a cluster manager refuses, by `cluster.no_master_block`. */
export type NoManagerMode = 'metadata_write' | 'write' | 'all';

export function noManagerBlock(mode: NoManagerMode): ClusterBlock {
  const levels: readonly BlockLevel[] =
    mode === 'all' ? ALL_LEVELS : mode === 'write' ? ['write', 'metadata_write'] : ['metadata_write'];
  return { id: BLOCK_ID.noManager, description: 'no master', status: 503, levels };
}

const INDEX_CLOSED_BLOCK: ClusterBlock = {
  id: BLOCK_ID.indexClosed,
  description: 'index closed',
  status: 403,
  levels: ['read', 'write'],
};

/** The state as a node without a cluster manager has it. */
export function withoutManager(state: ClusterState, mode: NoManagerMode): ClusterState {
  const others = state.blocks.global.filter((block) => block.id !== BLOCK_ID.noManager);
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
  if (typed.isReadOnly) add(BLOCK_ID.indexReadOnly, 'index read-only (api)', 403, ['write', 'metadata_write']);
  if (typed.isReadBlocked) add(BLOCK_ID.indexRead, 'index read (api)', 403, ['read']);
  if (typed.isWriteBlocked) add(BLOCK_ID.indexWrite, 'index write (api)', 403, ['write']);
  if (typed.isMetadataBlocked)
    add(BLOCK_ID.indexMetadata, 'index metadata (api)', 403, ['metadata_read', 'metadata_write']);
  if (typed.isReadOnlyAllowDelete) {
    add(
      BLOCK_ID.indexReadOnlyAllowDelete,
      'disk usage exceeded flood-stage watermark, index has read-only-allow-delete block',
      429,
      ['write', 'metadata_write'],
    );
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
  if (global.length > 0) return blockError(global, '');
  for (const index of indices) {
    const error = findIndexBlock(state, level, index);
    if (error !== null) return error;
  }
  return null;
}

/** Like `findBlock`, of the index alone: whatever the cluster as a whole refuses is somebody else's matter. */
export function findIndexBlock(state: ClusterState, level: BlockLevel, index: string): ShoalError | null {
  const blocks = (state.blocks.indices.get(index) ?? []).filter((block) => block.levels.includes(level));
  return blocks.length > 0 ? blockError(blocks, `index [${index}] `) : null;
}

/**
 * Checks that none of the indices, which the request needs all, refuses `level`.
 *
 * @throws cluster_block_exception that names every blocked index, the blocks of the cluster among its own
 */
export function checkIndexBlocks(state: ClusterState, level: BlockLevel, indices: readonly string[]): void {
  const error = indicesBlockError(state, indices, (block) => block.levels.includes(level));
  if (error !== null) throw error;
}

/** The error of a request that needs all these indices; null when no block of them, or of the cluster, refuses. */
export function indicesBlockError(
  state: ClusterState,
  indices: readonly string[],
  refuses: (block: ClusterBlock) => boolean,
): ShoalError | null {
  const global = state.blocks.global.filter(refuses);
  const blocked = indices
    .map((index) => ({ index, blocks: [...global, ...(state.blocks.indices.get(index) ?? []).filter(refuses)] }))
    .filter(({ blocks }) => blocks.length > 0);
  if (blocked.length === 0) return null;
  const reason = blocked.map(({ index, blocks }) => `index [${index}] ${listed(blocks)}`).join('');
  return refusal(
    blocked.flatMap(({ blocks }) => blocks),
    reason,
  );
}

/** The error of blocks of one index, or of the cluster when `subject` is empty. */
export function blockError(blocks: readonly ClusterBlock[], subject: string): ShoalError {
  return refusal(blocks, `${subject}${listed(blocks)}`);
}

function listed(blocks: readonly ClusterBlock[]): string {
  const texts = blocks.map((block) => `${statusName(block.status)}/${block.id}/${block.description}`);
  return `blocked by: [${texts.join(', ')}];`;
}

function refusal(blocks: readonly ClusterBlock[], reason: string): ShoalError {
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
