/**
 * Settings of the node that its shards depend on, and what the supervisor of shards asks of it.
 */
import type { IndexMetadata } from '@shoal/cluster-state';
import type { ShardRestore } from '@shoal/engine';
import type { ShardFolders } from '../folders/shard-folders.ts';
import type { ShardThreadsOptions } from '../worker/worker-pool.ts';

export interface ShardSupervisorOptions extends ShardThreadsOptions {
  readonly folders: ShardFolders;
  /** Where a shard of a restored index comes from; throws when it cannot be found out. */
  readonly restoreOf: (index: IndexMetadata, shard: number) => ShardRestore;
}
