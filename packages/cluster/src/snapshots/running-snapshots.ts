/**
 * Snapshots that are being made, in the cluster state: begun, aborted, over.
 */

import { type ClusterState, RUNNING_SNAPSHOTS_MAX, type RunningSnapshot } from '@shoal/cluster-state';
import { ShoalError } from '@shoal/core';
import { FORBIDDEN, FORBIDDEN_SHOWN, NAME_BYTES_MAX } from '../declarations/resource-name.ts';
import { requireIndex } from '../metadata/index-update.ts';
import { requireRepository } from './repositories.ts';
import { concurrentSnapshots, invalidSnapshotName } from './snapshot-errors.ts';

/** Begins a snapshot; without an effect when it has begun already. */
export function beginSnapshot(state: ClusterState, snapshot: RunningSnapshot): ClusterState {
  const { repository, name, uuid } = snapshot;
  const { runningSnapshots } = state.metadata;
  requireRepository(state, repository);
  const same = runningSnapshots.find((other) => other.repository === repository && other.name === name);
  if (same !== undefined && same.uuid === uuid) return state;
  if (same !== undefined)
    throw invalidSnapshotName(repository, name, 'snapshot with the same name is already in-progress');
  if (runningSnapshots.length >= RUNNING_SNAPSHOTS_MAX) {
    throw concurrentSnapshots(
      repository,
      name,
      `Cannot start another operation, already running [${runningSnapshots.length}] operations and the current limit for concurrent snapshot operations is set to [${RUNNING_SNAPSHOTS_MAX}]`,
    );
  }
  for (const index of snapshot.indices) requireIndex(state, index);
  if (!snapshot.isPartial) checkPrimaries(state, snapshot);
  return withSnapshots(state, [...runningSnapshots, snapshot]);
}

/** The snapshots end without a trace. */
export function abortSnapshots(state: ClusterState, uuids: ReadonlySet<string>): ClusterState {
  const { runningSnapshots } = state.metadata;
  if (!runningSnapshots.some(({ uuid, isAborted }) => uuids.has(uuid) && !isAborted)) return state;
  return withSnapshots(
    state,
    runningSnapshots.map((snapshot) => (uuids.has(snapshot.uuid) ? { ...snapshot, isAborted: true } : snapshot)),
  );
}

/** The snapshot is whole in its repository, or given up. */
export function endSnapshot(state: ClusterState, uuid: string): ClusterState {
  const { runningSnapshots } = state.metadata;
  const rest = runningSnapshots.filter((snapshot) => snapshot.uuid !== uuid);
  return rest.length === runningSnapshots.length ? state : withSnapshots(state, rest);
}

/** @throws invalid_snapshot_name_exception */
export function checkSnapshotName(repository: string, name: string): void {
  const why = whyInvalid(name);
  if (why !== null) throw invalidSnapshotName(repository, name, why);
}

function whyInvalid(name: string): string | null {
  if (name === '') return 'cannot be empty';
  if (name.includes(' ')) return 'must not contain whitespace';
  if (name.includes(',')) return "must not contain ','";
  if (name.includes('#')) return "must not contain '#'";
  if (name.startsWith('_')) return "must not start with '_'";
  if (name !== name.toLowerCase()) return 'must be lowercase';
  if (FORBIDDEN.some((character) => name.includes(character))) {
    return `must not contain the following characters ${FORBIDDEN_SHOWN}`;
  }
  return Buffer.byteLength(name) > NAME_BYTES_MAX ? `must not be longer than ${NAME_BYTES_MAX} bytes` : null;
}

function checkPrimaries(state: ClusterState, { repository, name, indices }: RunningSnapshot): void {
  const missing = indices.filter((index) =>
    (state.routing.indices.get(index) ?? []).some((copies) => (copies[0]?.nodeId ?? null) === null),
  );
  if (missing.length === 0) return;
  throw new ShoalError(
    'snapshot_exception',
    500,
    `[${repository}:${name}] Indices don't have primary shards [${missing.join(', ')}]`,
  );
}

function withSnapshots(state: ClusterState, runningSnapshots: readonly RunningSnapshot[]): ClusterState {
  return { ...state, metadata: { ...state.metadata, runningSnapshots } };
}
