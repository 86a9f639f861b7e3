/**
 * Where the shards of restored indices come from on this node.
 */
import { requireRepository } from '@shoal/cluster';
import type { IndexMetadata } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import type { ShardRestore } from '@shoal/engine';
import type { ClusterService } from '@shoal/membership';
import type { Runtime } from '@shoal/runtime';
import { RepositoryFolder } from '../repository/repository-folder.ts';
import { fsRepository } from '../repository/repository-settings.ts';

export interface RestoreSources {
  readonly runtime: Runtime;
  readonly cluster: ClusterService;
  /** `path.repo`. */
  readonly repoPaths: readonly string[];
}

/** @throws repository_missing_exception, repository_exception */
export function restoreSource(
  { runtime, cluster, repoPaths }: RestoreSources,
  index: IndexMetadata,
  shard: number,
): ShardRestore {
  const { restoredFrom } = index;
  assert(restoredFrom !== null, `[${index.name}][${shard}] is to be restored from no snapshot`);
  const metadata = requireRepository(cluster.state(), restoredFrom.repository);
  const { name, path, restoreBytesPerSecond } = fsRepository(metadata, repoPaths);
  const folder = new RepositoryFolder(runtime.disk, name, path).shardFolder(restoredFrom.indexId, shard);
  return { folder, snapshotUuid: restoredFrom.snapshotUuid, bytesPerSecond: restoreBytesPerSecond };
}
