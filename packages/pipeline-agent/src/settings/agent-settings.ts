/**
 * Every setting of an agent and of its pipelines, declared once: names and defaults as Logstash has them where it has them.
 */
import {
  booleanSetting,
  byteSizeSetting,
  choiceSetting,
  integerSetting,
  listSetting,
  type PortRange,
  portSetting,
  type SettingDefinition,
  SettingsRegistry,
  textSetting,
  timeSetting,
} from '@shoal/core';
import { UNUSED_AGENT_SETTINGS, UNUSED_PIPELINE_SETTINGS } from './unused-settings.ts';

export const NODE_NAME: SettingDefinition<string> = textSetting('node.name', '');
export const PATH_DATA: SettingDefinition<string> = textSetting('path.data', 'data/agent');
/** Folder with `pipelines.yml`. */
export const PATH_SETTINGS: SettingDefinition<string> = textSetting('path.settings', '.');
export const PATH_CONFIG: SettingDefinition<string> = textSetting('path.config', '');
export const PATH_PLUGINS: SettingDefinition<readonly string[]> = listSetting('path.plugins', '');
export const PATH_QUEUE: SettingDefinition<string> = textSetting('path.queue', '');
export const PATH_DEAD_LETTER_QUEUE: SettingDefinition<string> = textSetting('path.dead_letter_queue', '');
export const CONFIG_STRING: SettingDefinition<string> = textSetting('config.string', '');
const TEST_AND_EXIT: SettingDefinition<boolean> = booleanSetting('config.test_and_exit', false);
export const RELOAD_AUTOMATIC: SettingDefinition<boolean> = booleanSetting('config.reload.automatic', false);
export const RELOAD_INTERVAL: SettingDefinition<number> = timeSetting('config.reload.interval', '3s', { min: 1 });
export const SUPPORT_ESCAPES: SettingDefinition<boolean> = booleanSetting('config.support_escapes', false);
export const ESCAPE_STYLE: SettingDefinition<'none' | 'percent' | 'ampersand'> = choiceSetting(
  'config.field_reference.escape_style',
  'none',
  ['none', 'percent', 'ampersand'],
);
export const PIPELINE_ID: SettingDefinition<string> = textSetting('pipeline.id', 'main');
/** 0: one a core. */
export const WORKERS: SettingDefinition<number> = integerSetting('pipeline.workers', 0, { min: 0, max: 256 });
export const BATCH_SIZE: SettingDefinition<number> = integerSetting('pipeline.batch.size', 125, {
  min: 1,
  max: 100_000,
});
/** Milliseconds. */
export const BATCH_DELAY: SettingDefinition<number> = integerSetting('pipeline.batch.delay', 50, {
  min: 0,
  max: 3_600_000,
});
export const ORDERED: SettingDefinition<'auto' | 'true' | 'false'> = choiceSetting('pipeline.ordered', 'auto', [
  'auto',
  'true',
  'false',
]);
/** What is stuck in memory at the end of the process is lost instead of waited for. */
export const UNSAFE_SHUTDOWN: SettingDefinition<boolean> = booleanSetting('pipeline.unsafe_shutdown', false);
export const RELOADABLE: SettingDefinition<boolean> = booleanSetting('pipeline.reloadable', true);
export const ECS: SettingDefinition<'disabled' | 'v1' | 'v8'> = choiceSetting('pipeline.ecs_compatibility', 'v8', [
  'disabled',
  'v1',
  'v8',
]);
export const QUEUE_TYPE: SettingDefinition<'memory' | 'persisted'> = choiceSetting('queue.type', 'memory', [
  'memory',
  'persisted',
]);
export const QUEUE_PAGE: SettingDefinition<number> = byteSizeSetting('queue.page_capacity', '64mb', { min: 4096 });
export const QUEUE_BYTES: SettingDefinition<number> = byteSizeSetting('queue.max_bytes', '1024mb', { min: 4096 });
/** Memory that the events of a pipeline take in a queue of type `memory` and with its workers. */
export const QUEUE_MEMORY_BYTES: SettingDefinition<number> = byteSizeSetting('queue.memory.max_bytes', '128mb', {
  min: 1,
});
export const QUEUE_EVENTS: SettingDefinition<number> = integerSetting('queue.max_events', 0, { min: 0 });
export const QUEUE_COMPRESSION: SettingDefinition<'none' | 'speed' | 'balanced' | 'size'> = choiceSetting(
  'queue.compression',
  'none',
  ['none', 'speed', 'balanced', 'size'],
);
export const CHECKPOINT_ACKS: SettingDefinition<number> = integerSetting('queue.checkpoint.acks', 1024, { min: 1 });
export const CHECKPOINT_WRITES: SettingDefinition<number> = integerSetting('queue.checkpoint.writes', 1024, { min: 1 });
/** Milliseconds. */
export const CHECKPOINT_INTERVAL: SettingDefinition<number> = integerSetting('queue.checkpoint.interval', 1000, {
  min: 1,
});
export const QUEUE_DRAIN: SettingDefinition<boolean> = booleanSetting('queue.drain', false);
export const DLQ_ENABLE: SettingDefinition<boolean> = booleanSetting('dead_letter_queue.enable', false);
export const DLQ_BYTES: SettingDefinition<number> = byteSizeSetting('dead_letter_queue.max_bytes', '1024mb', {
  min: 1,
});
/** Milliseconds. */
export const DLQ_FLUSH: SettingDefinition<number> = integerSetting('dead_letter_queue.flush_interval', 5000, {
  min: 1000,
});
export const DLQ_POLICY: SettingDefinition<'drop_newer' | 'drop_older'> = choiceSetting(
  'dead_letter_queue.storage_policy',
  'drop_newer',
  ['drop_newer', 'drop_older'],
);
/** 0: kept for ever. */
export const DLQ_RETAIN: SettingDefinition<number> = timeSetting('dead_letter_queue.retain.age', '0', { min: 0 });
export const API_ENABLED: SettingDefinition<boolean> = booleanSetting('api.enabled', true, {
  aliases: ['http.enabled'],
});
/** Every address when it is not set and the API has users and TLS. */
export const API_HOST: SettingDefinition<string> = textSetting('api.http.host', '127.0.0.1', {
  aliases: ['http.host'],
});
/** Names under which an API without users may be asked, beside its own: `es.example.com`, `*.example.com`; `*`: any. */
export const API_ALLOWED_HOSTS: SettingDefinition<readonly string[]> = listSetting('api.http.allowed_hosts', '');
export const API_PORT: SettingDefinition<PortRange> = portSetting('api.http.port', '9600-9700', {
  aliases: ['http.port'],
});
/** What is written is decided by the log that the agent is given; here it says whether plugins explain themselves. */
export const LOG_LEVEL: SettingDefinition<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'> =
  choiceSetting('log.level', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);
/** The same: whoever makes the log reads these. */
const LOG_FORMAT: SettingDefinition<'json' | 'plain'> = choiceSetting('log.format', 'json', ['json', 'plain']);
const PATH_LOGS: SettingDefinition<string> = textSetting('path.logs', '');
export const API_AUTH: SettingDefinition<'none' | 'basic'> = choiceSetting('api.auth.type', 'none', ['none', 'basic']);
export const API_USER: SettingDefinition<string> = textSetting('api.auth.basic.username', '');
export const API_PASSWORD: SettingDefinition<string> = textSetting('api.auth.basic.password', '');
export const API_TLS: SettingDefinition<boolean> = booleanSetting('api.ssl.enabled', false);
/** PKCS#12. */
export const API_KEYSTORE: SettingDefinition<string> = textSetting('api.ssl.keystore.path', '');
export const API_KEYSTORE_PASSWORD: SettingDefinition<string> = textSetting('api.ssl.keystore.password', '');
/** PEM, with those that signed it behind it. */
export const API_CERTIFICATE: SettingDefinition<string> = textSetting('api.ssl.certificate', '');
export const API_KEY: SettingDefinition<string> = textSetting('api.ssl.key', '');
export const API_KEY_PASSPHRASE: SettingDefinition<string> = textSetting('api.ssl.key_passphrase', '');
/** The API listens beyond this machine although it has no TLS or no users. */
export const INSECURE: SettingDefinition<boolean> = booleanSetting('insecure', false);

/** When an input tells its source that it has an event: once the queue has it, or once the outputs are done with it. */
export const ACKNOWLEDGE: SettingDefinition<'queue' | 'outputs'> = choiceSetting('delivery.acknowledge', 'queue', [
  'queue',
  'outputs',
]);

/**
 * `own`: the inputs of the pipeline have a thread of their own, of some twenty mebibytes; `shared`: that of all pipelines and the API. `auto`: the
 * shared one, and one of their own from the start on that follows on a time in which they kept the shared one busy.
 */
export const INPUT_THREAD: SettingDefinition<'auto' | 'shared' | 'own'> = choiceSetting(
  'pipeline.inputs.thread',
  'auto',
  ['auto', 'shared', 'own'],
);

/** Cluster under which tools show this agent, where no output names one. */
export const CLUSTER_UUID: SettingDefinition<string> = textSetting('monitoring.cluster_uuid', '');

/** What `pipelines.yml` may set for each pipeline. */
const PIPELINE_SETTINGS: readonly SettingDefinition<unknown>[] = [
  PATH_CONFIG,
  PATH_QUEUE,
  PATH_DEAD_LETTER_QUEUE,
  CONFIG_STRING,
  SUPPORT_ESCAPES,
  ESCAPE_STYLE,
  PIPELINE_ID,
  WORKERS,
  BATCH_SIZE,
  BATCH_DELAY,
  ORDERED,
  UNSAFE_SHUTDOWN,
  RELOADABLE,
  ECS,
  QUEUE_TYPE,
  QUEUE_PAGE,
  QUEUE_BYTES,
  QUEUE_MEMORY_BYTES,
  QUEUE_EVENTS,
  QUEUE_COMPRESSION,
  CHECKPOINT_ACKS,
  CHECKPOINT_WRITES,
  CHECKPOINT_INTERVAL,
  QUEUE_DRAIN,
  DLQ_ENABLE,
  DLQ_BYTES,
  DLQ_FLUSH,
  DLQ_POLICY,
  DLQ_RETAIN,
  ACKNOWLEDGE,
  INPUT_THREAD,
  ...UNUSED_PIPELINE_SETTINGS,
];

export const AGENT_SETTINGS: SettingsRegistry = new SettingsRegistry([
  ...PIPELINE_SETTINGS,
  NODE_NAME,
  PATH_DATA,
  PATH_SETTINGS,
  PATH_PLUGINS,
  TEST_AND_EXIT,
  RELOAD_AUTOMATIC,
  RELOAD_INTERVAL,
  API_ENABLED,
  API_HOST,
  API_ALLOWED_HOSTS,
  API_PORT,
  API_AUTH,
  API_USER,
  API_PASSWORD,
  API_TLS,
  API_KEYSTORE,
  API_KEYSTORE_PASSWORD,
  API_CERTIFICATE,
  API_KEY,
  API_KEY_PASSPHRASE,
  INSECURE,
  CLUSTER_UUID,
  LOG_LEVEL,
  LOG_FORMAT,
  PATH_LOGS,
  ...UNUSED_AGENT_SETTINGS,
]);

/** Names that may stand in an entry of `pipelines.yml`. */
export const PIPELINE_SETTING_NAMES: ReadonlySet<string> = new Set(PIPELINE_SETTINGS.map(({ name }) => name));
