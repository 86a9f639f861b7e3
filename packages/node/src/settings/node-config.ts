/**
 * What a node starts with, derived from its settings: roles, addresses, limits. Pure; refuses what is unsafe or contradicts
 * itself before anything is opened.
 */

import { type ClusterSettings, checkAllocationSettings, type NoManagerMode } from '@shoal/cluster';
import type { NodeRole } from '@shoal/cluster-state';
import type { CoordinationSettings } from '@shoal/consensus';
import {
  illegalArgument,
  isLoopback,
  nearestNames,
  type PortRange,
  parseByteSize,
  type SettingDefinition,
  type Settings,
  ShoalError,
} from '@shoal/core';
import type { AccessLogOptions, HttpAdapter } from '@shoal/http';
import { readCoordinationSettings } from '@shoal/membership';
import type { Machine } from '@shoal/runtime';
import type { ParentBreakerSettings } from '@shoal/shards';
import type { TransportSettings } from '@shoal/transport';
import { refuseProtections } from './elasticsearch-settings.ts';
import { type HttpAccessConfig, httpAccessOf } from './http-access-config.ts';
import * as setting from './node-settings.ts';

export type NodeKindStarted = 'data' | 'coordinator';

export interface NodeConfig {
  readonly clusterName: string;
  /** Null: the node is named after its id. */
  readonly nodeName: string | null;
  readonly roles: readonly NodeRole[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly workerCount: number;
  /** -1: no worker is ever taken for stuck. */
  readonly workerSilentMsMax: number;
  readonly transportHost: string;
  readonly transportPorts: PortRange;
  /** Null: where it listens. */
  readonly transportPublishHost: string | null;
  readonly httpHost: string;
  readonly httpPorts: PortRange;
  readonly httpPublishHost: string | null;
  readonly httpContentBytesMax: number;
  readonly httpAdapter: HttpAdapter;
  readonly httpAccess: HttpAccessConfig;
  /** Null: none is written. */
  readonly accessLog: AccessLogOptions | null;
  /** Listens beyond loopback, unprotected, because it was told to. */
  readonly isExposed: boolean;
  /** Listens on every address and does not know by which one others reach it. */
  readonly isPublishHostUnknown: boolean;
  /** Null: not set. */
  readonly seedHosts: readonly string[] | null;
  readonly isSingleNode: boolean;
  /** Null: not set. */
  readonly initialClusterManagers: readonly string[] | null;
  readonly coordination: CoordinationSettings;
  readonly noManagerMode: NoManagerMode;
  readonly transport: Partial<TransportSettings>;
  readonly indexingPressureBytesMax: number;
  /** Most memory of the segments of all shards here. */
  readonly memoryBytesMax: number;
  /** Limit of the cached answers of searches, in bytes. */
  readonly requestCacheBytesMax: number;
  readonly requestBytesMax: number;
  readonly parentBreaker: ParentBreakerSettings;
  readonly mappingTimeoutMs: number;
  /** Cluster settings that the node was started with. */
  readonly clusterSettings: ClusterSettings;
  readonly remoteReindexHosts: readonly string[];
  /** Folders that repositories of snapshots may lie in. */
  readonly repoPaths: readonly string[];
}

const ROLES: readonly NodeRole[] = ['cluster_manager', 'voting_only', 'data', 'ingest', 'remote_cluster_client'];
const DATA_TIERS: readonly string[] = ['data_content', 'data_hot', 'data_warm', 'data_cold', 'data_frozen'];
const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];
const PORT_MAX = 65_535;
const ACCESS_LOG_DEFAULT = 'logs/http-access.log';
/** A busy machine keeps a healthy thread waiting for parts of a second. */
const SILENT_LIMIT_MS_MIN = 1_000;
/** Memory that is assumed where the runtime does not tell. */
const UNKNOWN_MEMORY_BYTES = 512 * 1024 * 1024;

export function nodeConfig(settings: Settings, kind: NodeKindStarted, machine: Machine): NodeConfig {
  refuseProtections(settings);
  const host = resolvedHost(settings.get(setting.NETWORK_HOST));
  const transportHost = resolvedHost(settings.get(setting.TRANSPORT_HOST)) || host;
  const httpHost = resolvedHost(settings.get(setting.HTTP_HOST)) || host;
  const publishHost = settings.get(setting.NETWORK_PUBLISH_HOST);
  const transportPublishHost = settings.get(setting.TRANSPORT_PUBLISH_HOST) || publishHost || null;
  const httpAccess = httpAccessOf(settings, machine);
  // Between nodes no password is asked for.
  const unprotected = httpAccess.password === null ? [transportHost, httpHost] : [transportHost];
  const exposed = unprotected.filter((address) => !isLoopback(address));
  const isExposed = exposed.length > 0;
  if (isExposed && !settings.get(setting.INSECURE)) throw exposedError(exposed);
  const heapBytes = machine.sample().heapMaxBytes || machine.totalMemoryBytes || UNKNOWN_MEMORY_BYTES;
  return {
    clusterName: settings.get(setting.CLUSTER_NAME),
    nodeName: settings.get(setting.NODE_NAME) || null,
    roles: rolesOf(settings, kind),
    attributes: settings.group(setting.NODE_ATTRIBUTES),
    workerCount: settings.get(setting.NODE_WORKERS) || Math.max(machine.cpuCount, 1),
    workerSilentMsMax: workerSilentMsMaxOf(settings),
    transportHost,
    transportPorts: settings.get(setting.TRANSPORT_PORT),
    transportPublishHost,
    httpHost,
    httpPorts: settings.get(setting.HTTP_PORT),
    httpPublishHost: settings.get(setting.HTTP_PUBLISH_HOST) || publishHost || null,
    httpContentBytesMax: settings.get(setting.HTTP_CONTENT_BYTES_MAX),
    httpAdapter: settings.get(setting.HTTP_ADAPTER),
    httpAccess,
    accessLog: accessLogOf(settings),
    isExposed,
    isPublishHostUnknown: WILDCARDS.includes(transportHost) && transportPublishHost === null,
    seedHosts: settings.isSet(setting.SEED_HOSTS) ? settings.get(setting.SEED_HOSTS).map(checkedSeedHost) : null,
    isSingleNode: settings.get(setting.DISCOVERY_TYPE) === 'single-node',
    initialClusterManagers: settings.isSet(setting.INITIAL_CLUSTER_MANAGERS)
      ? settings.get(setting.INITIAL_CLUSTER_MANAGERS)
      : null,
    coordination: readCoordinationSettings(settings.toFlat()),
    noManagerMode: settings.get(setting.NO_MASTER_BLOCK),
    transport: transportOf(settings),
    indexingPressureBytesMax: shareOf(
      heapBytes,
      settings.get(setting.INDEXING_PRESSURE_LIMIT),
      setting.INDEXING_PRESSURE_LIMIT,
    ),
    memoryBytesMax: shareOf(
      machine.totalMemoryBytes || UNKNOWN_MEMORY_BYTES,
      settings.get(setting.INDICES_MEMORY),
      setting.INDICES_MEMORY,
    ),
    requestCacheBytesMax: shareOf(heapBytes, settings.get(setting.REQUEST_CACHE_SIZE), setting.REQUEST_CACHE_SIZE),
    requestBytesMax: shareOf(heapBytes, settings.get(setting.REQUEST_BREAKER_LIMIT), setting.REQUEST_BREAKER_LIMIT),
    parentBreaker: {
      limitBytes: shareOf(
        machine.totalMemoryBytes || UNKNOWN_MEMORY_BYTES,
        settings.get(setting.PARENT_BREAKER_LIMIT),
        setting.PARENT_BREAKER_LIMIT,
      ),
      usesRealMemory: settings.get(setting.PARENT_BREAKER_REAL),
    },
    mappingTimeoutMs: settings.get(setting.MAPPING_TIMEOUT),
    clusterSettings: clusterSettingsOf(settings),
    remoteReindexHosts: settings.get(setting.REINDEX_REMOTE_HOSTS),
    repoPaths: settings.get(setting.PATH_REPO),
  };
}

function rolesOf(settings: Settings, kind: NodeKindStarted): readonly NodeRole[] {
  const single = singleRoles(settings);
  if (kind === 'coordinator' && single === null && !settings.isSet(setting.NODE_ROLES)) return [];
  const roles = new Set(single ?? settings.get(setting.NODE_ROLES).map(roleOf));
  if (kind === 'coordinator' && roles.size > 0) {
    throw illegalArgument('a coordinator has no roles: setting [node.roles] must be empty or left out');
  }
  if (roles.has('voting_only') && !roles.has('cluster_manager')) {
    throw illegalArgument('role [voting_only] of setting [node.roles] needs the role [cluster_manager] beside it');
  }
  return ROLES.filter((role) => roles.has(role));
}

const SINGLE_ROLES: readonly (readonly [SettingDefinition<boolean>, NodeRole])[] = [
  [setting.NODE_MASTER, 'cluster_manager'],
  [setting.NODE_DATA, 'data'],
  [setting.NODE_INGEST, 'ingest'],
  [setting.NODE_VOTING_ONLY, 'voting_only'],
];

/** Roles that are said one by one; null: none is. */
function singleRoles(settings: Settings): readonly NodeRole[] | null {
  const given = SINGLE_ROLES.find(([definition]) => settings.isSet(definition));
  if (given === undefined) return null;
  if (settings.isSet(setting.NODE_ROLES)) {
    throw illegalArgument(`can not explicitly configure node roles and use legacy role setting [${given[0].name}]`);
  }
  return SINGLE_ROLES.filter(([definition]) => settings.get(definition)).map(([, role]) => role);
}

function roleOf(name: string): NodeRole {
  if (name === 'master') return 'cluster_manager';
  if (DATA_TIERS.includes(name)) return 'data';
  const role = ROLES.find((known) => known === name);
  if (role !== undefined) return role;
  const [near] = nearestNames(name, ROLES);
  throw illegalArgument(`unknown role [${name}]${near === undefined ? '' : ` did you mean [${near}]?`}`);
}

function workerSilentMsMaxOf(settings: Settings): number {
  const limitMs = settings.get(setting.WORKER_SILENT_LIMIT);
  if (limitMs !== -1 && limitMs < SILENT_LIMIT_MS_MIN) {
    const { name } = setting.WORKER_SILENT_LIMIT;
    throw illegalArgument(`setting [${name}] must be -1 or at least [${SILENT_LIMIT_MS_MIN}ms], and is [${limitMs}ms]`);
  }
  return limitMs;
}

function transportOf(settings: Settings): Partial<TransportSettings> {
  const connections = {
    ping: setting.CONNECTIONS_PING,
    state: setting.CONNECTIONS_STATE,
    recovery: setting.CONNECTIONS_RECOVERY,
    bulk: setting.CONNECTIONS_BULK,
    reg: setting.CONNECTIONS_REG,
  };
  const set = Object.entries(connections).filter(([, definition]) => settings.isSet(definition));
  return {
    connectTimeoutMs: settings.get(setting.TRANSPORT_CONNECT_TIMEOUT),
    compress: settings.get(setting.TRANSPORT_COMPRESS),
    frameBytesMax: settings.get(setting.TRANSPORT_MAX_FRAME),
    connectionsPerNode: Object.fromEntries(set.map(([channel, definition]) => [channel, settings.get(definition)])),
    ...(settings.isSet(setting.TRANSPORT_PING_SCHEDULE)
      ? { pingScheduleMs: Math.max(settings.get(setting.TRANSPORT_PING_SCHEDULE), 0) }
      : {}),
  };
}

/** `host`, `host:port`, `[v6]`, `[v6]:port`. */
function checkedSeedHost(text: string): string {
  const match = /^(?:\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text);
  if (match === null || Number(match[1] ?? 0) > PORT_MAX) {
    throw illegalArgument(
      `Failed to parse value [${text}] for setting [discovery.seed_hosts], must be host, host:port or [IPv6]:port`,
    );
  }
  return text;
}

/** Elasticsearch's words for addresses that need no look-up. */
function resolvedHost(host: string): string {
  if (host === '_local_' || host === 'localhost') return '127.0.0.1';
  if (host === '_all_') return '0.0.0.0';
  return host;
}

function exposedError(addresses: readonly string[]): ShoalError {
  const shown = [...new Set(addresses)].join(', ');
  return new ShoalError(
    'illegal_state_exception',
    500,
    `refusing to listen on [${shown}]: anybody who reaches it could read and delete everything, since there is ` +
      'neither TLS nor a user who is asked for. Keep [network.host] on loopback, or accept that with the flag --insecure (setting [insecure: true])',
  );
}

function accessLogOf(settings: Settings): AccessLogOptions | null {
  const text = settings.get(setting.HTTP_ACCESS_LOG);
  if (text === '' || text === 'false') return null;
  return {
    path: text === 'true' ? ACCESS_LOG_DEFAULT : text,
    fileBytesMax: settings.get(setting.HTTP_ACCESS_LOG_SIZE),
  };
}

/** A size, or a part of `whole` such as `10%`. */
function shareOf(whole: number, text: string, { name }: { readonly name: string }): number {
  const percent = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text);
  return percent === null ? parseByteSize(text, name) : Math.floor((whole * Number(percent[1])) / 100);
}

function clusterSettingsOf(settings: Settings): ClusterSettings {
  const given = Object.entries(settings.toFlat());
  const ofCluster = Object.fromEntries(
    given.filter(([name]) => setting.CLUSTER_SETTINGS.some((known) => known === setting.NODE_SETTINGS.find(name))),
  );
  checkAllocationSettings(ofCluster);
  return ofCluster;
}
