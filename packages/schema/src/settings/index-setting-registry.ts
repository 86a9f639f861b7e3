/**
 * Registry of index settings: the values each accepts, its bounds, and whether an open index may change it.
 *
 * A setting without effect here is listed only when leaving it out would break tools that always send it; its values are
 * checked all the same.
 */
import { illegalArgument, nearestNames, type ShoalError } from '@shoal/core';
import { parseBoolean, parseBytes, parseDurationMs } from './setting-values.ts';

export interface IndexSettingRule {
  /** `final`: only at creation; `closed`: also while the index is closed; `dynamic`: always; `private`: set by the cluster. */
  readonly change: 'final' | 'closed' | 'dynamic' | 'private';
  /** Throws `illegal_argument_exception` when `value` is not allowed. */
  check(key: string, value: string): void;
}

type Change = IndexSettingRule['change'];

const SHARDS_MAX = 1024;
const INT_MAX = 0x7fff_ffff;

function integer(change: Change, min: number, max: number = INT_MAX): IndexSettingRule {
  return {
    change,
    check: (key, value) => {
      if (!/^-?\d+$/.test(value)) throw notParsed(key, value);
      const number = Number(value);
      if (number < min)
        throw illegalArgument(`Failed to parse value [${value}] for setting [${key}] must be >= ${min}`);
      if (number > max)
        throw illegalArgument(`Failed to parse value [${value}] for setting [${key}] must be <= ${max}`);
    },
  };
}

function flag(change: Change): IndexSettingRule {
  return {
    change,
    check: (_key, value) => {
      if (parseBoolean(value) === null) {
        throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
      }
    },
  };
}

function duration(change: Change, minMs: number): IndexSettingRule {
  return {
    change,
    check: (key, value) => {
      const ms = parseDurationMs(value);
      if (ms === null) {
        throw illegalArgument(
          `failed to parse setting [${key}] with value [${value}] as a time value: unit is missing or unrecognized`,
        );
      }
      if (ms < minMs) {
        throw illegalArgument(`failed to parse value [${value}] for setting [${key}], must be >= [${minMs}ms]`);
      }
    },
  };
}

function bytes(change: Change): IndexSettingRule {
  return {
    change,
    check: (key, value) => {
      if (parseBytes(value) === null) {
        throw illegalArgument(
          `failed to parse setting [${key}] with value [${value}] as a size in bytes: unit is missing or unrecognized`,
        );
      }
    },
  };
}

function choice(change: Change, choices: readonly string[]): IndexSettingRule {
  return {
    change,
    check: (key, value) => {
      if (!choices.includes(value.toLowerCase())) {
        throw illegalArgument(`unknown value for [${key}] must be one of [${choices.join(', ')}] but was: ${value}`);
      }
    },
  };
}

function text(change: Change): IndexSettingRule {
  return { change, check: () => {} };
}

function notParsed(key: string, value: string): ShoalError {
  return illegalArgument(`Failed to parse value [${value}] for setting [${key}]`);
}

const RULES: ReadonlyMap<string, IndexSettingRule> = new Map<string, IndexSettingRule>([
  ['index.number_of_shards', integer('final', 1, SHARDS_MAX)],
  ['index.number_of_routing_shards', integer('final', 1)],
  ['index.number_of_replicas', integer('dynamic', 0)],
  ['index.auto_expand_replicas', text('dynamic')],
  ['index.routing_partition_size', integer('final', 1, 1)],
  ['index.hidden', flag('dynamic')],
  ['index.refresh_interval', duration('dynamic', -1)],
  ['index.search.idle.after', duration('dynamic', 0)],
  ['index.max_result_window', integer('dynamic', 1)],
  ['index.max_inner_result_window', integer('dynamic', 1)],
  ['index.max_rescore_window', integer('dynamic', 1)],
  ['index.max_docvalue_fields_search', integer('dynamic', 0)],
  ['index.max_script_fields', integer('dynamic', 0)],
  ['index.max_ngram_diff', integer('dynamic', 0)],
  ['index.max_shingle_diff', integer('dynamic', 0)],
  ['index.max_terms_count', integer('dynamic', 1)],
  ['index.max_regex_length', integer('dynamic', 1)],
  ['index.max_refresh_listeners', integer('dynamic', 0)],
  ['index.max_slices_per_scroll', integer('dynamic', 1)],
  ['index.analyze.max_token_count', integer('dynamic', 1)],
  ['index.highlight.max_analyzed_offset', integer('dynamic', 1)],
  ['index.query.default_field', text('dynamic')],
  ['index.query_string.lenient', flag('closed')],
  ['index.gc_deletes', duration('dynamic', 0)],
  ['index.translog.durability', choice('dynamic', ['request', 'async'])],
  ['index.translog.sync_interval', duration('dynamic', 100)],
  ['index.translog.flush_threshold_size', bytes('dynamic')],
  ['index.translog.retention.age', duration('dynamic', -1)],
  ['index.translog.retention.size', bytes('dynamic')],
  ['index.mapping.total_fields.limit', integer('dynamic', 0)],
  ['index.mapping.depth.limit', integer('dynamic', 1)],
  ['index.mapping.nested_fields.limit', integer('dynamic', 0)],
  ['index.mapping.nested_objects.limit', integer('dynamic', 0)],
  ['index.mapping.field_name_length.limit', integer('dynamic', 1)],
  ['index.mapping.ignore_malformed', flag('closed')],
  ['index.mapping.coerce', flag('closed')],
  ['index.blocks.read', flag('dynamic')],
  ['index.blocks.write', flag('dynamic')],
  ['index.blocks.metadata', flag('dynamic')],
  ['index.blocks.read_only', flag('dynamic')],
  ['index.blocks.read_only_allow_delete', flag('dynamic')],
  ['index.codec', choice('closed', ['default', 'best_compression'])],
  ['index.priority', integer('dynamic', 0)],
  ['index.requests.cache.enable', flag('dynamic')],
  ['index.write.wait_for_active_shards', text('dynamic')],
  ['index.allocation.max_retries', integer('dynamic', 0)],
  ['index.unassigned.node_left.delayed_timeout', duration('dynamic', 0)],
  ['index.routing.allocation.enable', choice('dynamic', ['all', 'primaries', 'new_primaries', 'none'])],
  ['index.routing.rebalance.enable', choice('dynamic', ['all', 'primaries', 'replicas', 'none'])],
  ['index.routing.allocation.total_shards_per_node', integer('dynamic', -1)],
  ['index.soft_deletes.enabled', flag('final')],
  ['index.soft_deletes.retention_lease.period', duration('dynamic', 0)],
  ['index.store.type', choice('closed', ['fs', 'niofs', 'mmapfs', 'hybridfs'])],
  ['index.merge.policy.max_merged_segment', bytes('dynamic')],
  ['index.merge.policy.segments_per_tier', integer('dynamic', 2)],
  ['index.merge.scheduler.max_thread_count', integer('dynamic', 1)],
  ['index.default_pipeline', text('dynamic')],
  ['index.final_pipeline', text('dynamic')],
  ['index.lifecycle.name', text('dynamic')],
  ['index.lifecycle.rollover_alias', text('dynamic')],
  ['index.provided_name', text('private')],
  ['index.creation_date', text('private')],
  ['index.uuid', text('private')],
  ['index.version.created', text('private')],
  ['index.verified_before_close', text('private')],
]);

/** Prefixes of settings that are open lists: any key below is allowed, its meaning checked where it is used. */
const GROUPS: readonly (readonly [string, Change])[] = [
  ['index.analysis.', 'closed'],
  ['index.similarity.', 'closed'],
  ['index.routing.allocation.include.', 'dynamic'],
  ['index.routing.allocation.exclude.', 'dynamic'],
  ['index.routing.allocation.require.', 'dynamic'],
  ['index.search.slowlog.', 'dynamic'],
  ['index.indexing.slowlog.', 'dynamic'],
];

/** Rule of a setting by its key; null when no such setting exists. */
export function indexSettingRule(key: string): IndexSettingRule | null {
  const rule = RULES.get(key);
  if (rule !== undefined) return rule;
  const group = GROUPS.find(([prefix]) => key.startsWith(prefix) && key.length > prefix.length);
  return group === undefined ? null : text(group[1]);
}

/** 400 that suggests the nearest known names, in Elasticsearch's words. */
export function unknownSetting(key: string): ShoalError {
  const near = nearestNames(key, RULES.keys());
  if (near.length === 0) {
    return illegalArgument(
      `unknown setting [${key}] please check that any required plugins are installed, or check the breaking changes documentation for removed settings`,
    );
  }
  const suggestion = near.length === 1 ? `did you mean [${near[0]}]?` : `did you mean any of [${near.join(', ')}]?`;
  return illegalArgument(`unknown setting [${key}] ${suggestion}`);
}
