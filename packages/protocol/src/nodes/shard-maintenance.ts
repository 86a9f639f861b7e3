/** Refresh, flush, merges, clearing of caches and statistics of the shards of one node: any node → data node. Channel `reg`. */
import { assert, fromWireError, type ItemReader, type ShoalError, toWireError, ValueReader } from '@shoal/core';
import { type CachesToClear, COMPLETION_FIELDS_MAX, type ForcedMerge } from '@shoal/shard-api';
import type { ActionCodec } from '@shoal/transport';
import { readShardTarget, SHARD_NUMBER_MAX, type ShardTarget, writeShardTarget } from '../documents/shard-target.ts';

/** `force_flush` commits even when nothing changed since the last commit. */
export type MaintenanceKind = 'refresh' | 'flush' | 'force_flush' | 'reload_search_analyzers';

export type MaintenanceWork =
  | { readonly kind: MaintenanceKind }
  /** A flush whose commit gets a marker. */
  | { readonly kind: 'synced_flush'; readonly syncId: string }
  | { readonly kind: 'clear_caches'; readonly caches: CachesToClear }
  | {
      readonly kind: 'force_merge';
      readonly merge: ForcedMerge;
      /** The shard commits what became of it. */
      readonly flush: boolean;
    };

export interface ShardMaintenanceRequest {
  readonly work: MaintenanceWork;
  readonly targets: readonly ShardTarget[];
}

export interface ShardMaintenanceResponse {
  /** Result of each target, in order; null when it succeeded. */
  readonly failures: readonly (ShoalError | null)[];
}

/** Statistics of one shard, by name as in the engine's `ShardStats`. */
export type ShardStatsMap = Readonly<Record<string, number>>;

/** Prefix of a field's name in `ShardStatsMap`: the memory that the field holds beside its segments, in bytes. */
export const FIELDDATA_OF = 'fielddata:';

/** Prefix of a number of searches in `ShardStatsMap` that were given a name: the number's own name, a colon and theirs follow. */
export const SEARCH_GROUP_OF = 'searchGroup:';

/** Prefix of the marker of a shard's newest commit in `ShardStatsMap`; only after a synced flush. */
export const SYNC_ID_OF = 'syncId:';

export interface ShardStatsRequest {
  /** Names of concrete indices; null: all shards of the node. */
  readonly indices: readonly string[] | null;
}

export interface ShardStatsEntry {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly stats: ShardStatsMap;
}

export interface ShardStatsResponse {
  readonly shards: readonly ShardStatsEntry[];
}

const KINDS: readonly MaintenanceKind[] = ['refresh', 'flush', 'force_flush', 'reload_search_analyzers'];
/** Most shards that one node holds. */
const SHARDS_MAX = 100_000;
const INDICES_MAX = 100_000;
/** Most fields of a shard whose memory is told one by one. */
export const FIELDDATA_FIELDS_MAX = 10_000;
/** Numbers of searches that were given a name: six a name. */
const SEARCH_GROUP_STATS_MAX = 6 * 1_000;
/** Statistics of a shard: its numbers, and those of its fields and of named searches. */
const STATS_MAX = 256 + FIELDDATA_FIELDS_MAX + COMPLETION_FIELDS_MAX + SEARCH_GROUP_STATS_MAX;
/** Most segments that a merge can be asked to leave. */
const SEGMENTS_MAX = 0x7fff_ffff;
/** Most field names of one request. */
const FIELDS_MAX = 100_000;

const readFailure: ItemReader<ShoalError | null> = (value) => (value === null ? null : fromWireError(value));

function readWork(r: ValueReader): MaintenanceWork {
  const kind = r.oneOf('kind', [...KINDS, 'synced_flush', 'clear_caches', 'force_merge'] as const);
  if (kind === 'force_merge') {
    const merge = r.object('merge');
    return {
      kind,
      merge: {
        segmentsMax: merge.optional('segmentsMax', ValueReader.integerIn(1, SEGMENTS_MAX)),
        onlyExpungeDeletes: merge.boolean('onlyExpungeDeletes'),
      },
      flush: r.boolean('flush'),
    };
  }
  if (kind === 'synced_flush') return { kind, syncId: r.string('syncId') };
  if (kind !== 'clear_caches') return { kind };
  const caches = r.object('caches');
  return {
    kind,
    caches: {
      query: caches.boolean('query'),
      fielddata: caches.boolean('fielddata'),
      request: caches.boolean('request'),
      fields: caches.list('fields', ValueReader.asString, FIELDS_MAX),
    },
  };
}

function writeWork(work: MaintenanceWork): Readonly<Record<string, unknown>> {
  if (work.kind === 'clear_caches') {
    return { kind: work.kind, caches: { ...work.caches, fields: [...work.caches.fields] } };
  }
  return work.kind === 'force_merge' ? { ...work, merge: { ...work.merge } } : work;
}

export const SHARD_MAINTENANCE: ActionCodec<ShardMaintenanceRequest, ShardMaintenanceResponse> = {
  name: 'indices:admin/maintenance[n]',
  writeRequest: ({ work, targets }) => {
    assert(targets.length <= SHARDS_MAX, `${work.kind} of ${targets.length} shards of one node`);
    return { message: { ...writeWork(work), targets: targets.map(writeShardTarget) } };
  },
  readRequest: (body) => {
    const r = ValueReader.of(body.message);
    return { work: readWork(r), targets: r.list('targets', readShardTarget, SHARDS_MAX) };
  },
  writeResponse: (response) => ({
    message: { failures: response.failures.map((failure) => (failure === null ? null : toWireError(failure))) },
  }),
  readResponse: (body) => ({ failures: ValueReader.of(body.message).list('failures', readFailure, SHARDS_MAX) }),
};

const readEntry: ItemReader<ShardStatsEntry> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    index: r.string('index'),
    indexUuid: r.string('indexUuid'),
    shard: r.integer('shard', 0, SHARD_NUMBER_MAX),
    allocationId: r.string('allocationId'),
    stats: r.map('stats', ValueReader.asNumber, STATS_MAX),
  };
};

const readIndices: ItemReader<readonly string[]> = (value, field) =>
  new ValueReader({ [field]: value }).list(field, ValueReader.asString, INDICES_MAX);

export const SHARD_STATS: ActionCodec<ShardStatsRequest, ShardStatsResponse> = {
  name: 'indices:monitor/stats[n]',
  writeRequest: (request) => ({ message: { indices: request.indices === null ? null : [...request.indices] } }),
  readRequest: (body) => ({ indices: ValueReader.of(body.message).optional('indices', readIndices) }),
  writeResponse: (response) => ({
    message: { shards: response.shards.map((entry) => ({ ...entry, stats: { ...entry.stats } })) },
  }),
  readResponse: (body) => ({ shards: ValueReader.of(body.message).list('shards', readEntry, SHARDS_MAX) }),
};
