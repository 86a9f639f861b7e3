/**
 * Settings of Elasticsearch that ask for what is not here: taken where leaving them out gives the same node, so that a configuration
 * written for it starts, and refused where it would give another one.
 */
import {
  booleanSetting,
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

const NO_JVM_THREADS = 'node.workers says how many threads a node has';
const NO_JVM = 'a node leaves it to the system which memory is swapped';
const NOT_HERE = 'the feature is not here, on or off';
const OWN_MEMORY = 'memory is shared out by indices.memory.bytes, indices.requests.cache.size and the breakers';
const OWN_LOG = 'the log has one level, which the command sets at the start of a node';
/** Most clauses of one query: a node that asks for more must not start as if it had them. */
const CLAUSES_MAX = 4_096;

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
  { definition: booleanSetting('node.store.allow_mmap', true), because: 'files are read, not mapped' },
  { definition: integerSetting('node.processors', 1, { min: 1, aliases: ['processors'] }), because: NO_JVM_THREADS },
  { definition: textSetting('thread_pool.*', ''), because: NO_JVM_THREADS },
  { definition: textSetting('indices.memory.index_buffer_size', '10%'), because: OWN_MEMORY },
  { definition: textSetting('indices.memory.min_index_buffer_size', '48mb'), because: OWN_MEMORY },
  { definition: textSetting('indices.fielddata.cache.size', '-1'), because: OWN_MEMORY },
  { definition: textSetting('indices.queries.cache.size', '10%'), because: OWN_MEMORY },
  { definition: textSetting('indices.breaker.fielddata.limit', '40%'), because: OWN_MEMORY },
  {
    definition: integerSetting('indices.query.bool.max_clause_count', CLAUSES_MAX, { min: 1, max: CLAUSES_MAX }),
    because: `every query may have ${CLAUSES_MAX} clauses`,
  },
  {
    definition: textSetting('script.max_compilations_rate', ''),
    because: 'scripts are compiled as often as they are asked for',
  },
  { definition: textSetting('logger.*', ''), because: OWN_LOG },
  {
    definition: booleanSetting('cluster.deprecation_indexing.enabled', false),
    because: 'warnings are given with answers and written nowhere else',
  },
  { definition: booleanSetting('http.compression', true), because: 'answers are packed for clients that ask for it' },
  {
    definition: choiceSetting('script.allowed_types', 'both', ['both', 'inline, stored', 'inline,stored']),
    because: 'scripts of both kinds run',
  },
  {
    definition: choiceSetting('rest.action.multi.allow_explicit_index', 'true', ['true']),
    because: 'bodies may name indices',
  },
  { definition: booleanSetting('ingest.geoip.downloader.enabled', true), because: 'no database is fetched' },
  { definition: textSetting('path.logs', ''), because: 'a node writes its log to its output' },
  { definition: booleanSetting('xpack.ml.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.graph.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.watcher.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.monitoring.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.monitoring.collection.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.monitoring.templates.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.ccr.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.rollup.enabled', false), because: NOT_HERE },
  { definition: booleanSetting('xpack.sql.enabled', false), because: NOT_HERE },
  {
    definition: choiceSetting('xpack.enrich.enabled', 'true', ['true']),
    because: 'policies can always be executed',
  },
  { definition: choiceSetting('xpack.ilm.enabled', 'true', ['true']), because: 'policies are always executed' },
  {
    definition: choiceSetting('xpack.license.self_generated.type', 'basic', ['basic']),
    because: 'every feature that is here is free',
  },
];

/** Password of the user `elastic` over HTTP. Never shown. */
const PASSWORD = textSetting('bootstrap.password', '');
/** False: nobody is asked for the password. */
const SECURITY = booleanSetting('xpack.security.enabled', false);
/** Switches that protect a node: on, a node without that protection must not start as if it had it. */
const PROTECTIONS: readonly SettingDefinition<boolean>[] = [
  booleanSetting('xpack.security.enrollment.enabled', false),
  booleanSetting('xpack.security.http.ssl.enabled', false),
  booleanSetting('xpack.security.transport.ssl.enabled', false),
  booleanSetting('xpack.security.audit.enabled', false),
  booleanSetting('xpack.security.authc.api_key.enabled', false),
];

export const ELASTICSEARCH_SETTINGS: readonly SettingDefinition<unknown>[] = [
  ...WITHOUT_EFFECT.map(({ definition }) => definition),
  PASSWORD,
  SECURITY,
  ...PROTECTIONS,
];

/** Names of settings that no answer shows. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set([PASSWORD.name]);

/** Password that every request must have; null: none is set, or security is switched off. */
export function passwordOf(settings: Settings): string | null {
  if (settings.isSet(SECURITY) && !settings.get(SECURITY)) return null;
  return settings.get(PASSWORD) || null;
}

/** @throws illegal_argument_exception that says what to do instead */
export function refuseProtections(settings: Settings): void {
  if (settings.get(SECURITY) && passwordOf(settings) === null) {
    throw illegalArgument(
      `[${SECURITY.name}] is [true], and there is no password that users could be asked for: set [${PASSWORD.name}], the password of the user ` +
        `[elastic], or set [${SECURITY.name}] to false`,
    );
  }
  const wanted = PROTECTIONS.find((protection) => settings.get(protection));
  if (wanted === undefined) return;
  throw illegalArgument(
    `[${wanted.name}] is [true], and a node has neither TLS nor users beyond one with a password: set it to false, let the node listen on loopback only, ` +
      'and put a proxy in front of it that has both',
  );
}

/** Settings that the user gave and that do nothing, each with its reason. */
export function settingsWithoutEffect(
  settings: Settings,
): readonly { readonly name: string; readonly because: string }[] {
  return WITHOUT_EFFECT.flatMap(({ definition, because }) =>
    settings.namesGiven(definition).map((name) => ({ name, because })),
  );
}
