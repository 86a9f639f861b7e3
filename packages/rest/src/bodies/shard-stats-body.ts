/**
 * Statistics of shards, summed and shown in the sections of Elasticsearch's `_stats`.
 *
 * Sections and keys that this engine has no numbers for are zero: clients read them without checking.
 */
import {
  illegalArgument,
  matchesAny,
  nearestNames,
  runSteps,
  type ShoalError,
  StepMeter,
  type Steps,
} from '@shoal/core';
import { FIELDDATA_OF, SEARCH_GROUP_OF, type ShardStatsMap } from '@shoal/protocol';
import { COMPLETION_OF } from '@shoal/shard-api';
import { type FieldPatterns, NO_FIELDS } from '../request/field-patterns.ts';

type Json = Readonly<Record<string, unknown>>;
type FieldPrefix = typeof FIELDDATA_OF | typeof COMPLETION_OF;
/** Estimated cost of adding the numbers of a shard, in microseconds. */
const SUM_UNITS = 10;

/** Bytes of the fields that were asked for by name; null when none was. */
type FieldBytes = (of: FieldPrefix) => ReadonlyMap<string, number> | null;
/** Names of the groups of searches that were asked for; null when none was. */
type GroupNames = () => readonly string[] | null;
type Section = (stats: (name: string) => number, fields: FieldBytes, groups: GroupNames) => Json;

export type StatsMetric =
  | 'docs'
  | 'store'
  | 'indexing'
  | 'get'
  | 'search'
  | 'merge'
  | 'refresh'
  | 'flush'
  | 'warmer'
  | 'query_cache'
  | 'fielddata'
  | 'completion'
  | 'segments'
  | 'translog'
  | 'request_cache'
  | 'recovery';

interface SectionDeclaration {
  readonly metric: StatsMetric;
  readonly key: string;
  readonly render: Section;
}

const SECTIONS: readonly SectionDeclaration[] = [
  {
    metric: 'docs',
    key: 'docs',
    render: (of) => ({
      count: of('docCount'),
      deleted: of('deletedCount'),
      // The store is segments and translog.
      total_size_in_bytes: Math.max(0, of('storeBytes') - of('translogBytes')),
    }),
  },
  {
    metric: 'store',
    key: 'store',
    render: (of) => ({
      size_in_bytes: of('storeBytes'),
      total_data_set_size_in_bytes: of('storeBytes'),
      reserved_in_bytes: 0,
    }),
  },
  { metric: 'indexing', key: 'indexing', render: indexingSection },
  { metric: 'get', key: 'get', render: getSection },
  { metric: 'search', key: 'search', render: searchSection },
  { metric: 'merge', key: 'merges', render: mergesSection },
  {
    metric: 'refresh',
    key: 'refresh',
    render: (of) => ({
      total: of('refreshTotal'),
      total_time_in_millis: of('refreshTimeMs'),
      external_total: of('refreshTotal'),
      external_total_time_in_millis: of('refreshTimeMs'),
      listeners: of('refreshListeners'),
    }),
  },
  {
    metric: 'flush',
    key: 'flush',
    render: (of) => ({
      total: of('flushTotal'),
      periodic: of('flushPeriodic'),
      total_time_in_millis: of('flushTimeMs'),
    }),
  },
  { metric: 'warmer', key: 'warmer', render: () => ({ current: 0, total: 0, total_time_in_millis: 0 }) },
  {
    metric: 'query_cache',
    key: 'query_cache',
    render: (of) => ({
      memory_size_in_bytes: of('filterBytes'),
      total_count: of('filterHits') + of('filterMisses'),
      hit_count: of('filterHits'),
      miss_count: of('filterMisses'),
      cache_size: of('filtersKept'),
      cache_count: of('filtersAdded'),
      evictions: of('filtersEvicted'),
    }),
  },
  { metric: 'fielddata', key: 'fielddata', render: fielddataSection },
  { metric: 'completion', key: 'completion', render: completionSection },
  { metric: 'segments', key: 'segments', render: segmentsSection },
  { metric: 'translog', key: 'translog', render: translogSection },
  {
    metric: 'request_cache',
    key: 'request_cache',
    render: (of) => ({
      memory_size_in_bytes: of('requestCacheBytes'),
      evictions: of('requestCacheEvictions'),
      hit_count: of('requestCacheHits'),
      miss_count: of('requestCacheMisses'),
    }),
  },
  {
    metric: 'recovery',
    key: 'recovery',
    render: () => ({ current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 }),
  },
];

/**
 * @param path of the request, for the error's text
 * @returns null for all metrics
 * @throws illegal_argument_exception naming the nearest metric, when one is unknown
 */
export function parseStatsMetrics(names: readonly string[], path: string): ReadonlySet<StatsMetric> | null {
  if (names.length === 0 || names.includes('_all')) {
    if (names.length > 1)
      throw illegalArgument(`request [${path}] contains _all and individual metrics [${names.join(',')}]`);
    return null;
  }
  const known = SECTIONS.map((section) => section.metric);
  const wanted = new Set<StatsMetric>();
  for (const name of names) {
    const metric = known.find((candidate) => candidate === name);
    if (metric === undefined) throw unrecognizedMetric(path, name, known);
    wanted.add(metric);
  }
  return wanted;
}

/** 400: a metric in the path is none. */
export function unrecognizedMetric(path: string, name: string, known: readonly string[]): ShoalError {
  return unrecognizedName(path, 'metric', name, known);
}

/** 400: a name in the path is none of its sort. */
export function unrecognizedName(path: string, sort: string, name: string, known: readonly string[]): ShoalError {
  const near = nearestNames(name, known);
  const hint =
    near.length === 0
      ? ''
      : near.length === 1
        ? ` -> did you mean [${near[0]}]?`
        : ` -> did you mean any of [${near.join(', ')}]?`;
  return illegalArgument(`request [${path}] contains unrecognized ${sort}: [${name}]${hint}`);
}

/** The sections of the metrics among those that a node sent. */
export function filterStatsBody(body: Json, metrics: ReadonlySet<StatsMetric> | null): Json {
  if (metrics === null) return body;
  const keys = SECTIONS.filter((section) => metrics.has(section.metric)).map((section) => section.key);
  return Object.fromEntries(Object.entries(body).filter(([key]) => keys.includes(key)));
}

/** Numbers of several shards added up, name by name. */
export function sumShardStats(parts: readonly ShardStatsMap[]): ShardStatsMap {
  return runSteps(sumInSteps(parts));
}

/** `sumShardStats` of so many shards that adding them up would hold the thread. */
export function* sumInSteps(parts: Iterable<ShardStatsMap>): Steps<ShardStatsMap> {
  const sum = new ShardStatsSum();
  const meter = new StepMeter();
  for (const part of parts) {
    sum.add(part);
    if (meter.isDue(SUM_UNITS)) yield;
  }
  return sum.read();
}

/** Sum of numbers that come one shard after the other. */
export class ShardStatsSum {
  readonly #sum = new Map<string, number>();

  add(part: ShardStatsMap): void {
    for (const [name, value] of Object.entries(part)) this.#sum.set(name, (this.#sum.get(name) ?? 0) + value);
  }

  read(): ShardStatsMap {
    return Object.fromEntries(this.#sum);
  }
}

/** The sections of `_stats` for one shard, or for a sum of shards. */
export function shardStatsBody(
  stats: ShardStatsMap,
  metrics: ReadonlySet<StatsMetric> | null,
  fieldPatterns: FieldPatterns = NO_FIELDS,
): Json {
  const of = (name: string): number => stats[name] ?? 0;
  const fields = (prefix: FieldPrefix): ReadonlyMap<string, number> | null => {
    const patterns = prefix === FIELDDATA_OF ? fieldPatterns.fielddata : fieldPatterns.completion;
    if (patterns.length === 0) return null;
    return new Map([...bytesByField(stats, prefix)].filter(([field]) => matchesAny(patterns, field)));
  };
  const groups = (): readonly string[] | null =>
    fieldPatterns.groups.length === 0
      ? null
      : searchGroups(stats).filter((name) => matchesAny(fieldPatterns.groups, name));
  return Object.fromEntries(
    SECTIONS.filter((section) => metrics === null || metrics.has(section.metric)).map((section) => [
      section.key,
      section.render(of, fields, groups),
    ]),
  );
}

/** Bytes that each field holds beside its segments. */
export function fielddataByField(stats: ShardStatsMap): ReadonlyMap<string, number> {
  return bytesByField(stats, FIELDDATA_OF);
}

function bytesByField(stats: ShardStatsMap, prefix: FieldPrefix): ReadonlyMap<string, number> {
  const entries = Object.entries(stats).filter(([name]) => name.startsWith(prefix));
  return new Map(entries.map(([name, bytes]) => [name.slice(prefix.length), bytes]));
}

/** Names of the groups that any search was counted in. */
function searchGroups(stats: ShardStatsMap): readonly string[] {
  const prefix = `${SEARCH_GROUP_OF}queryTotal:`;
  return Object.keys(stats)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .sort();
}

function fielddataSection(of: (name: string) => number, fields: FieldBytes): Json {
  const named = fields(FIELDDATA_OF);
  const sizes =
    named && Object.fromEntries([...named].map(([field, bytes]) => [field, { memory_size_in_bytes: bytes }]));
  return {
    memory_size_in_bytes: of('fielddataBytes'),
    evictions: of('fielddataEvictions'),
    global_ordinals: { build_time_in_millis: 0 },
    ...(sizes === null ? {} : { fields: sizes }),
  };
}

function completionSection(of: (name: string) => number, fields: FieldBytes): Json {
  const named = fields(COMPLETION_OF);
  const sizes = named && Object.fromEntries([...named].map(([field, bytes]) => [field, { size_in_bytes: bytes }]));
  return { size_in_bytes: of('completionBytes'), ...(sizes === null ? {} : { fields: sizes }) };
}

function indexingSection(of: (name: string) => number): Json {
  return {
    index_total: of('indexTotal'),
    index_time_in_millis: of('indexTimeMs'),
    index_current: of('indexCurrent'),
    index_failed: of('indexFailed'),
    delete_total: of('deleteTotal'),
    delete_time_in_millis: of('deleteTimeMs'),
    delete_current: 0,
    noop_update_total: of('noopTotal'),
    is_throttled: false,
    throttle_time_in_millis: 0,
  };
}

function getSection(of: (name: string) => number): Json {
  return {
    total: of('getTotal'),
    time_in_millis: of('getTimeMs'),
    exists_total: of('getExistsTotal'),
    exists_time_in_millis: of('getExistsTimeMs'),
    missing_total: of('getMissingTotal'),
    missing_time_in_millis: of('getMissingTimeMs'),
    current: 0,
  };
}

function searchSection(of: (name: string) => number, _: FieldBytes, groups: GroupNames): Json {
  const names = groups() ?? [];
  const bodies = names.map((name) => [name, searchNumbers((key) => of(`${SEARCH_GROUP_OF}${key}:${name}`))] as const);
  return {
    open_contexts: of('openContexts'),
    ...searchNumbers(of),
    ...(bodies.length === 0 ? {} : { groups: Object.fromEntries(bodies) }),
  };
}

function searchNumbers(of: (name: string) => number): Json {
  return {
    query_total: of('queryTotal'),
    query_time_in_millis: of('queryTimeMs'),
    query_current: of('queryCurrent'),
    fetch_total: of('fetchTotal'),
    fetch_time_in_millis: of('fetchTimeMs'),
    fetch_current: of('fetchCurrent'),
    scroll_total: of('scrollTotal'),
    scroll_time_in_millis: of('scrollTimeMs'),
    scroll_current: of('scrollCurrent'),
    suggest_total: of('suggestTotal'),
    suggest_time_in_millis: of('suggestTimeMs'),
    suggest_current: of('suggestCurrent'),
  };
}

function mergesSection(of: (name: string) => number): Json {
  return {
    current: of('mergeCurrent'),
    current_docs: of('mergeCurrentDocs'),
    current_size_in_bytes: of('mergeCurrentBytes'),
    total: of('mergeTotal'),
    total_time_in_millis: of('mergeTimeMs'),
    total_docs: of('mergeDocs'),
    total_size_in_bytes: of('mergeBytes'),
    total_stopped_time_in_millis: 0,
    total_throttled_time_in_millis: 0,
    total_auto_throttle_in_bytes: 0,
  };
}

function segmentsSection(of: (name: string) => number): Json {
  return {
    count: of('segmentCount'),
    memory_in_bytes: 0,
    terms_memory_in_bytes: 0,
    stored_fields_memory_in_bytes: 0,
    term_vectors_memory_in_bytes: 0,
    norms_memory_in_bytes: 0,
    points_memory_in_bytes: 0,
    doc_values_memory_in_bytes: 0,
    index_writer_memory_in_bytes: of('memoryBytes'),
    version_map_memory_in_bytes: 0,
    fixed_bit_set_memory_in_bytes: 0,
    max_unsafe_auto_id_timestamp: -1,
    file_sizes: {},
  };
}

function translogSection(of: (name: string) => number): Json {
  return {
    operations: of('translogOperations'),
    size_in_bytes: of('translogBytes'),
    uncommitted_operations: of('translogOperations'),
    uncommitted_size_in_bytes: of('translogBytes'),
    earliest_last_modified_age: 0,
  };
}
