/**
 * Repositories and snapshots on a node: what it does as cluster manager, and for the shards that it holds.
 */
import type { ManagingClusterService } from '@shoal/membership';
import type { Runtime } from '@shoal/runtime';
import type { ShardRequests } from '../handlers/shard-requests.ts';
import { RepositoryLocks } from '../repository/repository-locks.ts';
import { registerCloneHandler } from './clone-service.ts';
import { registerRepositoryHandlers } from './repository-service.ts';
import { registerRestoreHandler } from './restore-service.ts';
import { RunningSnapshots } from './running-snapshots.ts';
import { registerShardCopies } from './shard-copies.ts';
import { registerSnapshotHandlers } from './snapshot-service.ts';
import { registerStatusHandler } from './snapshot-status.ts';

export interface SnapshotServices {
  readonly runtime: Runtime;
  readonly cluster: ManagingClusterService;
  /** `path.repo`. */
  readonly repoPaths: readonly string[];
  readonly requests: ShardRequests;
}

/** @returns called before the shards of the node close */
export function registerSnapshotServices({ runtime, cluster, repoPaths, requests }: SnapshotServices): () => void {
  const context = { runtime, cluster, repoPaths, locks: new RepositoryLocks() };
  const running = new RunningSnapshots(context);
  registerRepositoryHandlers(context);
  registerShardCopies(context, requests);
  registerSnapshotHandlers(context, running);
  registerStatusHandler(context, running);
  registerRestoreHandler(context);
  registerCloneHandler(context);
  return () => running.close();
}
