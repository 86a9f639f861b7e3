/**
 * Which snapshots of a repository a list of names means: those that are there, and those that are being made.
 */
import { snapshotMissing } from '@shoal/cluster';
import type { ClusterState, RunningSnapshot } from '@shoal/cluster-state';
import { simpleMatch } from '@shoal/core';
import type { IndexedSnapshot, RepositoryIndex } from '../repository/repository-index.ts';

export interface FoundSnapshots {
  readonly complete: readonly IndexedSnapshot[];
  readonly running: readonly RunningSnapshot[];
}

const CURRENT = '_current';
const ALL: readonly string[] = ['_all', '*'];

/** Snapshots that are being made in a repository; not those that are given up. */
export function runningIn(state: ClusterState, repository: string): readonly RunningSnapshot[] {
  return state.metadata.runningSnapshots.filter((running) => running.repository === repository && !running.isAborted);
}

/**
 * @param names names, patterns, `_all` and `_current`; none: all
 * @throws snapshot_missing_exception for a name that nothing has, and when nothing is found, unless `ignoresUnavailable`
 */
export function findSnapshots(
  index: RepositoryIndex,
  running: readonly RunningSnapshot[],
  {
    repository,
    names,
    ignoresUnavailable,
  }: {
    readonly repository: string;
    readonly names: readonly string[];
    readonly ignoresUnavailable: boolean;
  },
): FoundSnapshots {
  // One that is just over may stand in both.
  const complete = new Set(index.snapshots.map(({ uuid }) => uuid));
  const unfinished = running.filter(({ uuid }) => !complete.has(uuid));
  if (names.length === 0 || (names.length === 1 && ALL.includes(names[0] ?? ''))) {
    return { complete: index.snapshots, running: unfinished };
  }
  for (const name of names) {
    const isThere = [...index.snapshots, ...unfinished].some((snapshot) => snapshot.name === name);
    if (!isThere && !ignoresUnavailable && name !== CURRENT && !isPattern(name))
      throw snapshotMissing(repository, name);
  }
  const isMeant = (snapshot: string): boolean =>
    names.some(
      (name) => name === snapshot || (isPattern(name) && simpleMatch(ALL.includes(name) ? '*' : name, snapshot)),
    );
  const found = {
    complete: index.snapshots.filter(({ name }) => isMeant(name)),
    running: unfinished.filter(({ name }) => names.includes(CURRENT) || isMeant(name)),
  };
  const isNone = found.complete.length + found.running.length === 0;
  if (isNone && !ignoresUnavailable && names.some((name) => name !== CURRENT)) {
    throw snapshotMissing(repository, names[0] ?? '');
  }
  return found;
}

function isPattern(name: string): boolean {
  return name.includes('*') || ALL.includes(name);
}
