/**
 * What every service of repositories and snapshots works with.
 */
import { requireRepository } from '@shoal/cluster';
import type { ClusterState, RepositoryMetadata } from '@shoal/cluster-state';
import { masterNotDiscovered, ShoalError } from '@shoal/core';
import type { ManagingClusterService } from '@shoal/membership';
import type { Runtime } from '@shoal/runtime';
import { RepositoryFolder } from '../repository/repository-folder.ts';
import type { RepositoryLocks } from '../repository/repository-locks.ts';
import { type FsRepository, fsRepository } from '../repository/repository-settings.ts';

export interface SnapshotContext {
  readonly runtime: Runtime;
  readonly cluster: ManagingClusterService;
  /** `path.repo` of this node. */
  readonly repoPaths: readonly string[];
  readonly locks: RepositoryLocks;
}

export interface OpenRepository extends FsRepository {
  readonly folder: RepositoryFolder;
}

export function isManager({ cluster }: SnapshotContext, state: ClusterState = cluster.state()): boolean {
  return state.clusterManagerId === cluster.localNode.id;
}

/** @throws not_master_exception, on which the asker looks for the node that is */
export function requireManager(context: SnapshotContext): void {
  if (isManager(context)) return;
  if (context.cluster.state().clusterManagerId === null) throw masterNotDiscovered();
  throw new ShoalError(
    'not_master_exception',
    503,
    `node [${context.cluster.localNode.id}] is not the elected cluster manager`,
  );
}

/** @throws repository_missing_exception, repository_exception */
export function openRepository(context: SnapshotContext, name: string): OpenRepository {
  return openedRepository(context, requireRepository(context.cluster.state(), name));
}

export function openedRepository(
  { runtime, repoPaths }: SnapshotContext,
  metadata: RepositoryMetadata,
): OpenRepository {
  const repository = fsRepository(metadata, repoPaths);
  return { ...repository, folder: new RepositoryFolder(runtime.disk, repository.name, repository.path) };
}
