/**
 * Index of a repository: which snapshots it has, and in which folders their indices lie. One file, replaced as a whole: what it does
 * not name is not there, whatever else lies in the folder.
 */

import { isRepositoryId } from '@shoal/cluster-state';
import { type ItemReader, ValueReader } from '@shoal/core';
import { SNAPSHOT_STATES, type SnapshotState } from '@shoal/protocol';

export interface IndexedSnapshot {
  readonly name: string;
  readonly uuid: string;
  readonly state: SnapshotState;
  readonly startMs: number;
}

/** An index of one or more snapshots. */
export interface IndexedIndex {
  readonly name: string;
  /** Its folder. */
  readonly id: string;
  /** UUIDs; never empty. */
  readonly snapshots: readonly string[];
}

export interface RepositoryIndex {
  /** Number of the file; 0: there is none yet. */
  readonly generation: number;
  readonly snapshots: readonly IndexedSnapshot[];
  readonly indices: readonly IndexedIndex[];
}

export const EMPTY_INDEX: RepositoryIndex = { generation: 0, snapshots: [], indices: [] };
const SNAPSHOTS_MAX = 100_000;
const INDICES_MAX = 1_000_000;

/** The index with one more snapshot. @param indices name and folder of each of its indices */
export function withSnapshot(
  index: RepositoryIndex,
  snapshot: IndexedSnapshot,
  indices: readonly { readonly name: string; readonly id: string }[],
): RepositoryIndex {
  const ids = new Map(indices.map((added) => [added.id, added.name]));
  const known = index.indices.map((entry) =>
    ids.has(entry.id) ? { ...entry, snapshots: [...entry.snapshots, snapshot.uuid] } : entry,
  );
  const before = new Set(index.indices.map(({ id }) => id));
  const added = indices.filter(({ id }) => !before.has(id));
  return {
    generation: index.generation,
    snapshots: [...index.snapshots, snapshot],
    indices: [...known, ...added.map(({ name, id }) => ({ name, id, snapshots: [snapshot.uuid] }))],
  };
}

export function withoutSnapshots(index: RepositoryIndex, uuids: ReadonlySet<string>): RepositoryIndex {
  return {
    generation: index.generation,
    snapshots: index.snapshots.filter(({ uuid }) => !uuids.has(uuid)),
    indices: index.indices
      .map((entry) => ({ ...entry, snapshots: entry.snapshots.filter((uuid) => !uuids.has(uuid)) }))
      .filter(({ snapshots }) => snapshots.length > 0),
  };
}

/** Folder that the next snapshot of an index of this name uses; null: a new one. */
export function folderForIndex(index: RepositoryIndex, name: string): string | null {
  return index.indices.findLast((entry) => entry.name === name)?.id ?? null;
}

/** Indices of a snapshot. */
export function indicesOf(index: RepositoryIndex, uuid: string): readonly IndexedIndex[] {
  return index.indices.filter(({ snapshots }) => snapshots.includes(uuid));
}

export function writeRepositoryIndex({ snapshots, indices }: RepositoryIndex): Record<string, unknown> {
  return { snapshots, indices };
}

const readId: ItemReader<string> = (value, field) => {
  const text = ValueReader.asString(value, field);
  return isRepositoryId(text) ? text : new ValueReader({ [field]: value }).refuse(field, 'an id');
};

const readSnapshot: ItemReader<IndexedSnapshot> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    name: r.string('name'),
    uuid: readId(r.raw('uuid'), 'uuid'),
    state: r.oneOf('state', SNAPSHOT_STATES),
    startMs: r.integer('startMs', 0, Number.MAX_SAFE_INTEGER),
  };
};

const readIndex: ItemReader<IndexedIndex> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    name: r.string('name'),
    id: readId(r.raw('id'), 'id'),
    snapshots: r.list('snapshots', readId, SNAPSHOTS_MAX),
  };
};

export function readRepositoryIndex(value: unknown, generation: number): RepositoryIndex {
  const r = ValueReader.of(value, 'index');
  return {
    generation,
    snapshots: r.list('snapshots', readSnapshot, SNAPSHOTS_MAX),
    indices: r.list('indices', readIndex, INDICES_MAX),
  };
}
