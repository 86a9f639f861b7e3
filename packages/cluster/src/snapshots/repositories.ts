/**
 * Repositories in the cluster state: registered and forgotten. What is in their folders is none of the state's business.
 */

import { type ClusterState, REPOSITORIES_MAX, type RepositoryMetadata, withEntries } from '@shoal/cluster-state';
import { matchesAny, ShoalError } from '@shoal/core';
import { FORBIDDEN, FORBIDDEN_SHOWN, NAME_BYTES_MAX } from '../declarations/resource-name.ts';
import { repositoryException, repositoryMissing } from './snapshot-errors.ts';

/** @throws repository_missing_exception */
export function requireRepository(state: ClusterState, name: string): RepositoryMetadata {
  const repository = state.metadata.repositories.get(name);
  if (repository === undefined) throw repositoryMissing(name);
  return repository;
}

/** Registers a repository, or replaces what is known of it. */
export function putRepository(state: ClusterState, repository: RepositoryMetadata): ClusterState {
  const { name } = repository;
  checkRepositoryName(name);
  const { metadata } = state;
  const before = metadata.repositories.get(name);
  if (before !== undefined && isSame(before, repository)) return state;
  if (before !== undefined) checkUnused(state, name);
  if (before === undefined && metadata.repositories.size >= REPOSITORIES_MAX) {
    throw repositoryException(name, `there are [${REPOSITORIES_MAX}] repositories already`);
  }
  return withRepositories(state, [[name, repository]]);
}

/**
 * Forgets repositories; their snapshots stay where they are.
 *
 * @param patterns names and patterns of names
 */
export function deleteRepositories(state: ClusterState, patterns: readonly string[]): ClusterState {
  const gone = new Set<string>();
  for (const pattern of patterns) {
    const found = [...state.metadata.repositories.keys()].filter((name) => matchesAny([pattern], name));
    if (found.length === 0 && !pattern.includes('*')) throw repositoryMissing(pattern);
    for (const name of found) gone.add(name);
  }
  for (const name of gone) checkUnused(state, name);
  return gone.size === 0
    ? state
    : withRepositories(
        state,
        [...gone].map((name) => [name, null] as const),
      );
}

function withRepositories(
  state: ClusterState,
  changes: readonly (readonly [string, RepositoryMetadata | null])[],
): ClusterState {
  const { metadata } = state;
  return { ...state, metadata: { ...metadata, repositories: withEntries(metadata.repositories, changes) } };
}

function isSame(a: RepositoryMetadata, b: RepositoryMetadata): boolean {
  const names = Object.keys(a.settings);
  return (
    a.type === b.type &&
    names.length === Object.keys(b.settings).length &&
    names.every((name) => a.settings[name] === b.settings[name])
  );
}

/** A snapshot is being made in the repository, or shards are being restored from it. */
function checkUnused(state: ClusterState, name: string): void {
  const { runningSnapshots, indices } = state.metadata;
  const isWritten = runningSnapshots.some(({ repository }) => repository === name);
  const isRead = [...indices.values()].some(
    (index) =>
      index.restoredFrom?.repository === name &&
      (state.routing.indices.get(index.name) ?? []).some((copies) => copies[0]?.recoverySource === 'SNAPSHOT'),
  );
  if (!isWritten && !isRead) return;
  throw new ShoalError(
    'illegal_state_exception',
    500,
    'trying to modify or unregister repository that is currently used',
  );
}

function checkRepositoryName(name: string): void {
  if (name === '') throw repositoryException(name, 'cannot be empty');
  if (name.includes('#')) throw repositoryException(name, "must not contain '#'");
  if (FORBIDDEN.some((character) => name.includes(character))) {
    throw repositoryException(name, `must not contain the following characters ${FORBIDDEN_SHOWN}`);
  }
  if (Buffer.byteLength(name) > NAME_BYTES_MAX)
    throw repositoryException(name, `is longer than ${NAME_BYTES_MAX} bytes`);
}
