/**
 * Cluster settings that can change at run time: names, values that are allowed, and the nearest name for one that is not.
 */
import { asShoalError, editDistance, illegalArgument, parseByteSize } from '@shoal/core';
import { parseBoolean, parseDurationMs, parseSchedule } from '@shoal/schema';
import { isForcedAwareness } from '../allocation/rules/awareness-rules.ts';
import { checkWatermark, WATERMARK_LEVELS } from '../allocation/rules/disk-rules.ts';
import { checkAutoCreateIndex } from './auto-create-index.ts';

/** Says what is wrong with a value; null when it is fine. `name`: whole name of a setting of a group. */
export type ValueCheck = (value: string, name: string) => string | null;

interface SettingRule {
  /** Ends in `*` for a group: any name that starts so. */
  readonly name: string;
  readonly check: ValueCheck;
}

interface ActingSetting extends SettingRule {
  /** What holds where it is not set; left out for groups and other names. */
  readonly default?: string;
  /** May also be given to a node when it starts. */
  readonly ofNodes?: true;
}

const ANY: ValueCheck = () => null;
const BOOLEAN: ValueCheck = (value) => (parseBoolean(value) === null ? `only [true] or [false] are allowed` : null);
const DURATION: ValueCheck = (value) =>
  parseDurationMs(value) === null ? 'a time with a unit is wanted, such as [30s]' : null;

/** Elasticsearch's lower bound: more often would be work without an end. */
const POLL_INTERVAL: ValueCheck = (value) => {
  const ms = parseDurationMs(value);
  return ms !== null && ms >= 1_000 ? null : 'a time of at least [1s] is wanted';
};

/** Elasticsearch's lower bound; less than nothing is no limit. */
const RETENTION: ValueCheck = (value) => {
  const ms = value.trim() === '-1' ? -1 : parseDurationMs(value);
  return ms !== null && (ms < 0 || ms >= 10_000) ? null : 'a time of at least [10s] is wanted, or [-1]';
};

/** Elasticsearch's lower bound. */
const INFO_INTERVAL: ValueCheck = (value) => {
  const ms = parseDurationMs(value);
  return ms !== null && ms >= 10_000 ? null : 'a time of at least [10s] is wanted';
};

/** Settings that the program acts on: the house test finds the reader of each. */
const RULES: readonly ActingSetting[] = [
  { name: 'action.auto_create_index', default: 'true', check: refusal(checkAutoCreateIndex), ofNodes: true },
  { name: 'action.search.shard_count.limit', check: integer(1) },
  { name: 'action.destructive_requires_name', default: 'true', check: BOOLEAN, ofNodes: true },
  { name: 'cluster.auto_shrink_voting_configuration', default: 'true', check: BOOLEAN },
  { name: 'cluster.blocks.read_only', default: 'false', check: BOOLEAN },
  { name: 'cluster.blocks.read_only_allow_delete', default: 'false', check: BOOLEAN },
  { name: 'cluster.indices.close.enable', default: 'true', check: BOOLEAN, ofNodes: true },
  { name: 'cluster.info.update.interval', default: '30s', check: INFO_INTERVAL, ofNodes: true },
  { name: 'cluster.max_shards_per_node', default: '1000', check: integer(1), ofNodes: true },
  { name: 'cluster.max_voting_config_exclusions', default: '10', check: integer(1), ofNodes: true },
  { name: 'cluster.no_cluster_manager_block', check: oneOf('all', 'write', 'metadata_write') },
  { name: 'cluster.no_master_block', default: 'write', check: oneOf('all', 'write', 'metadata_write') },
  {
    name: 'cluster.routing.allocation.allow_rebalance',
    default: 'indices_all_active',
    check: oneOf('always', 'indices_primaries_active', 'indices_all_active'),
    ofNodes: true,
  },
  { name: 'cluster.routing.allocation.awareness.attributes', check: ANY, ofNodes: true },
  {
    name: 'cluster.routing.allocation.awareness.force.*',
    check: (_, name) =>
      isForcedAwareness(name) ? null : 'only [cluster.routing.allocation.awareness.force.ATTRIBUTE.values] is read',
    ofNodes: true,
  },
  { name: 'cluster.routing.allocation.balance.index', default: '0.55', check: number(0), ofNodes: true },
  { name: 'cluster.routing.allocation.balance.shard', default: '0.45', check: number(0), ofNodes: true },
  { name: 'cluster.routing.allocation.balance.threshold', default: '1.0', check: number(1), ofNodes: true },
  {
    name: 'cluster.routing.allocation.cluster_concurrent_rebalance',
    default: '2',
    check: integer(-1),
    ofNodes: true,
  },
  { name: 'cluster.routing.allocation.disk.threshold_enabled', default: 'true', check: BOOLEAN, ofNodes: true },
  {
    name: 'cluster.routing.allocation.disk.watermark.enable_for_single_data_node',
    default: 'false',
    check: BOOLEAN,
    ofNodes: true,
  },
  ...WATERMARK_LEVELS.flatMap(({ setting, headroomSetting, defaultText }): readonly ActingSetting[] => [
    {
      name: setting,
      default: defaultText,
      check: refusal((value) => checkWatermark(value, setting)),
      ofNodes: true,
    },
    { name: headroomSetting, check: byteSize(headroomSetting), ofNodes: true },
  ]),
  {
    name: 'cluster.routing.allocation.enable',
    default: 'all',
    check: oneOf('all', 'primaries', 'new_primaries', 'none'),
    ofNodes: true,
  },
  { name: 'cluster.routing.allocation.exclude.*', check: ANY, ofNodes: true },
  { name: 'cluster.routing.allocation.include.*', check: ANY, ofNodes: true },
  { name: 'cluster.routing.allocation.node_concurrent_incoming_recoveries', check: integer(0), ofNodes: true },
  { name: 'cluster.routing.allocation.node_concurrent_outgoing_recoveries', check: integer(0), ofNodes: true },
  {
    name: 'cluster.routing.allocation.node_concurrent_recoveries',
    default: '2',
    check: integer(0),
    ofNodes: true,
  },
  { name: 'cluster.routing.allocation.node_initial_primaries_recoveries', check: integer(0), ofNodes: true },
  { name: 'cluster.routing.allocation.require.*', check: ANY, ofNodes: true },
  { name: 'cluster.routing.allocation.same_shard.host', default: 'false', check: BOOLEAN, ofNodes: true },
  { name: 'cluster.routing.allocation.total_shards_per_node', default: '-1', check: integer(-1), ofNodes: true },
  {
    name: 'cluster.routing.rebalance.enable',
    default: 'all',
    check: oneOf('all', 'primaries', 'replicas', 'none'),
    ofNodes: true,
  },
  { name: 'data_streams.failure_store.enabled', default: '', check: ANY, ofNodes: true },
  { name: 'data_streams.lifecycle.poll_interval', default: '5m', check: POLL_INTERVAL, ofNodes: true },
  { name: 'data_streams.lifecycle.retention.failures_default', default: '30d', check: RETENTION, ofNodes: true },
  { name: 'indices.id_field_data.enabled', default: 'true', check: BOOLEAN, ofNodes: true },
  { name: 'indices.lifecycle.poll_interval', default: '10m', check: POLL_INTERVAL, ofNodes: true },
  { name: 'indices.lifecycle.rollover.only_if_has_documents', default: 'true', check: BOOLEAN, ofNodes: true },
  {
    name: 'indices.recovery.max_bytes_per_sec',
    default: '40mb',
    check: byteSize('indices.recovery.max_bytes_per_sec'),
    ofNodes: true,
  },
  { name: 'search.allow_expensive_queries', default: 'true', check: BOOLEAN, ofNodes: true },
  { name: 'search.default_allow_partial_results', default: 'true', check: BOOLEAN, ofNodes: true },
  { name: 'search.default_search_timeout', default: '-1', check: DURATION, ofNodes: true },
  { name: 'search.max_buckets', default: '65535', check: integer(0), ofNodes: true },
  { name: 'search.max_keep_alive', default: '24h', check: DURATION, ofNodes: true },
  { name: 'search.max_open_scroll_context', default: '500', check: integer(0), ofNodes: true },
  { name: 'slm.minimum_interval', default: '15m', check: DURATION, ofNodes: true },
  { name: 'slm.retention_schedule', default: '0 30 1 * * ?', check: refusal(checkSchedule), ofNodes: true },
  { name: 'stack.templates.enabled', default: 'true', check: BOOLEAN, ofNodes: true },
];

interface SettingWithoutEffect extends ActingSetting {
  readonly because: string;
}

const NO_PERSISTENT_TASKS = 'no task outlives its node here';
const ONLY_LOGGED = 'it says what is logged as slow';
const RECOVERY = 'it paces recoveries, which end the same';
const NO_DOWNLOAD = 'no database is downloaded';
const COMPILATIONS = 'a script is compiled in a fraction of a millisecond, and as often as it is sent';
const NO_MONITORING = 'no node keeps indices about itself';

/** Limits of one context. */
const SCRIPT_CONTEXT: ValueCheck = (_, name) =>
  /^script\.context\.\w+\.(max_compilations_rate|cache_max_size|cache_expire)$/.test(name)
    ? null
    : 'it is no setting of a context';

/** Settings that no answer can depend on, for the reason beside each. */
const WITHOUT_EFFECT: readonly SettingWithoutEffect[] = [
  { name: 'cluster.metadata.*', check: ANY, because: 'notes of users, kept and shown' },
  ...['cluster.max_shards_per_node.frozen', 'cluster.routing.allocation.disk.watermark.flood_stage.frozen'].map(
    (name) => ({ name, check: ANY, because: 'no node holds frozen shards' }),
  ),
  {
    name: 'cluster.routing.allocation.disk.watermark.flood_stage.frozen.max_headroom',
    check: ANY,
    because: 'no node holds frozen shards',
  },
  {
    name: 'cluster.routing.allocation.type',
    check: oneOf('balanced', 'desired_balance'),
    because: 'both lead to the same balance, one step at a time or all planned first',
  },
  { name: 'cluster.persistent_tasks.allocation.enable', check: oneOf('all', 'none'), because: NO_PERSISTENT_TASKS },
  { name: 'cluster.persistent_tasks.allocation.recheck_interval', check: DURATION, because: NO_PERSISTENT_TASKS },
  { name: 'cluster.service.slow_task_logging_threshold', check: DURATION, because: ONLY_LOGGED },
  { name: 'cluster.service.slow_master_task_logging_threshold', check: DURATION, because: ONLY_LOGGED },
  { name: 'indices.recovery.internal_action_timeout', check: DURATION, because: RECOVERY },
  { name: 'indices.recovery.internal_action_long_timeout', check: DURATION, because: RECOVERY },
  { name: 'indices.recovery.recovery_activity_timeout', check: DURATION, because: RECOVERY },
  { name: 'indices.recovery.max_concurrent_file_chunks', check: integer(1), because: RECOVERY },
  { name: 'indices.recovery.max_concurrent_operations', check: integer(1), because: RECOVERY },
  { name: 'indices.recovery.retry_delay_network', check: DURATION, because: RECOVERY },
  { name: 'indices.recovery.retry_delay_state_sync', check: DURATION, because: RECOVERY },
  { name: 'ingest.geoip.downloader.poll.interval', check: DURATION, because: NO_DOWNLOAD },
  { name: 'ingest.geoip.downloader.endpoint', check: ANY, because: NO_DOWNLOAD },
  { name: 'script.max_compilations_rate', check: ANY, because: COMPILATIONS },
  { name: 'script.context.*', check: SCRIPT_CONTEXT, because: COMPILATIONS },
  {
    name: 'search.low_level_cancellation',
    check: BOOLEAN,
    because: 'a search that is cancelled ends at its next look in any case',
  },
  { name: 'slm.retention_duration', check: DURATION, because: 'what one run leaves is deleted by the next' },
  { name: 'xpack.monitoring.collection.interval', check: DURATION, because: NO_MONITORING },
  { name: 'xpack.monitoring.elasticsearch.collection.enabled', check: BOOLEAN, because: NO_MONITORING },
  { name: 'xpack.monitoring.history.duration', check: DURATION, because: NO_MONITORING },
  {
    name: 'search.default_keep_alive',
    check: DURATION,
    because: 'every scroll and point in time says how long it is kept',
  },
];

/** Settings of which only values that ask for nothing are taken. */
const NEUTRAL_ONLY: readonly SettingRule[] = [
  { name: 'ingest.geoip.downloader.enabled', check: only(['false'], NO_DOWNLOAD) },
  { name: 'ingest.geoip.downloader.eager.download', check: only(['false'], NO_DOWNLOAD) },
  { name: 'xpack.monitoring.collection.enabled', check: only(['false'], NO_MONITORING) },
  { name: 'logger.*', check: only([], 'the log has one level, which the command sets at the start of a node') },
];

const ALL_RULES: readonly SettingRule[] = [...RULES, ...WITHOUT_EFFECT, ...NEUTRAL_ONLY];

/** Names of the settings that somebody must read, groups with their `*`, for the test that finds the readers. */
export function clusterSettingNames(): readonly string[] {
  return RULES.map((rule) => rule.name);
}

/** Settings that may also be given to a node when it starts, with what holds where they are not set. */
export function clusterSettingsOfNodes(): readonly { readonly name: string; readonly defaultText: string }[] {
  return RULES.filter((rule) => rule.ofNodes === true).map((rule) => ({
    name: rule.name,
    defaultText: rule.default ?? '',
  }));
}

/** What holds where nothing is set, by name. */
export function clusterSettingDefaults(): Readonly<Record<string, string>> {
  const rules: readonly ActingSetting[] = [...RULES, ...WITHOUT_EFFECT];
  return Object.fromEntries(
    rules.flatMap((rule) => (rule.default === undefined ? [] : [[rule.name, rule.default] as const])),
  );
}

/** Throws when the value is not one that this setting takes. The name must be known. */
export function checkClusterSetting(name: string, value: string): void {
  const why = ruleOf(name)?.check(value, name) ?? null;
  if (why !== null) throw illegalArgument(`Failed to parse value [${value}] for setting [${name}]: ${why}`);
}

export function isKnownClusterSetting(name: string): boolean {
  return ruleOf(name) !== null;
}

/** `persistent setting [x], not recognized`, with the nearest names. */
export function unknownClusterSetting(kind: 'persistent' | 'transient', name: string): Error {
  const near = nearestNames(name);
  const hint =
    near.length === 0
      ? ''
      : near.length === 1
        ? ` did you mean [${near[0]}]?`
        : ` did you mean any of [${near.join(', ')}]?`;
  return illegalArgument(`${kind} setting [${name}], not recognized${hint}`);
}

function ruleOf(name: string): SettingRule | null {
  return (
    ALL_RULES.find(
      (rule) => rule.name === name || (rule.name.endsWith('*') && name.startsWith(rule.name.slice(0, -1))),
    ) ?? null
  );
}

const NEAR_SHARE = 0.3;
const NEAR_COUNT = 3;

function nearestNames(name: string): readonly string[] {
  return ALL_RULES.map((rule) => ({ name: rule.name, distance: editDistance(name, rule.name, false) }))
    .filter(({ name: known, distance }) => distance <= Math.max(name.length, known.length) * NEAR_SHARE)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAR_COUNT)
    .map((near) => near.name);
}

function oneOf(...words: readonly string[]): ValueCheck {
  return (value) => (words.includes(value.toLowerCase()) ? null : `must be one of [${words.join(', ')}]`);
}

function integer(min: number): ValueCheck {
  return (value) => {
    if (!/^-?\d{1,15}$/.test(value)) return 'a whole number is wanted';
    return Number(value) < min ? `must be >= ${min}` : null;
  };
}

function number(min: number): ValueCheck {
  return (value) => {
    if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return 'a number is wanted';
    return Number(value) < min ? `must be >= ${min}` : null;
  };
}

function only(values: readonly string[], why: string): ValueCheck {
  return (value) => (values.includes(value) ? null : why);
}

/** Check that throws the whole error itself. */
function refusal(check: (value: string) => void): ValueCheck {
  return (value) => {
    check(value);
    return null;
  };
}

function byteSize(name: string): ValueCheck {
  return refusal((value) => {
    try {
      parseByteSize(value, name);
    } catch (error) {
      const causedBy = asShoalError(error);
      throw illegalArgument(causedBy.message, { causedBy });
    }
  });
}

/** An empty schedule switches off what it is for. */
function checkSchedule(value: string): void {
  if (value !== '') parseSchedule(value);
}
