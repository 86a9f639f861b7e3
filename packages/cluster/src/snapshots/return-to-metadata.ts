/**
 * The metadata of a cluster as it was before: for a node whose test goes back to where it began. Pure: the files of the shards that are
 * made anew lie where they are looked for already.
 *
 * An index that is made anew gets a new uuid, and with it a folder of its own: what closes the old copies and deletes their files
 * never meets what opens the new ones.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type ClusterState,
  GRAVEYARD_MAX,
  type IndexMetadata,
  type IndexRouting,
  type Metadata,
  type ShardRouting,
  withoutTargets,
} from '@shoal/cluster-state';
import { assert, ShoalError } from '@shoal/core';
import { assertIndexRouting } from '../allocation/routing-invariants.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';

/** Parts of the metadata that stay as they are, and indices, which are looked at one by one. */
const NOT_RETURNED_TO: readonly (keyof Metadata)[] = [
  'clusterUuid',
  'clusterUuidCommitted',
  'coordination',
  'indices',
  'indexGraveyard',
  'runningSnapshots',
];
const VERSIONS: readonly (keyof IndexMetadata)[] = ['version', 'mappingVersion', 'settingsVersion', 'aliasesVersion'];

/** An index whose primaries are opened from their folders. */
export interface ReopenedIndex {
  readonly uuid: string;
  /** By shard number. */
  readonly allocationIds: readonly string[];
}

export interface MetadataReturn {
  /** State whose metadata comes back. */
  readonly before: ClusterState;
  /** By name: indices of `before` that are opened again. The others are as they were, and stay open. */
  readonly reopened: ReadonlyMap<string, ReopenedIndex>;
  /** Node that has the folders. */
  readonly nodeId: string;
}

/**
 * @returns `state` itself when nothing differs
 * @throws illegal_state_exception while a snapshot is being made
 */
export function returnToMetadata(
  state: ClusterState,
  { before, reopened, nodeId }: MetadataReturn,
  context: MetadataContext,
): ClusterState {
  const now = state.metadata;
  if (now.runningSnapshots.length > 0) {
    throw new ShoalError('illegal_state_exception', 500, 'a snapshot into a repository is being made');
  }
  const indices = new Map<string, IndexMetadata>();
  const routing = new Map<string, IndexRouting>();
  for (const [name, index] of before.metadata.indices) {
    const copies = before.routing.indices.get(name);
    assert(copies !== undefined, `[${name}] has no routing`);
    const again = reopened.get(name);
    if (again === undefined) {
      indices.set(name, unchanged(now.indices.get(name), index));
      routing.set(name, state.routing.indices.get(name) ?? copies);
      continue;
    }
    const opened = openedAgain(index, again, now.indices.get(name)?.version ?? 0);
    const placed = placedAgain(opened, copies, { again, nodeId, nowMs: context.nowMs });
    assertIndexRouting(opened, placed, []);
    indices.set(name, opened);
    routing.set(name, placed);
  }
  if (reopened.size === 0 && isAsBefore(state, before)) return state;
  const alive = new Set([...indices.values()].map((index) => index.uuid));
  const tombstones = [...now.indices.values()]
    .filter((index) => !alive.has(index.uuid))
    .map((index) => ({ index: index.name, uuid: index.uuid, deletedAtMs: context.nowMs }));
  return {
    ...state,
    metadata: {
      ...before.metadata,
      clusterUuid: now.clusterUuid,
      clusterUuidCommitted: now.clusterUuidCommitted,
      coordination: now.coordination,
      runningSnapshots: [],
      indices,
      indexGraveyard: [...now.indexGraveyard, ...tombstones].slice(-GRAVEYARD_MAX),
    },
    routing: { version: state.routing.version + 1, indices: routing },
    blocks: { ...state.blocks, indices: before.blocks.indices },
  };
}

/** Whether all that is returned to is there already. Parts that were made again, with the same in them, count as others. */
function isAsBefore(now: ClusterState, before: ClusterState): boolean {
  const indices = [...before.metadata.indices.values()];
  return (
    isSame(now.metadata, before.metadata, NOT_RETURNED_TO) &&
    now.metadata.indices.size === indices.length &&
    indices.every((index) => isSame(now.metadata.indices.get(index.name) ?? {}, index, VERSIONS)) &&
    isDeepStrictEqual(now.blocks.indices, before.blocks.indices)
  );
}

function isSame<T extends object>(now: Partial<T>, before: T, ignored: readonly (keyof T)[]): boolean {
  const keys = Object.keys({ ...now, ...before }) as (keyof T)[]; // The spread has the keys of both, and no others.
  return now === before || keys.every((key) => now[key] === before[key] || ignored.includes(key));
}

/** Versions only grow: shards take over the metadata that is newer than theirs. */
function unchanged(now: IndexMetadata | undefined, before: IndexMetadata): IndexMetadata {
  if (now === before || now === undefined) return before;
  const next = (of: (index: IndexMetadata) => number): number => Math.max(of(now), of(before)) + 1;
  return {
    ...before,
    version: next((index) => index.version),
    mappingVersion: next((index) => index.mappingVersion),
    settingsVersion: next((index) => index.settingsVersion),
    aliasesVersion: next((index) => index.aliasesVersion),
  };
}

function openedAgain(index: IndexMetadata, { uuid, allocationIds }: ReopenedIndex, versionNow: number): IndexMetadata {
  return {
    ...index,
    uuid,
    version: Math.max(index.version, versionNow) + 1,
    settings: { ...index.settings, 'index.uuid': uuid },
    inSyncAllocations: allocationIds.map((id) => [id]),
  };
}

/** Nothing is on the move in an index that opens again. */
const STAYS = { state: 'STARTED', relocatingNodeId: null } as const;

function placedAgain(
  index: IndexMetadata,
  copies: IndexRouting,
  { again, nodeId, nowMs }: { readonly again: ReopenedIndex; readonly nodeId: string; readonly nowMs: number },
): IndexRouting {
  return copies.map((ofShard, shard) =>
    withoutTargets(ofShard).map((copy): ShardRouting => {
      const allocationId = again.allocationIds[shard];
      assert(allocationId !== undefined, `[${index.name}][${shard}] is opened again under no id`);
      if (!copy.isPrimary) return { ...copy, ...(copy.state === 'RELOCATING' ? STAYS : {}), indexUuid: index.uuid };
      return {
        ...copy,
        indexUuid: index.uuid,
        state: 'INITIALIZING',
        nodeId,
        relocatingNodeId: null,
        allocationId,
        recoverySource: 'EXISTING_STORE',
        unassigned: {
          reason: 'EXISTING_INDEX_RESTORED',
          atMs: nowMs,
          failedAllocations: 0,
          details: null,
          allocationStatus: 'no_attempt',
          lastNodeId: nodeId,
        },
      };
    }),
  );
}
