/**
 * Settings of Elasticsearch that ask for what is not here: taken where leaving them out gives the same node, so that a configuration
 * written for it starts, and refused where it would give another one.
 */
import {
  booleanSetting,
  byteSizeSetting,
  choiceSetting,
  illegalArgument,
  integerSetting,
  type SettingDefinition,
  type Settings,
  textSetting,
  timeSetting,
} from '@shoal/core';

interface SettingWithoutEffect {
  readonly definition: SettingDefinition<unknown>;
  /** Why no answer depends on it. */
  readonly because: string;
}

const NO_JVM = 'a node leaves it to the system which memory is swapped';
const NOT_HERE = 'the feature is not here, on or off';

const WITHOUT_EFFECT: readonly SettingWithoutEffect[] = [
  { definition: booleanSetting('bootstrap.memory_lock', false), because: NO_JVM },
  { definition: booleanSetting('bootstrap.system_call_filter', true), because: 'no process is started by a node' },
  {
    definition: integerSetting('discovery.zen.minimum_master_nodes', -1),
    because: 'nodes that vote find the majority by themselves',
  },
  {
    definition: integerSetting('node.max_local_storage_nodes', 1, { min: 1 }),
    because: 'each node has a data folder of its own',
  },
  {
    definition: timeSetting('gateway.recover_after_time', '0ms'),
    because: 'shards are opened as soon as they are found',
  },
  {
    definition: integerSetting('gateway.expected_data_nodes', -1),
    because: 'shards are opened as soon as they are found',
  },
  {
    definition: integerSetting('gateway.recover_after_data_nodes', -1),
    because: 'no copy is made anew when a node is late',
  },
  {
    definition: choiceSetting('cluster.routing.allocation.disk.threshold_enabled', 'false', ['false']),
    because: 'free space on disks does not decide where shards go',
  },
  { definition: booleanSetting('ingest.geoip.downloader.enabled', true), because: 'no database is fetched' },
  { definition: textSetting('path.logs', ''), because: 'a node writes its log to its output' },
  {
    definition: byteSizeSetting('indices.recovery.max_bytes_per_sec', '40mb'),
    because: 'it says how fast shards are copied',
  },
  { definition: booleanSetting('xpack.ml.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.graph.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.watcher.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.monitoring.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.monitoring.collection.enabled', false), because: NOT_HERE },
  {
    definition: choiceSetting('xpack.license.self_generated.type', 'basic', ['basic']),
    because: 'every feature that is here is free',
  },
];

/** Switches that protect a node: on, a node without that protection must not start as if it had it. */
const PROTECTIONS: readonly SettingDefinition<boolean>[] = [
  booleanSetting('xpack.security.enabled', false),
  booleanSetting('xpack.security.enrollment.enabled', false),
  booleanSetting('xpack.security.http.ssl.enabled', false),
  booleanSetting('xpack.security.transport.ssl.enabled', false),
  booleanSetting('xpack.security.audit.enabled', false),
  booleanSetting('xpack.security.authc.api_key.enabled', false),
];

export const ELASTICSEARCH_SETTINGS: readonly SettingDefinition<unknown>[] = [
  ...WITHOUT_EFFECT.map(({ definition }) => definition),
  ...PROTECTIONS,
];

/** @throws illegal_argument_exception that says what to do instead */
export function refuseProtections(settings: Settings): void {
  const wanted = PROTECTIONS.find((protection) => settings.get(protection));
  if (wanted === undefined) return;
  throw illegalArgument(
    `[${wanted.name}] is [true], and a node has neither users nor TLS of its own: set it to false, let the node listen on loopback only, ` +
      'and put a proxy in front of it that has both',
  );
}

/** Settings that the user gave and that do nothing, each with its reason. */
export function settingsWithoutEffect(
  settings: Settings,
): readonly { readonly name: string; readonly because: string }[] {
  return WITHOUT_EFFECT.filter(({ definition }) => settings.isSet(definition)).map(({ definition, because }) => ({
    name: definition.name,
    because,
  }));
}
