/**
 * Ids of scrolls and points in time: where their readers are, in the id itself, so that any node can continue them.
 *
 * Clients treat an id as opaque text and may send back anything: it is read as input from outside.
 */

import type { ClusterState } from '@shoal/cluster-state';
import { type ItemReader, illegalArgument, isShoalError, parseJson, ValueReader, writeJsonText } from '@shoal/core';
import type { ShardId } from '@shoal/shard-api';
import type { SearchTarget } from './search-targets.ts';

export type ContextIdKind = 'scroll' | 'pit';

/** A reader that a shard keeps open for us. */
export interface HeldContext {
  readonly shard: ShardId;
  readonly nodeId: string;
  readonly allocationId: string;
  readonly contextId: number;
}

/** What an id holds beside the readers. */
export interface ContextIdContent {
  readonly held: readonly HeldContext[];
  /** Alias filters of a point in time, as query JSON, by index; empty for a scroll, whose shards know theirs. */
  readonly filters: Readonly<Record<string, string>>;
}

/** Raised when older ids cannot be read any more. */
const ID_VERSION = 1;
const SHARDS_MAX = 100_000;
const ID_LENGTH_MAX = 16 * 1024 * 1024;

export function writeContextId(kind: ContextIdKind, { held, filters }: ContextIdContent): string {
  const contexts = held.map(({ shard, nodeId, allocationId, contextId }) => {
    return { i: shard.index, u: shard.indexUuid, s: shard.number, n: nodeId, a: allocationId, c: contextId };
  });
  return Buffer.from(writeJsonText({ v: ID_VERSION, k: kind, h: contexts, f: filters }), 'utf8').toString('base64url');
}

const readHeld: ItemReader<HeldContext> = (value, path) => {
  const r = ValueReader.of(value, path);
  return {
    shard: { index: r.string('i'), indexUuid: r.string('u'), number: r.integer('s', 0, SHARDS_MAX) },
    nodeId: r.string('n'),
    allocationId: r.string('a'),
    contextId: r.integer('c', 0, Number.MAX_SAFE_INTEGER),
  };
};

/** @throws ShoalError 400 for what is no id of this kind */
export function readContextId(kind: ContextIdKind, id: string): ContextIdContent {
  const what = kind === 'scroll' ? 'scroll id' : 'point in time id';
  if (id.length > ID_LENGTH_MAX || !/^[A-Za-z0-9_-]+=*$/.test(id)) throw illegalArgument(`Cannot parse ${what}`);
  try {
    const r = ValueReader.of(parseJson(Buffer.from(id, 'base64url')));
    if (r.integer('v', 0, Number.MAX_SAFE_INTEGER) !== ID_VERSION || r.string('k') !== kind) {
      throw illegalArgument(`Cannot parse ${what}`);
    }
    return { held: r.list('h', readHeld, SHARDS_MAX), filters: r.map('f', ValueReader.asString, SHARDS_MAX) };
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw illegalArgument(`Cannot parse ${what}`, { causedBy: error });
  }
}

/** The shards that an id names, in its order. Those of indices that are gone are left out. */
export function targetsOfContexts(
  state: ClusterState,
  { held, filters }: ContextIdContent,
): { readonly targets: readonly SearchTarget[]; readonly lost: readonly HeldContext[] } {
  const targets: SearchTarget[] = [];
  const lost: HeldContext[] = [];
  for (const one of held) {
    const index = state.metadata.indices.get(one.shard.index);
    if (index === undefined || index.uuid !== one.shard.indexUuid) {
      lost.push(one);
      continue;
    }
    const { nodeId, allocationId, contextId } = one;
    const filter = filters[one.shard.index];
    targets.push({
      position: targets.length,
      shard: one.shard,
      index,
      aliasFilter: filter === undefined ? null : Buffer.from(filter, 'utf8'),
      pinned: { nodeId, allocationId, contextId },
      indexBoost: 1,
    });
  }
  return { targets, lost };
}
