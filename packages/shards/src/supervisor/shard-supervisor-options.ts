/**
 * Settings of the node that its shards depend on, and what the supervisor of shards asks of it.
 */
import type { IndexMetadata } from '@shoal/cluster-state';
import type { ShardRestore } from '@shoal/engine';
import type { WorkerProgram } from '@shoal/runtime';
import type { ParentBreakerSettings } from '../calls/parent-limit.ts';
import type { ShardFolders } from '../folders/shard-folders.ts';

export interface ShardSupervisorOptions {
  readonly folders: ShardFolders;
  readonly workerCount: number;
  /** `indices.memory.bytes`. */
  readonly memoryBytesMax: number;
  /** `indices.requests.cache.size`. */
  readonly requestCacheBytesMax: number;
  /** `indices.breaker.request.limit`. */
  readonly requestBytesMax: number;
  /** `indices.breaker.total.*`. */
  readonly parent: ParentBreakerSettings;
  /** `node.worker.silent_limit`, in milliseconds; -1: none. */
  readonly silentMsMax: number;
  /** Every search shows what was written before it. */
  readonly refreshesBeforeSearch: boolean;
  /** Runs where workers have no thread of their own; null where they have. */
  readonly program: WorkerProgram | null;
  /** Where a shard of a restored index comes from; throws when it cannot be found out. */
  readonly restoreOf: (index: IndexMetadata, shard: number) => ShardRestore;
}
