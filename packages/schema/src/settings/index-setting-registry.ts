/**
 * Registry of index settings: the values each accepts, its bounds, and whether an open index may change it.
 *
 * A setting stands in one of three tables. Somebody reads it; or no answer can depend on it, for the reason that stands
 * beside it; or only the values that ask for nothing are taken, since what the others ask for is not built.
 */
import { illegalArgument, nearestNames, type ShoalError } from '@shoal/core';
import {
  activeShards,
  bytes,
  type Change,
  choice,
  decimal,
  duration,
  flag,
  type IndexSettingRule,
  integer,
  only,
  replicaRange,
  slowLogSource,
  text,
} from './index-setting-rule.ts';
import { INDEX_SORT_SETTINGS } from './index-sort.ts';

const SHARDS_MAX = 1024;
const LEVELS = ['warn', 'info', 'debug', 'trace'] as const;

/** Settings that the program acts on: the house test finds the reader of each. */
const RULES: ReadonlyMap<string, IndexSettingRule> = new Map<string, IndexSettingRule>([
  ['index.number_of_shards', integer('final', 1, SHARDS_MAX)],
  ['index.number_of_routing_shards', integer('final', 1)],
  ['index.number_of_replicas', integer('dynamic', 0)],
  ['index.auto_expand_replicas', replicaRange()],
  ['index.hidden', flag('dynamic')],
  ['index.refresh_interval', duration('dynamic', -1)],
  ['index.search.idle.after', duration('dynamic', 0)],
  ['index.max_result_window', integer('dynamic', 1)],
  ['index.max_inner_result_window', integer('dynamic', 1)],
  ['index.max_rescore_window', integer('dynamic', 1)],
  ['index.max_docvalue_fields_search', integer('dynamic', 0)],
  ['index.max_script_fields', integer('dynamic', 0)],
  ['index.max_terms_count', integer('dynamic', 1)],
  ['index.max_regex_length', integer('dynamic', 1)],
  ['index.max_slices_per_scroll', integer('dynamic', 1)],
  ['index.max_slices_per_pit', integer('dynamic', 1)],
  ['index.analyze.max_token_count', integer('dynamic', 1)],
  ['index.highlight.max_analyzed_offset', integer('dynamic', 1)],
  ['index.max_ngram_diff', integer('dynamic', 0)],
  ['index.max_shingle_diff', integer('dynamic', 0)],
  ['index.query.default_field', text('dynamic')],
  ['index.query_string.lenient', flag('closed')],
  ['index.default_pipeline', text('dynamic')],
  ['index.final_pipeline', text('dynamic')],
  ['index.gc_deletes', duration('dynamic', 0)],
  ['index.translog.durability', choice('dynamic', ['request', 'async'])],
  ['index.translog.sync_interval', duration('dynamic', 100)],
  ['index.soft_deletes.retention_lease.period', duration('dynamic', 0)],
  ['index.translog.flush_threshold_size', bytes('dynamic')],
  ['index.merge.policy.max_merged_segment', bytes('dynamic', 0)],
  ['index.merge.policy.segments_per_tier', decimal('dynamic', 2)],
  ['index.merge.policy.floor_segment', bytes('dynamic', 1)],
  ['index.merge.policy.max_merge_at_once', integer('dynamic', 2)],
  ['index.merge.policy.deletes_pct_allowed', decimal('dynamic', 5, 50)],
  ['index.merge.policy.expunge_deletes_allowed', decimal('dynamic', 0, 100)],
  ['index.mapping.total_fields.limit', integer('dynamic', 0)],
  ['index.mapping.total_fields.ignore_dynamic_beyond_limit', flag('dynamic')],
  ['index.mapping.nested_fields.limit', integer('dynamic', 0)],
  ['index.mapping.nested_objects.limit', integer('dynamic', 0)],
  ['index.mapping.depth.limit', integer('dynamic', 1)],
  ['index.mapping.field_name_length.limit', integer('dynamic', 1)],
  ['index.mapping.ignore_malformed', flag('closed')],
  ['index.mapping.coerce', flag('closed')],
  ['index.requests.cache.enable', flag('dynamic')],
  ['index.blocks.read', flag('dynamic')],
  ['index.blocks.write', flag('dynamic')],
  ['index.blocks.metadata', flag('dynamic')],
  ['index.blocks.read_only', flag('dynamic')],
  ['index.blocks.read_only_allow_delete', flag('dynamic')],
  ['index.codec', choice('closed', ['default', 'best_compression'])],
  ['index.write.wait_for_active_shards', activeShards()],
  ['index.allocation.max_retries', integer('dynamic', 0)],
  ['index.unassigned.node_left.delayed_timeout', duration('dynamic', 0)],
  ['index.routing.allocation.enable', choice('dynamic', ['all', 'primaries', 'new_primaries', 'none'])],
  ['index.routing.allocation.total_shards_per_node', integer('dynamic', -1)],
  ['index.routing.rebalance.enable', choice('dynamic', ['all', 'primaries', 'replicas', 'none'])],
  ...INDEX_SORT_SETTINGS.map((name) => [name, text('final')] as const),
  ...slowLog('index.search.slowlog.threshold.query'),
  ...slowLog('index.search.slowlog.threshold.fetch'),
  ...slowLog('index.indexing.slowlog.threshold.index'),
  ['index.indexing.slowlog.source', slowLogSource()],
  ['index.indexing.slowlog.reformat', flag('dynamic')],
  ['index.lifecycle.name', text('dynamic')],
  ['index.lifecycle.rollover_alias', text('dynamic')],
  ['index.lifecycle.indexing_complete', flag('dynamic')],
  ['index.lifecycle.origination_date', integer('dynamic', -1, Number.MAX_SAFE_INTEGER)],
  ['index.lifecycle.prefer_ilm', flag('dynamic')],
  ['index.provided_name', text('private')],
  ['index.creation_date', text('private')],
  ['index.uuid', text('private')],
  ['index.version.created', text('private')],
  ['index.resize.source.name', text('private')],
  ['index.resize.source.uuid', text('private')],
]);

interface SettingWithoutEffect {
  readonly rule: IndexSettingRule;
  readonly because: string;
}

const VECTORS = 'vectors are compared one by one, and none is missed';
const ONE_MERGE = 'a shard does one merge at a time, on the thread of its searches and writes, which go first';
const NO_USERS = 'requests have no user here';

/** Settings of tools that send them always, accepted for the reason beside each. */
const WITHOUT_EFFECT: ReadonlyMap<string, SettingWithoutEffect> = new Map<string, SettingWithoutEffect>([
  ['index.translog.retention.age', { rule: duration('dynamic', -1), because: 'Elasticsearch 8 ignores it as well' }],
  ['index.translog.retention.size', { rule: bytes('dynamic'), because: 'Elasticsearch 8 ignores it as well' }],
  ['index.priority', { rule: integer('dynamic', 0), because: 'it orders the recovery of indices, not its outcome' }],
  [
    'index.soft_deletes.enabled',
    { rule: flag('final'), because: 'deleted documents are kept until a merge, whoever may still need them' },
  ],
  [
    'index.store.type',
    { rule: choice('closed', ['fs', 'niofs', 'mmapfs', 'hybridfs']), because: 'it says how files are opened' },
  ],
  [
    'index.merge.policy.max_merge_at_once_explicit',
    { rule: integer('dynamic', 2), because: 'Elasticsearch 8 ignores it as well' },
  ],
  ['index.merge.scheduler.max_thread_count', { rule: integer('dynamic', 1), because: ONE_MERGE }],
  ['index.merge.scheduler.max_merge_count', { rule: integer('dynamic', 1), because: ONE_MERGE }],
  [
    'index.merge.scheduler.auto_throttle',
    { rule: flag('dynamic'), because: 'a merge lets searches and writes go first in any case' },
  ],
  ['index.compound_format', { rule: text('dynamic'), because: 'a segment is one file in any case' }],
  [
    'index.soft_deletes.retention.operations',
    {
      rule: integer('dynamic', 0),
      because: 'copies that come back read the log of operations, which is kept by size and age',
    },
  ],
  ['index.max_refresh_listeners', { rule: integer('dynamic', 0), because: 'who waits for a refresh forces none' }],
  ['index.format', { rule: integer('final', 0), because: 'it is a note of the tool that made the index' }],
  [
    'index.load_fixed_bitset_filters_eagerly',
    { rule: flag('closed'), because: 'it says when filters of nested documents are made, and segments hold them' },
  ],
  ['index.warmer.enabled', { rule: flag('dynamic'), because: 'new segments are warm as soon as they are written' }],
  ['index.queries.cache.enabled', { rule: flag('closed'), because: 'a cached filter matches what the filter does' }],
  [
    'index.translog.generation_threshold_size',
    { rule: bytes('dynamic'), because: 'it says when the translog begins a new file' },
  ],
  [
    'index.shard.check_on_startup',
    {
      rule: choice('closed', ['false', 'true', 'checksum']),
      because: 'the checksums of every part are checked before it is used',
    },
  ],
  ['index.knn', { rule: flag('final'), because: VECTORS }],
  ['index.knn.algo_param.ef_search', { rule: integer('dynamic', 2), because: VECTORS }],
  ['index.knn.algo_param.ef_construction', { rule: integer('final', 2), because: VECTORS }],
  ['index.knn.algo_param.m', { rule: integer('final', 2), because: VECTORS }],
  ['index.knn.advanced.approximate_threshold', { rule: integer('dynamic', -1), because: VECTORS }],
  ['index.mapping.dimension_fields.limit', { rule: integer('dynamic', 0), because: 'no field is a dimension here' }],
  ['index.search.slowlog.include.user', { rule: flag('dynamic'), because: NO_USERS }],
  ['index.indexing.slowlog.include.user', { rule: flag('dynamic'), because: NO_USERS }],
  [
    'index.store.stats_refresh_interval',
    { rule: duration('closed', -1), because: 'it says how old the size of a shard may be that is shown' },
  ],
  [
    'index.lifecycle.step.wait_time_threshold',
    { rule: duration('dynamic', 3_600_000), because: 'an index that is shrunken needs no node of its own to wait for' },
  ],
  ['index.store.preload', { rule: text('closed'), because: 'it says which files are read ahead' }],
]);

/** Settings of which only the values that ask for nothing are taken. */
const NEUTRAL_ONLY: ReadonlyMap<string, IndexSettingRule> = new Map<string, IndexSettingRule>([
  ['index.routing_partition_size', only('final', ['1'], 'partitions of a routing are')],
  ['index.mode', only('final', ['standard'], 'other modes of an index are')],
  ['index.mapping.source.mode', only('final', ['stored'], 'a source that is made of the fields is')],
  ['index.mapping.synthetic_source_keep', only('final', ['none'], 'a source that is made of the fields is')],
  ['index.lifecycle.parse_origination_date', only('dynamic', ['false'], 'a date in the name of an index is')],
]);

/** Prefixes of settings that are open lists, each read as a whole by those who act on it. */
const GROUPS: readonly (readonly [string, Change])[] = [
  ['index.analysis.', 'closed'],
  ['index.similarity.', 'closed'],
  ['index.routing.allocation.include.', 'dynamic'],
  ['index.routing.allocation.exclude.', 'dynamic'],
  ['index.routing.allocation.require.', 'dynamic'],
];

/** What becomes of a setting. */
export type SettingEffect = 'read' | 'group' | 'none' | 'neutralOnly';

/** Every known name, a group by its prefix, for the test that finds the reader of each. */
export function knownIndexSettings(): ReadonlyMap<string, SettingEffect> {
  return new Map<string, SettingEffect>([
    ...[...RULES.keys()].map((name) => [name, 'read'] as const),
    ...[...WITHOUT_EFFECT.keys()].map((name) => [name, 'none'] as const),
    ...[...NEUTRAL_ONLY.keys()].map((name) => [name, 'neutralOnly'] as const),
    ...GROUPS.map(([prefix]) => [prefix, 'group'] as const),
  ]);
}

/** Thresholds of a slow log, one a level; `-1`: none. */
function slowLog(prefix: string): readonly (readonly [string, IndexSettingRule])[] {
  return LEVELS.map((level) => [`${prefix}.${level}`, duration('dynamic', -1)] as const);
}

/** Settings that may be lists, of which each entry has a key of its own. */
const LISTS: readonly string[] = ['index.query.default_field', 'index.store.preload', ...INDEX_SORT_SETTINGS];

function listOfEntry(key: string): string | undefined {
  return LISTS.find((name) => key.startsWith(`${name}.`) && /^\d+$/.test(key.slice(name.length + 1)));
}

/** Name of the setting that a key is of: an entry of a list is of the list. */
export function settingNameOf(key: string): string {
  return listOfEntry(key) ?? key;
}

/** Rule of a setting by its key; null when no such setting exists. */
export function indexSettingRule(key: string): IndexSettingRule | null {
  const name = settingNameOf(key);
  const rule = RULES.get(name) ?? WITHOUT_EFFECT.get(name)?.rule ?? NEUTRAL_ONLY.get(name);
  if (rule !== undefined) return rule;
  const group = GROUPS.find(([prefix]) => key.startsWith(prefix) && key.length > prefix.length);
  return group === undefined ? null : text(group[1]);
}

/** 400 that suggests the nearest known names, in Elasticsearch's words. */
export function unknownSetting(key: string): ShoalError {
  const near = nearestNames(key, [...knownIndexSettings().keys()]);
  if (near.length === 0) {
    return illegalArgument(
      `unknown setting [${key}] please check that any required plugins are installed, or check the breaking changes documentation for removed settings`,
    );
  }
  const suggestion = near.length === 1 ? `did you mean [${near[0]}]?` : `did you mean any of [${near.join(', ')}]?`;
  return illegalArgument(`unknown setting [${key}] ${suggestion}`);
}
