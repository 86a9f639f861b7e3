/**
 * A whole node as one object: HTTP, transport, cluster, shards, in this order; closed in the reverse one.
 *
 * Several live in one process without knowing each other. Worker threads start with the first shard, so that an embedded
 * node is up at once.
 */

import { createCoordinatorContext, LifecycleRunner, nodeCounters } from '@shoal/coordinator';
import { illegalArgument, type Settings, SHOAL_VERSION, ShoalError, showHostPort } from '@shoal/core';
import { gatedHandler, type HttpConnections, type HttpHandler, type RequestGate } from '@shoal/http';
import { type ClusterService, type ManagingClusterService, startCluster } from '@shoal/membership';
import type { ShardTarget } from '@shoal/protocol';
import {
  createRestHandler,
  type HttpPort,
  registerAsyncSearchHandler,
  registerEnrichStatsHandler,
  registerNodeHandlers,
  SnapshotPolicyRunner,
} from '@shoal/rest';
import {
  type Address,
  createInlineWorkers,
  createMemoryDisk,
  type MemoryDisk,
  type Runtime,
  type WorkerProgram,
} from '@shoal/runtime';
import {
  allocationIdOnDisk,
  collectShardStats,
  IndexingPressure,
  loadShardProgram,
  registerAnalyzeHandler,
  registerCopyHandlers,
  registerDocumentHandlers,
  registerMaintenanceHandlers,
  registerSearchHandlers,
  registerSnapshotServices,
  restoreSource,
  SavedStates,
  ShardFolders,
  ShardRequests,
  ShardSupervisor,
} from '@shoal/shards';
import { registerClientHandlers } from '../client/client-handlers.ts';
import { firstFreePort } from '../http/first-free-port.ts';
import { httpGate } from '../http/http-gate.ts';
import { type NodeHttp, startNodeHttp } from '../http/node-http.ts';
import { SECRET_SETTINGS, settingsWithoutEffect } from '../settings/elasticsearch-settings.ts';
import { type NodeConfig, type NodeKindStarted, nodeConfig } from '../settings/node-config.ts';
import { HTTP_HOST, HTTP_PORT, NODE_SETTINGS } from '../settings/node-settings.ts';
import { registerTaskHandlers } from '../tasks/task-handlers.ts';
import { refuseShardData } from './refuse-shard-data.ts';

/** Kept on the data path for the cluster state, so that indices can be deleted from a full disk; some states fit. */
const RESERVE_BYTES = 1024 * 1024;

export interface NodeOptions {
  /** null: no HTTP port, whatever the settings say. */
  readonly httpPort?: null;
  /** Folder of this node on the runtime's disk. Default: its root. null: memory, whatever the runtime has. */
  readonly dataPath?: string | null;
  /** Disk of the runtime, where it is one in memory: the state of the node can then be saved and returned to. */
  readonly memoryDisk?: MemoryDisk;
  /** Every search shows what was written before it, as if it had been refreshed. Default: as indices say. */
  readonly refreshesBeforeSearch?: boolean;
  /** Bytes kept on the data path for the cluster state of a full disk. Default: a megabyte. 0: none. */
  readonly reserveBytes?: number;
  /** Called before a shard of this node is searched; what it throws is how the shard fails. */
  readonly beforeShardSearch?: (target: ShardTarget) => void;
  /** A broken invariant, or a disk that failed under the cluster state: the process must stop. Default: it is thrown. */
  readonly onFatal?: (error: unknown) => void;
}

/** Settings by Elasticsearch's names, dotted or nested. */
export type GivenSettings = Readonly<Record<string, unknown>>;

export interface DataNode {
  readonly cluster: ClusterService;
  /** Address of HTTP; null without it. */
  readonly httpAddress: Address | null;
  readonly transportAddress: Address;
  /** The API of this node behind its rules for hosts and origins, as its HTTP port answers with it, where there is one. */
  readonly handler: HttpHandler;
  /** Says that clients reach the handler at this port too, which others opened for it. */
  tellHttp(port: OpenedPort): void;
  /** null: the node was not started on a disk in memory. */
  readonly savedStates: SavedStates | null;
  close(): Promise<void>;
}

/** A port that answers with the handler of a node. */
export interface OpenedPort {
  readonly address: Address;
  connections(): HttpConnections;
}

/** A node that holds shards, may be cluster manager, and answers any request. */
export function startDataNode(
  runtime: Runtime,
  settings: GivenSettings = {},
  options: NodeOptions = {},
): Promise<DataNode> {
  return startNode(runtime, { given: settings, kind: 'data', options });
}

/** A node without roles: it forwards requests and merges answers. */
export function startCoordinatorNode(
  runtime: Runtime,
  settings: GivenSettings = {},
  options: NodeOptions = {},
): Promise<DataNode> {
  return startNode(runtime, { given: settings, kind: 'coordinator', options });
}

interface StartPlan {
  readonly given: GivenSettings;
  readonly kind: NodeKindStarted;
  readonly options: NodeOptions;
}

const NAME_SUFFIX_BYTES = 3;

/** @throws illegal_argument_exception: the node opens no port of HTTP, and whoever does chooses its address */
function refuseHttpAddress(settings: Settings): void {
  const [name] = [HTTP_HOST, HTTP_PORT].flatMap((definition) => settings.namesGiven(definition));
  if (name === undefined) return;
  throw illegalArgument(`[${name}] has no effect here: the node opens no port of HTTP by its settings`);
}

async function startNode(outer: Runtime, { given, kind, options }: StartPlan): Promise<DataNode> {
  const runtime = options.dataPath === null ? withoutDisk(outer) : outer;
  const settings = NODE_SETTINGS.parse(given);
  if (options.httpPort === null) refuseHttpAddress(settings);
  const config = nodeConfig(settings, kind, runtime.machine);
  const name = config.nodeName ?? `shoal-${Buffer.from(runtime.random.bytes(NAME_SUFFIX_BYTES)).toString('hex')}`;
  for (const { name: setting, because } of settingsWithoutEffect(settings)) {
    runtime.log.warn('setting has no effect', { setting, because });
  }
  if (config.isExposed) {
    runtime.log.warn(
      'listening beyond loopback without TLS and users: anybody who reaches this node can read and delete everything',
      {
        transport: config.transportHost,
        http: config.httpHost,
      },
    );
  }
  if (config.isPublishHostUnknown) {
    runtime.log.warn('network.publish_host is not set: other nodes are told an address that means themselves', {
      address: config.transportHost,
    });
  }
  runtime.log.info('node starts', {
    name,
    kind,
    version: SHOAL_VERSION,
    cluster: config.clusterName,
    roles: config.roles,
  });
  const dataPath = options.dataPath ?? '.';
  const folders = new ShardFolders(runtime.disk, dataPath);
  if (!config.roles.includes('data')) await refuseShardData(folders);
  const gate = await httpGate(config.httpAccess);
  const http = options.httpPort === null ? null : await startNodeHttp(runtime, config, gate);
  try {
    const program = runtime.workers.isInline ? await loadShardProgram() : null;
    return await compose(runtime, { settings, config, name, dataPath, folders, http, gate, program, options });
  } catch (error) {
    await http?.close();
    throw error;
  }
}

/** False where the disk ends with the node: nothing would ever read what it had written there of the cluster. */
function isKept({ dataPath, memoryDisk }: NodeOptions): boolean {
  return dataPath !== null && memoryDisk === undefined;
}

/** A disk in memory lives in one thread, so that shards run in this one. */
function withoutDisk(outer: Runtime): Runtime {
  const runtime: Runtime = { ...outer, disk: createMemoryDisk(), workers: createInlineWorkers(() => runtime) };
  return runtime;
}

interface Parts {
  readonly settings: Settings;
  readonly config: NodeConfig;
  readonly name: string;
  readonly dataPath: string;
  readonly folders: ShardFolders;
  readonly http: NodeHttp | null;
  readonly gate: RequestGate;
  /** Program of the shards, where they have no threads. */
  readonly program: WorkerProgram | null;
  readonly options: NodeOptions;
}

async function compose(runtime: Runtime, parts: Parts): Promise<DataNode> {
  const { config, folders, http } = parts;
  const onFatal = parts.options.onFatal ?? ((error) => runtime.sched.soon(() => rethrow(error)));
  let registered: Registered | null = null;
  let opened: OpenedPort | null = http;
  const cluster = await firstFreePort(config.transportPorts, (port) =>
    startCluster(runtime, {
      clusterName: config.clusterName,
      nodeName: parts.name,
      roles: config.roles,
      attributes: config.attributes,
      dataPath: isKept(parts.options) ? parts.dataPath : null,
      reserveBytes: parts.options.reserveBytes ?? RESERVE_BYTES,
      bind: { host: config.transportHost, port },
      ...(config.transportPublishHost === null ? {} : { publishHost: config.transportPublishHost }),
      transport: config.transport,
      httpAddress: http === null ? null : showHostPort(http.address),
      seedHosts: config.seedHosts,
      initialClusterManagerNodes: config.initialClusterManagers,
      discoveryType: config.isSingleNode ? 'single-node' : null,
      noManagerBlock: config.noManagerMode,
      nodeSettings: config.clusterSettings,
      coordination: config.coordination,
      listShardStores: (request) =>
        Promise.all(request.shards.map((shard) => allocationIdOnDisk(runtime, folders, shard))),
      register: (service) => {
        registered = register(runtime, service, { parts, onFatal, http: () => opened });
      },
      onFatal,
    }),
  );
  const { supervisor, requests, leaveSnapshots, lifecycle, snapshotPolicies, handler, savedStates } =
    requireRegistered(registered);
  const { address } = cluster.localNode;
  runtime.log.info('node is up', {
    http: http === null ? null : showHostPort(http.address),
    transport: showHostPort(address),
  });
  return {
    cluster,
    httpAddress: http?.address ?? null,
    transportAddress: cluster.transport.boundAddress,
    handler: gatedHandler(parts.gate, handler),
    tellHttp: (port) => {
      opened = port;
    },
    savedStates,
    close: once(async () => {
      await http?.close();
      await Promise.all([lifecycle.close(), snapshotPolicies.close()]);
      leaveSnapshots();
      // While its shards are closed nobody would elect another, since it still answers.
      await cluster.handOver();
      await requests.endSearches(runtime.sched);
      await supervisor.close();
      await cluster.close();
      runtime.log.info('node closed');
    }),
  };
}

/** What works for as long as the node is up. */
interface Registered {
  readonly supervisor: ShardSupervisor;
  readonly requests: ShardRequests;
  /** Snapshots that this node makes stay to be made. */
  readonly leaveSnapshots: () => void;
  readonly lifecycle: LifecycleRunner;
  readonly snapshotPolicies: SnapshotPolicyRunner;
  readonly handler: HttpHandler;
  readonly savedStates: SavedStates | null;
}

interface RegisteredBy {
  readonly parts: Parts;
  readonly onFatal: (error: unknown) => void;
  /** Port of HTTP as it is now. */
  readonly http: () => OpenedPort | null;
}

/** Registers everything that answers other nodes, before any of them can ask. */
function register(
  runtime: Runtime,
  cluster: ManagingClusterService,
  { parts, onFatal, http }: RegisteredBy,
): Registered {
  const { config, folders } = parts;
  const supervisor = new ShardSupervisor(runtime, cluster, {
    folders,
    workerCount: config.workerCount,
    memoryBytesMax: config.memoryBytesMax,
    requestCacheBytesMax: config.requestCacheBytesMax,
    requestBytesMax: config.requestBytesMax,
    parent: config.parentBreaker,
    silentMsMax: config.workerSilentMsMax,
    refreshesBeforeSearch: parts.options.refreshesBeforeSearch === true,
    program: parts.program,
    restoreOf: (index, shard) => restoreSource({ runtime, cluster, repoPaths: config.repoPaths }, index, shard),
  });
  const requests = new ShardRequests(cluster, supervisor);
  const pressure = new IndexingPressure(config.indexingPressureBytesMax);
  const { mappingTimeoutMs } = config;
  registerCopyHandlers(cluster, supervisor);
  registerDocumentHandlers({ cluster, supervisor, requests, pressure, mappingTimeoutMs });
  const { beforeShardSearch } = parts.options;
  registerSearchHandlers({ runtime, cluster, supervisor, requests, beforeShardSearch });
  registerMaintenanceHandlers({ clock: runtime.clock, cluster, supervisor, requests });
  const leaveSnapshots = registerSnapshotServices({ runtime, cluster, repoPaths: config.repoPaths, requests });
  if (config.roles.includes('data')) registerAnalyzeHandler(cluster, runtime.config);
  const counters = nodeCounters(runtime);
  registerNodeHandlers({
    ...counters,
    runtime,
    cluster,
    settings: shownSettings(parts.settings),
    http: () => shownPort(http(), config),
    dataPath: parts.dataPath,
    shards: {
      workerCount: config.workerCount,
      workerThreads: () => supervisor.workerThreads,
      stats: async () => (await collectShardStats(supervisor, () => true)).map((entry) => entry.stats),
      heldWrites: () => pressure.stats(),
      requestBreaker: () => supervisor.threads.requestBreaker(),
      parentBreaker: () => supervisor.threads.parentBreaker(),
      aggregationUsage: () => supervisor.threads.aggregationUsage(),
      threadPools: () => supervisor.threads.threadPools(),
      profiles: (...asked) => supervisor.threads.profiles(...asked),
    },
  });
  const context = createCoordinatorContext(
    runtime,
    cluster,
    {
      remoteReindexHosts: config.remoteReindexHosts,
    },
    counters,
  );
  registerTaskHandlers(context);
  registerAsyncSearchHandler(context);
  registerEnrichStatsHandler(context);
  const handler = createRestHandler(context, {
    contentBytesMax: config.httpContentBytesMax,
    onAssertionFailure: onFatal,
  });
  const { memoryDisk: disk } = parts.options;
  const { dataPath } = parts;
  const onReturn = (): void => context.asyncSearches.removeAll();
  const savedStates =
    disk === undefined ? null : new SavedStates({ runtime, disk, dataPath, cluster, supervisor, folders, onReturn });
  registerClientHandlers(cluster, handler);
  parts.http?.serve(handler);
  const lifecycle = new LifecycleRunner(context);
  const snapshotPolicies = new SnapshotPolicyRunner(context);
  return { supervisor, requests, leaveSnapshots, lifecycle, snapshotPolicies, handler, savedStates };
}

function shownPort(opened: OpenedPort | null, { httpContentBytesMax }: NodeConfig): HttpPort | null {
  if (opened === null) return null;
  return {
    address: showHostPort(opened.address),
    contentBytesMax: httpContentBytesMax,
    connections: () => opened.connections(),
  };
}

function shownSettings(settings: Settings): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(settings.toFlat()).filter(([name]) => !SECRET_SETTINGS.has(name)));
}

function requireRegistered(registered: Registered | null): Registered {
  if (registered === null) throw new ShoalError('illegal_state_exception', 500, 'the node was not registered');
  return registered;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= work());
}

function rethrow(error: unknown): never {
  throw error;
}
