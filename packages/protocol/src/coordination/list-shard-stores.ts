/**
 * Which copy of a shard a data node has on its disk: cluster manager → data node, before a primary goes back to its
 * documents. Channel `reg`.
 */

import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec } from '@shoal/transport';

export interface ListShardStoresRequest {
  readonly shards: readonly { readonly indexUuid: string; readonly shard: number }[];
}

export interface ListShardStoresResponse {
  /** Answer for each shard, in order: the copy's allocation id, or null when there is none that can be used. */
  readonly allocationIds: readonly (string | null)[];
}

/** Most shards that one message asks for. */
export const SHARD_STORES_MAX = 10_000;
const SHARD_MAX = 1_023;

export const LIST_SHARD_STORES: ActionCodec<ListShardStoresRequest, ListShardStoresResponse> = {
  name: 'internal:cluster/nodes/indices/shard/store',
  writeRequest: ({ shards }) => {
    assert(shards.length <= SHARD_STORES_MAX, `${shards.length} shards asked for, at most ${SHARD_STORES_MAX}`);
    return { message: { shards: shards.map((at) => ({ ...at })) } };
  },
  readRequest: (body) => ({ shards: ValueReader.of(body.message).list('shards', readShard, SHARD_STORES_MAX) }),
  writeResponse: ({ allocationIds }) => ({ message: { allocationIds: [...allocationIds] } }),
  readResponse: (body) => ({
    allocationIds: ValueReader.of(body.message).list('allocationIds', readId, SHARD_STORES_MAX),
  }),
};

const readShard: ItemReader<ListShardStoresRequest['shards'][number]> = (value, field) => {
  const r = ValueReader.of(value, field);
  return { indexUuid: r.string('indexUuid'), shard: r.integer('shard', 0, SHARD_MAX) };
};

const readId: ItemReader<string | null> = (value, field) =>
  value === null ? null : ValueReader.asString(value, field);
