/**
 * The index that `shrink` of a lifecycle policy makes of another one: its name, how many shards it has, and how it takes the
 * place of its source.
 *
 * Its name follows from its source alone, so that a cluster manager that takes over finds what the last one began.
 */
import { componentOf, dataStreamOf } from '@shoal/cluster';
import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import type { AliasChange, StreamIndexChange } from '@shoal/protocol';

const PREFIX = 'shrink-';
/** Characters of the name that tell the sources of one name apart. */
const MARK_LENGTH = 4;

export function shrunkenName({ name, uuid }: IndexMetadata): string {
  const mark = uuid
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, MARK_LENGTH);
  return `${PREFIX}${mark}-${name}`;
}

export function isShrunken({ name, settings }: IndexMetadata): boolean {
  return name.startsWith(PREFIX) && 'index.resize.source.name' in settings;
}

/** The least divisor of `shards`, by which a shard has `shardBytesMax` bytes at most; `shards` where there is no other. */
export function shrunkenShards(shards: number, bytes: number, shardBytesMax: number): number {
  const least = Math.max(1, Math.ceil(bytes / shardBytesMax));
  for (let count = least; count < shards; count++) if (shards % count === 0) return count;
  return shards;
}

/** Whether all its primaries have started. */
export function hasStarted({ routing }: ClusterState, name: string): boolean {
  const shards = routing.indices.get(name) ?? [];
  return shards.length > 0 && shards.every(([primary]) => primary?.state === 'STARTED');
}

/** What puts the new index in the place of its source, one update of the state at a time; `source`: that is all that is left to go. */
export type Replacement =
  | { readonly kind: 'source' }
  | { readonly kind: 'stream'; readonly changes: readonly StreamIndexChange[] }
  | { readonly kind: 'aliases'; readonly actions: readonly AliasChange[] };

/** The name of the source becomes an alias, unless a data stream has it: streams know their indices by themselves. */
export function replacementOf(state: ClusterState, source: IndexMetadata, shrunken: string): Replacement {
  // Whoever took the new one in may have ended before the old one was gone.
  if (dataStreamOf(state, shrunken) !== null) return { kind: 'source' };
  const found = dataStreamOf(state, source.name);
  if (found !== null) {
    const where = { stream: found.name, component: componentOf(found, source.name) };
    return {
      kind: 'stream',
      changes: [
        { kind: 'remove', ...where, index: source.name },
        { kind: 'add', ...where, index: shrunken },
      ],
    };
  }
  const plain = { filter: null, indexRouting: null, searchRouting: null, isWriteIndex: null, isHidden: null };
  const kept = [...source.aliases].map(
    ([alias, { name: _, ...how }]): AliasChange => ({ kind: 'add', index: shrunken, alias, ...how }),
  );
  return {
    kind: 'aliases',
    actions: [
      { kind: 'remove_index', index: source.name },
      { kind: 'add', index: shrunken, alias: source.name, ...plain },
      ...kept,
    ],
  };
}
