/**
 * Index settings that the program acts on, as numbers and flags instead of text.
 *
 * Read once from the flat settings of the cluster state, where `parseIndexSettings` has validated them already.
 */
import type { FieldDefaults } from '../mapping/mapping.ts';
import { indexSimilarities } from './index-similarities.ts';
import { type IndexSortKey, indexSort } from './index-sort.ts';
import { type MergePolicySettings, mergePolicySettings } from './merge-policy-settings.ts';
import { parseBoolean, parseBytes, parseDurationMs } from './setting-values.ts';

export interface TypedIndexSettings {
  readonly numberOfShards: number;
  readonly numberOfReplicas: number;
  readonly numberOfRoutingShards: number;
  /** Interval of refreshes; null: not set, so that an idle shard may skip it; -1: no periodic refresh. */
  readonly refreshIntervalMs: number | null;
  readonly searchIdleAfterMs: number;
  readonly maxResultWindow: number;
  readonly analyzeTokensMax: number;
  readonly maxTermsCount: number;
  readonly maxRegexLength: number;
  /** Whether query_string takes values that do not fit a field for no match, where it does not say. */
  readonly isQueryStringLenient: boolean;
  readonly translogDurability: 'request' | 'async';
  readonly translogSyncIntervalMs: number;
  readonly translogFlushThresholdBytes: number;
  readonly gcDeletesMs: number;
  /** How long the history is kept for copies that are away. */
  readonly historyKeptMs: number;
  /** Compression of new blocks of stored documents. */
  readonly storedCodec: 'lz4' | 'deflate';
  readonly mergePolicy: MergePolicySettings;
  readonly totalFieldsLimit: number;
  /** New fields of documents beyond that limit are left out of the mapping, and refuse nothing. */
  readonly leavesOutFieldsBeyondLimit: boolean;
  readonly depthLimit: number;
  readonly fieldNameLengthLimit: number;
  readonly nestedFieldsLimit: number;
  /** Nested documents of one document. */
  readonly nestedObjectsLimit: number;
  /** Defaults of the fields' own parameters. */
  readonly fieldDefaults: FieldDefaults;
  /** Order of documents in segments; empty: the order in which they were written. */
  readonly sort: readonly IndexSortKey[];
  /** Whether answers of searches without hits are cached where the request does not say. */
  readonly cachesRequests: boolean;
  readonly isReadBlocked: boolean;
  readonly isWriteBlocked: boolean;
  readonly isMetadataBlocked: boolean;
  readonly isReadOnly: boolean;
  readonly isReadOnlyAllowDelete: boolean;
}

/** Settings of an index that says neither how many shards nor how many replicas it has: those of Elasticsearch. */
export const SHARD_COUNT_DEFAULTS: Readonly<Record<'index.number_of_shards' | 'index.number_of_replicas', string>> = {
  'index.number_of_shards': '1',
  'index.number_of_replicas': '1',
};

const MINUTE_MS = 60_000;
const FLUSH_THRESHOLD_BYTES_DEFAULT = 512 * 1024 * 1024;

/** `index.max_result_window` alone, which every shard reads on every search. */
export function maxResultWindow(flat: Readonly<Record<string, string>>): number {
  return Number.parseInt(flat['index.max_result_window'] ?? '10000', 10);
}

/** `index.write.wait_for_active_shards`: copies of a shard that must be active before it is written to. */
export function writeActiveShards(flat: Readonly<Record<string, string>>): number | 'all' {
  const text = flat['index.write.wait_for_active_shards'] ?? '1';
  return text === 'all' ? 'all' : Number(text);
}

/** Values by the settings that they were read from, which never change: an open shard and each of its searches ask for the same ones. */
const known = new WeakMap<Readonly<Record<string, string>>, TypedIndexSettings>();

export function typedIndexSettings(flat: Readonly<Record<string, string>>): TypedIndexSettings {
  let typed = known.get(flat);
  if (typed === undefined) {
    typed = readTyped(flat);
    known.set(flat, typed);
  }
  return typed;
}

function readTyped(flat: Readonly<Record<string, string>>): TypedIndexSettings {
  const text = (key: string): string | null => flat[`index.${key}`] ?? null;
  const integer = (key: string, otherwise: number): number => {
    const value = text(key);
    return value === null ? otherwise : Number.parseInt(value, 10);
  };
  const flag = (key: string): boolean => parseBoolean(text(key) ?? 'false') === true;
  const duration = (key: string, otherwise: number): number => parseDurationMs(text(key) ?? '') ?? otherwise;
  const numberOfShards = integer('number_of_shards', Number(SHARD_COUNT_DEFAULTS['index.number_of_shards']));
  const refresh = text('refresh_interval');
  const coerce = text('mapping.coerce');
  return {
    numberOfShards,
    numberOfReplicas: integer('number_of_replicas', Number(SHARD_COUNT_DEFAULTS['index.number_of_replicas'])),
    numberOfRoutingShards: integer('number_of_routing_shards', defaultRoutingShards(numberOfShards)),
    refreshIntervalMs: refresh === null ? null : parseDurationMs(refresh),
    searchIdleAfterMs: duration('search.idle.after', 30_000),
    maxResultWindow: maxResultWindow(flat),
    maxTermsCount: integer('max_terms_count', 65_536),
    analyzeTokensMax: integer('analyze.max_token_count', 10_000),
    translogDurability: (text('translog.durability') ?? 'request').toLowerCase() === 'async' ? 'async' : 'request',
    maxRegexLength: integer('max_regex_length', 1_000),
    isQueryStringLenient: flag('query_string.lenient'),
    translogSyncIntervalMs: duration('translog.sync_interval', 5_000),
    translogFlushThresholdBytes:
      parseBytes(text('translog.flush_threshold_size') ?? '') ?? FLUSH_THRESHOLD_BYTES_DEFAULT,
    gcDeletesMs: duration('gc_deletes', MINUTE_MS),
    historyKeptMs: duration('soft_deletes.retention_lease.period', 12 * 60 * MINUTE_MS),
    storedCodec: text('codec') === 'best_compression' ? 'deflate' : 'lz4',
    mergePolicy: mergePolicySettings(flat),
    totalFieldsLimit: integer('mapping.total_fields.limit', 1_000),
    leavesOutFieldsBeyondLimit: flag('mapping.total_fields.ignore_dynamic_beyond_limit'),
    depthLimit: integer('mapping.depth.limit', 20),
    fieldNameLengthLimit: integer('mapping.field_name_length.limit', Number.MAX_SAFE_INTEGER),
    nestedFieldsLimit: integer('mapping.nested_fields.limit', 50),
    nestedObjectsLimit: integer('mapping.nested_objects.limit', 10_000),
    fieldDefaults: {
      ignoreMalformed: flag('mapping.ignore_malformed'),
      coerce: coerce === null ? null : parseBoolean(coerce) === true,
      similarities: indexSimilarities(flat),
    },
    sort: indexSort(flat),
    cachesRequests: parseBoolean(text('requests.cache.enable') ?? 'true') === true,
    isReadBlocked: flag('blocks.read'),
    isWriteBlocked: flag('blocks.write'),
    isMetadataBlocked: flag('blocks.metadata'),
    isReadOnly: flag('blocks.read_only'),
    isReadOnlyAllowDelete: flag('blocks.read_only_allow_delete'),
  };
}

/**
 * Default of `index.number_of_routing_shards`: the largest shards * 2^n up to 1024, at least one doubling, so
 * that an index can be split later without moving documents between shards. Elasticsearch's rule.
 */
export function defaultRoutingShards(numberOfShards: number): number {
  const log2Max = 10;
  const log2Shards = 32 - Math.clz32(numberOfShards - 1);
  const doublings = Math.max(1, log2Max - (numberOfShards === 1 ? 0 : log2Shards));
  return numberOfShards * 2 ** doublings;
}
