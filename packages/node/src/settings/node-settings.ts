/**
 * Every setting of a node, declared once: name, type, default, bounds, dynamic or not. Names and defaults are
 * Elasticsearch's where it has them.
 */

import { checkClusterSetting, clusterSettingsOfNodes } from '@shoal/cluster';
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
import type { HttpAdapter } from '@shoal/http';
import { COORDINATION_SETTINGS } from './coordination-setting-definitions.ts';
import { ELASTICSEARCH_SETTINGS } from './elasticsearch-settings.ts';

export const CLUSTER_NAME: SettingDefinition<string> = textSetting('cluster.name', 'shoal');
export const NODE_NAME: SettingDefinition<string> = textSetting('node.name', '');
/** Default of a data node; a coordinator has none. Set to an empty list: a node that only coordinates. */
export const NODE_ROLES: SettingDefinition<readonly string[]> = listSetting(
  'node.roles',
  'cluster_manager,data,ingest',
);
/** Roles one by one, as configurations before `node.roles` say them: what is false is taken from the default roles. */
export const NODE_MASTER: SettingDefinition<boolean> = booleanSetting('node.master', true);
export const NODE_DATA: SettingDefinition<boolean> = booleanSetting('node.data', true);
export const NODE_INGEST: SettingDefinition<boolean> = booleanSetting('node.ingest', true);
export const NODE_VOTING_ONLY: SettingDefinition<boolean> = booleanSetting('node.voting_only', false);
export const NODE_ATTRIBUTES: SettingDefinition<string> = textSetting('node.attr.*', '');
/** Worker threads for shards; 0: as many as cores. */
export const NODE_WORKERS: SettingDefinition<number> = integerSetting('node.workers', 0, { min: 0, max: 1024 });
/** Silence after which the thread of a worker counts as stuck: its shards fail, and it is ended and replaced; -1: never. */
export const WORKER_SILENT_LIMIT: SettingDefinition<number> = timeSetting('node.worker.silent_limit', '120s', {
  min: -1,
});
/** Read by whoever makes the runtime: its disk begins there. */
const PATH_DATA: SettingDefinition<string> = textSetting('path.data', 'data');
/** Read by whoever makes the runtime: folder of the files that settings of indices and pipelines name. */
const PATH_CONF: SettingDefinition<string> = textSetting('path.conf', 'config');
/** Folders that repositories of snapshots may lie in; the same ones on every node. Empty: there are no repositories. */
export const PATH_REPO: SettingDefinition<readonly string[]> = listSetting('path.repo', '');
/** Allows listening beyond loopback without TLS and users. */
export const INSECURE: SettingDefinition<boolean> = booleanSetting('insecure', false);

export const NETWORK_HOST: SettingDefinition<string> = textSetting('network.host', '127.0.0.1', {
  aliases: ['network.bind_host'],
});
export const NETWORK_PUBLISH_HOST: SettingDefinition<string> = textSetting('network.publish_host', '');
export const HTTP_HOST: SettingDefinition<string> = textSetting('http.host', '', { aliases: ['http.bind_host'] });
export const HTTP_PUBLISH_HOST: SettingDefinition<string> = textSetting('http.publish_host', '');
export const HTTP_PORT: SettingDefinition<PortRange> = portSetting('http.port', '9200-9300');
export const HTTP_CONTENT_BYTES_MAX: SettingDefinition<number> = byteSizeSetting('http.max_content_length', '100mb', {
  min: 1024,
  max: 0x7fff_ffff,
});
/** File of the access log, relative to the data folder; `true`: `logs/http-access.log`; empty or `false`: none. */
export const HTTP_ACCESS_LOG: SettingDefinition<string> = textSetting('http.access_log', '', {
  aliases: ['http.access_log.path'],
});
/** Size of one file of the access log; full ones are kept for a while beside it. */
export const HTTP_ACCESS_LOG_SIZE: SettingDefinition<number> = byteSizeSetting('http.access_log.max_size', '16mb', {
  min: 4096,
});
/** `express`: all but hot requests go through Express; `express-all`: those too, for its middleware; `node`: none. */
export const HTTP_ADAPTER: SettingDefinition<HttpAdapter> = choiceSetting('http.adapter', 'express', [
  'express',
  'express-all',
  'node',
]);

/** Names under which a node without users may be asked, beside its own: `es.example.com`, `*.example.com`; `*`: any. */
export const HTTP_ALLOWED_HOSTS: SettingDefinition<readonly string[]> = listSetting('http.allowed_hosts', '');
/** Lets pages of other sites in, as far as the other settings of this group say. */
export const CORS_ENABLED: SettingDefinition<boolean> = booleanSetting('http.cors.enabled', false);
/** Origins, `*`, or a regular expression between slashes that is the whole origin. */
export const CORS_ALLOW_ORIGIN: SettingDefinition<string> = textSetting('http.cors.allow-origin', '');
export const CORS_ALLOW_METHODS: SettingDefinition<readonly string[]> = listSetting(
  'http.cors.allow-methods',
  'OPTIONS,HEAD,GET,POST,PUT,DELETE',
);
export const CORS_ALLOW_HEADERS: SettingDefinition<readonly string[]> = listSetting(
  'http.cors.allow-headers',
  'X-Requested-With,Content-Type,Content-Length,Authorization,Accept,User-Agent,X-Elastic-Client-Meta',
);
export const CORS_EXPOSE_HEADERS: SettingDefinition<readonly string[]> = listSetting(
  'http.cors.expose-headers',
  'X-elastic-product',
);
export const CORS_ALLOW_CREDENTIALS: SettingDefinition<boolean> = booleanSetting('http.cors.allow-credentials', false);
/** Seconds. */
export const CORS_MAX_AGE: SettingDefinition<number> = integerSetting('http.cors.max-age', 1_728_000, { min: -1 });

export const TRANSPORT_HOST: SettingDefinition<string> = textSetting('transport.host', '', {
  aliases: ['transport.bind_host'],
});
export const TRANSPORT_PUBLISH_HOST: SettingDefinition<string> = textSetting('transport.publish_host', '');
export const TRANSPORT_PORT: SettingDefinition<PortRange> = portSetting('transport.port', '9300-9400', {
  aliases: ['transport.tcp.port'],
});
export const TRANSPORT_CONNECT_TIMEOUT: SettingDefinition<number> = timeSetting('transport.connect_timeout', '30s', {
  min: 1,
});
export const TRANSPORT_COMPRESS: SettingDefinition<'false' | 'indexing_data' | 'true'> = choiceSetting(
  'transport.compress',
  'false',
  ['false', 'indexing_data', 'true'],
);
export const TRANSPORT_PING_SCHEDULE: SettingDefinition<number> = timeSetting('transport.ping_schedule', '-1');
export const TRANSPORT_MAX_FRAME: SettingDefinition<number> = byteSizeSetting('transport.max_frame', '64mb', {
  min: 1024 * 1024,
  max: 0x7fff_ffff,
});
const perNode = (channel: string, count: number): SettingDefinition<number> =>
  integerSetting(`transport.connections_per_node.${channel}`, count, { min: 1, max: 64 });
export const CONNECTIONS_PING: SettingDefinition<number> = perNode('ping', 1);
export const CONNECTIONS_STATE: SettingDefinition<number> = perNode('state', 1);
export const CONNECTIONS_RECOVERY: SettingDefinition<number> = perNode('recovery', 1);
export const CONNECTIONS_BULK: SettingDefinition<number> = perNode('bulk', 2);
export const CONNECTIONS_REG: SettingDefinition<number> = perNode('reg', 2);

export const SEED_HOSTS: SettingDefinition<readonly string[]> = listSetting('discovery.seed_hosts', '', {
  aliases: ['discovery.zen.ping.unicast.hosts'],
});
export const DISCOVERY_TYPE: SettingDefinition<'multi-node' | 'single-node'> = choiceSetting(
  'discovery.type',
  'multi-node',
  ['multi-node', 'single-node'],
);
export const INITIAL_CLUSTER_MANAGERS: SettingDefinition<readonly string[]> = listSetting(
  'cluster.initial_cluster_manager_nodes',
  '',
  { aliases: ['cluster.initial_master_nodes'] },
);

export const NO_MASTER_BLOCK: SettingDefinition<'metadata_write' | 'write' | 'all'> = choiceSetting(
  'cluster.no_master_block',
  'write',
  ['metadata_write', 'write', 'all'],
  { isDynamic: true, aliases: ['cluster.no_cluster_manager_block'] },
);

/** Part of the heap (`10%`) or a size. */
export const INDEXING_PRESSURE_LIMIT: SettingDefinition<string> = textSetting('indexing_pressure.memory.limit', '10%');

/**
 * Memory of the segments of all shards: part of the machine's (`25%`) or a size. What files have is read again when it did not fit;
 * writes are refused when what no file has yet does not.
 */
export const INDICES_MEMORY: SettingDefinition<string> = textSetting('indices.memory.bytes', '25%');

/** Memory of the answers of searches that are kept to be given again: part of the heap (`1%`) or a size. */
export const REQUEST_CACHE_SIZE: SettingDefinition<string> = textSetting('indices.requests.cache.size', '1%');

/** Memory that the searches of a node may hold at one moment: part of the heap or a size. Beyond it they are refused. */
export const REQUEST_BREAKER_LIMIT: SettingDefinition<string> = textSetting('indices.breaker.request.limit', '60%');

/** Memory of the process above which searches are refused: part of the machine's memory or a size. */
export const PARENT_BREAKER_LIMIT: SettingDefinition<string> = textSetting('indices.breaker.total.limit', '95%');
/** True to judge by what the process really holds, not by what its breakers count alone. */
export const PARENT_BREAKER_REAL: SettingDefinition<boolean> = booleanSetting(
  'indices.breaker.total.use_real_memory',
  true,
);

/** Longest wait for the cluster manager to confirm new fields of a write. */
export const MAPPING_TIMEOUT: SettingDefinition<number> = timeSetting('indices.mapping.dynamic_timeout', '30s', {
  min: 1,
});
/** Cluster settings that a node may be started with: they hold where the cluster sets none. */
export const CLUSTER_SETTINGS: readonly SettingDefinition<string>[] = clusterSettingsOfNodes().map(
  ({ name, defaultText }) => ({
    name,
    aliases: [],
    defaultText,
    isDynamic: true,
    parse: (text, at) => {
      checkClusterSetting(at, text);
      return text;
    },
  }),
);
/** Patterns of `host:port` of clusters that `_reindex` may copy from. */
export const REINDEX_REMOTE_HOSTS: SettingDefinition<readonly string[]> = listSetting('reindex.remote.whitelist', '');

/** The settings that a node knows, and no others. */
export const NODE_SETTINGS: SettingsRegistry = new SettingsRegistry([
  CLUSTER_NAME,
  NODE_NAME,
  NODE_ROLES,
  NODE_MASTER,
  NODE_DATA,
  NODE_INGEST,
  NODE_VOTING_ONLY,
  NODE_ATTRIBUTES,
  NODE_WORKERS,
  WORKER_SILENT_LIMIT,
  PATH_DATA,
  PATH_CONF,
  PATH_REPO,
  INSECURE,
  NETWORK_HOST,
  NETWORK_PUBLISH_HOST,
  HTTP_HOST,
  HTTP_PUBLISH_HOST,
  HTTP_PORT,
  HTTP_CONTENT_BYTES_MAX,
  HTTP_ACCESS_LOG,
  HTTP_ACCESS_LOG_SIZE,
  HTTP_ADAPTER,
  HTTP_ALLOWED_HOSTS,
  CORS_ENABLED,
  CORS_ALLOW_ORIGIN,
  CORS_ALLOW_METHODS,
  CORS_ALLOW_HEADERS,
  CORS_EXPOSE_HEADERS,
  CORS_ALLOW_CREDENTIALS,
  CORS_MAX_AGE,
  TRANSPORT_HOST,
  TRANSPORT_PUBLISH_HOST,
  TRANSPORT_PORT,
  TRANSPORT_CONNECT_TIMEOUT,
  TRANSPORT_COMPRESS,
  TRANSPORT_PING_SCHEDULE,
  TRANSPORT_MAX_FRAME,
  CONNECTIONS_PING,
  CONNECTIONS_STATE,
  CONNECTIONS_RECOVERY,
  CONNECTIONS_BULK,
  CONNECTIONS_REG,
  SEED_HOSTS,
  DISCOVERY_TYPE,
  INITIAL_CLUSTER_MANAGERS,
  ...COORDINATION_SETTINGS,
  NO_MASTER_BLOCK,
  INDEXING_PRESSURE_LIMIT,
  INDICES_MEMORY,
  REQUEST_CACHE_SIZE,
  REQUEST_BREAKER_LIMIT,
  PARENT_BREAKER_LIMIT,
  PARENT_BREAKER_REAL,
  MAPPING_TIMEOUT,
  ...CLUSTER_SETTINGS,
  REINDEX_REMOTE_HOSTS,
  ...ELASTICSEARCH_SETTINGS,
]);
