/**
 * The cluster service of a node: puts coordination, applied state, connections and administration together.
 */

import {
  type ClusterSettings,
  CopyIndex,
  clusterSettings,
  clusterValueModel,
  diskLevels,
  emptyClusterState,
  type MetadataContext,
  type NoManagerMode,
  reroute,
  SettingsInForce,
  withFloodStageBlocks,
  withoutManager,
} from '@shoal/cluster';
import { type ClusterState, type DiscoveryNode, discoveryNodeOf } from '@shoal/cluster-state';
import type { BootstrapPlan, CoordinationSettings, DurableState } from '@shoal/consensus';
import { messageOf, randomUuid, showHostPort } from '@shoal/core';
import { LIST_REFUSED_PEERS } from '@shoal/protocol';
import type { Cancel, Runtime } from '@shoal/runtime';
import {
  type ActionCodec,
  type Connection,
  handleWith,
  localConnection,
  nodeNotConnected,
  requestWith,
  type SendOptions,
  type Transport,
} from '@shoal/transport';
import { NodeConnections } from '../connections/node-connections.ts';
import { RefusedPeers } from '../connections/refused-peers.ts';
import { EmbeddedCoordination } from '../coordination/embedded-coordination.ts';
import type { CoordinationLog } from '../disk/coordination-log.ts';
import { HealthProbe } from '../disk/health-probe.ts';
import type { NodeDataPath } from '../disk/node-data-path.ts';
import type { SpaceReserve } from '../disk/space-reserve.ts';
import { AllocationRetries } from '../manager/allocation-retries.ts';
import { DiskUsageMonitor } from '../manager/disk-usage-monitor.ts';
import { createForwardingAdmin } from '../manager/forwarding-admin.ts';
import { change, type ManagerHandlersHost } from '../manager/manager-change.ts';
import { registerManagerHandlers } from '../manager/manager-handlers.ts';
import { ManagerTaskQueue, TASK_PRIORITY } from '../manager/manager-task-queue.ts';
import { ShardStoreFetcher } from '../manager/shard-store-fetcher.ts';
import type { Acknowledged, ClusterAdmin } from '../service/cluster-admin.ts';
import type {
  CoordinationDiagnosis,
  ManagerChange,
  ManagingClusterService,
  StateChange,
} from '../service/cluster-service.ts';
import type { BackendEvents } from '../service/coordination-backend.ts';
import { StateApplier } from '../service/state-applier.ts';
import { AUTO_SHRINK } from './cluster-options.ts';

export interface ClusterNodeParts {
  readonly transport: Transport;
  readonly local: DiscoveryNode;
  readonly dataPath: NodeDataPath | null;
  readonly log: CoordinationLog | null;
  /** null: no data path. */
  readonly reserve: SpaceReserve | null;
  readonly durable: DurableState<ClusterState>;
  readonly bootstrap: BootstrapPlan;
  readonly seedHosts: readonly string[];
  readonly settings: CoordinationSettings;
  readonly noManagerBlock: NoManagerMode;
  /** Cluster settings that this node was started with. */
  readonly nodeSettings: ClusterSettings;
  readonly onFatal: (error: unknown) => void;
}

const UUID_BYTES = 16;
/** Longest wait of a new state for connections to its new nodes, before it comes into force without them. */
const CONNECT_BEFORE_APPLY_MS = 1_000;
/** Longest wait of a request for a connection that was lost and is dialled again. */
const REDIAL_WAIT_MS = 1_000;
const REROUTE_TIMEOUT_MS = 60_000;
/** Longest wait of a cluster manager that ends for the next one: an election that nobody contests takes some round trips. */
const HAND_OVER_MS_MAX = 1_000;

export class ClusterNode implements ManagingClusterService, BackendEvents {
  readonly localNode: DiscoveryNode;
  readonly transport: Transport;
  readonly admin: ClusterAdmin;
  readonly #runtime: Runtime;
  readonly #parts: ClusterNodeParts;
  readonly #applier: StateApplier;
  readonly #connections: NodeConnections;
  readonly #backend: EmbeddedCoordination;
  readonly #tasks: ManagerTaskQueue;
  readonly #stores: ShardStoreFetcher;
  readonly #disks: DiskUsageMonitor;
  readonly #health: HealthProbe;
  readonly #retries: AllocationRetries;
  readonly #copies = new CopyIndex();
  readonly #host: ManagerHandlersHost;
  readonly #rerouted = (state: ClusterState): ClusterState => reroute(state, this.#context());
  readonly #settings: SettingsInForce;
  #isClosed = false;

  constructor(runtime: Runtime, parts: ClusterNodeParts) {
    this.#runtime = runtime;
    this.#parts = parts;
    this.#settings = new SettingsInForce(parts.nodeSettings);
    this.localNode = parts.local;
    this.transport = parts.transport;
    const empty = emptyClusterState(parts.durable.accepted.value.clusterName);
    this.#applier = new StateApplier(runtime, { ...empty, nodes: new Map([[parts.local.id, parts.local]]) });
    this.#connections = new NodeConnections(runtime, parts.transport, (node, reason) => {
      runtime.log.debug('connection lost', { node: node.id, reason });
      this.#backend.nodeDisconnected(node);
    });
    const refused = new RefusedPeers(runtime);
    parts.transport.onPeerRefused(({ node, failure, reason }) =>
      refused.note({ node: discoveryNodeOf(node), failure, reason, isIncoming: true }),
    );
    this.#stores = new ShardStoreFetcher(runtime, {
      connection: (nodeId) => this.connection(nodeId),
      storesFound: () => void this.#reroute('assign existing copies'),
    });
    this.#disks = new DiskUsageMonitor(runtime, {
      connection: (nodeId) => this.connection(nodeId),
      settings: () => this.settings(),
      levels: (state) => diskLevels(state, this.#context()),
      levelsChanged: () =>
        void this.#reroute('disk usage', (state) => this.#rerouted(withFloodStageBlocks(state, this.#context()))),
    });
    this.#retries = new AllocationRetries(runtime, () => this.#reroute('retry failed copies'));
    this.#backend = new EmbeddedCoordination(runtime, {
      ...parts,
      connections: this.#connections,
      refused,
      model: clusterValueModel(() => this.#context()),
    });
    this.#tasks = new ManagerTaskQueue(runtime, this.#backend);
    this.#health = new HealthProbe(
      runtime,
      parts.dataPath?.stateFolder ?? null,
      (healthy, reason) => this.#backend.healthChanged(healthy, reason),
      () => parts.reserve?.isSpent === false,
    );
    this.admin = createForwardingAdmin({ runtime, applier: this.#applier, connection: (id) => this.connection(id) });
    this.#host = {
      runtime,
      applier: this.#applier,
      tasks: this.#tasks,
      localNodeId: parts.local.id,
      isManager: () => this.#isManager(),
      context: () => this.#context(),
      reroute: this.#rerouted,
    };
    registerManagerHandlers(parts.transport, this.#host);
    handleWith(parts.transport, LIST_REFUSED_PEERS, () => ({ peers: refused.recent() }));
  }

  async start(): Promise<void> {
    const { address } = this.localNode;
    this.#runtime.log.info('node listens for other nodes', {
      address: showHostPort(address),
      node: this.localNode.id,
    });
    await this.#backend.start(this.localNode, this);
  }

  state(): ClusterState {
    return this.#applier.state;
  }

  settings(): ClusterSettings {
    return this.#settings.of(this.#applier.state);
  }

  onApplied(listener: (change: StateChange) => void | Promise<void>): Cancel {
    return this.#applier.onApplied(listener);
  }

  waitForState(predicate: (state: ClusterState) => boolean, timeoutMs: number): Promise<ClusterState | null> {
    return this.#applier.waitFor(predicate, timeoutMs);
  }

  connection(nodeId: string): Connection {
    if (nodeId === this.localNode.id) return localConnection(this.transport);
    const connection = this.#connections.find(nodeId);
    if (connection !== null) return connection;
    const node = this.#applier.state.nodes.get(nodeId);
    const unknown = { id: nodeId, name: nodeId, address: { host: 'unknown', port: 0 } };
    const { name, address } = node ?? unknown;
    throw nodeNotConnected({ ...this.transport.identity, nodeId, name, address });
  }

  async send<Req, Res>(nodeId: string, codec: ActionCodec<Req, Res>, request: Req, options: SendOptions): Promise<Res> {
    const node = this.#applier.state.nodes.get(nodeId);
    if (node !== undefined && nodeId !== this.localNode.id && this.#connections.find(nodeId) === null) {
      await this.#connections.reach(node, Math.min(options.timeoutMs ?? REDIAL_WAIT_MS, REDIAL_WAIT_MS));
    }
    return requestWith(this.connection(nodeId), codec, request, options);
  }

  changeAsManager({ source, update, ...timeouts }: ManagerChange): Promise<Acknowledged> {
    return change(this.#host, {
      // The service that asks has checked what it needs to.
      checkBlocks: () => undefined,
      source,
      priority: TASK_PRIORITY.normal,
      timeouts,
      update: (state) => update(state, this.#context()),
    });
  }

  diagnose(): CoordinationDiagnosis {
    return this.#backend.diagnose();
  }

  async handOver(): Promise<void> {
    const { nodes, metadata } = this.#applier.state;
    const isOther = (id: string | null): boolean => id !== null && id !== this.localNode.id;
    const others = metadata.coordination.lastCommittedConfig.filter((id) => isOther(id) && nodes.has(id));
    if (!this.#isManager() || others.length === 0) return;
    this.#backend.handOver();
    await this.#applier.waitFor(({ clusterManagerId }) => isOther(clusterManagerId), HAND_OVER_MS_MAX);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#health.close();
    this.#stores.close();
    this.#disks.update(null);
    this.#retries.update(null);
    await this.#backend.stop();
    this.#applier.close();
    this.#connections.close();
    await this.transport.close();
    await this.#parts.reserve?.close();
    await this.#parts.dataPath?.release();
  }

  async committed(state: ClusterState): Promise<void> {
    const previous = this.#applier.state;
    if (state.nodes !== previous.nodes) await this.#connectTo(state);
    else void this.#connections.keep(state.nodes);
    this.#logChange(previous, state);
    this.#followSettings(previous, state);
    await this.#applier.apply(state);
    this.#followAsManager(this.#isManager() ? state : null);
  }

  async managerLost(): Promise<void> {
    this.#followAsManager(null);
    const last = this.#applier.state;
    // A node that was never in a cluster keeps its only block: nothing is known of any data.
    if (last.version === 0) return;
    await this.#applier.apply(withoutManager(last, this.#noManagerMode(last)));
  }

  modeChanged(mode: CoordinationDiagnosis['mode']): void {
    if (mode !== 'leader') this.#followAsManager(null);
  }

  fatal(error: unknown): void {
    if (!this.#isClosed) this.#parts.onFatal(error);
  }

  /** @param state the applied state while this node is the cluster manager; null when it is not */
  #followAsManager(state: ClusterState | null): void {
    this.#stores.update(state);
    this.#disks.update(state);
    this.#retries.update(state);
    if (state === null) this.#copies.clear();
  }

  #isManager(): boolean {
    return this.#backend.isLeader && this.#applier.state.clusterManagerId === this.localNode.id;
  }

  #context(): MetadataContext {
    const { clock, random, config: files } = this.#runtime;
    const newUuid = (): string => randomUuid(random.bytes(UUID_BYTES));
    return {
      nowMs: clock.wallMs(),
      newUuid,
      newAllocationId: newUuid,
      stores: this.#stores,
      disks: this.#disks,
      copies: this.#copies,
      files,
      nodeSettings: this.#parts.nodeSettings,
    };
  }

  /** @returns whether it was made */
  async #reroute(source: string, update = this.#rerouted): Promise<boolean> {
    const task = {
      source,
      priority: TASK_PRIORITY.high,
      queueTimeoutMs: REROUTE_TIMEOUT_MS,
      update,
    };
    try {
      await this.#tasks.submit(task);
      return true;
    } catch (error) {
      // Without effect when this node does not lead any more: the next leader asks for itself.
      this.#runtime.log.debug('reroute was not made', {
        reason: messageOf(error),
      });
      return false;
    }
  }

  /** Connects to the nodes of a state, for a moment at most: a node that cannot be reached must not hold the others up. */
  async #connectTo(state: ClusterState): Promise<void> {
    const connected = this.#connections.keep(state.nodes);
    await new Promise<void>((resolve) => {
      const stopTimer = this.#runtime.sched.after(CONNECT_BEFORE_APPLY_MS, resolve);
      void connected.then(() => {
        stopTimer();
        resolve();
      });
    });
  }

  #noManagerMode(state: ClusterState): NoManagerMode {
    const settings = clusterSettings(state, {});
    const text = settings['cluster.no_master_block'] ?? settings['cluster.no_cluster_manager_block'];
    return text === 'all' || text === 'write' || text === 'metadata_write' ? text : this.#parts.noManagerBlock;
  }

  #followSettings(previous: ClusterState, state: ClusterState): void {
    const before = clusterSettings(previous, {})[AUTO_SHRINK];
    const after = clusterSettings(state, {})[AUTO_SHRINK];
    if (before === after) return;
    const { settings } = this.#parts;
    const autoShrinkVotingConfiguration =
      after === undefined ? settings.autoShrinkVotingConfiguration : after === 'true';
    this.#backend.settingsChanged({ ...settings, autoShrinkVotingConfiguration });
  }

  #logChange(previous: ClusterState, state: ClusterState): void {
    const { log } = this.#runtime;
    if (state.clusterManagerId !== previous.clusterManagerId) {
      const manager = state.nodes.get(state.clusterManagerId ?? '');
      log.info('cluster manager elected', { name: manager?.name ?? '', term: state.term, version: state.version });
    }
    if (state.nodes === previous.nodes) return;
    const names = (of: ClusterState, not: ClusterState): readonly string[] =>
      [...of.nodes.values()].filter((node) => !not.nodes.has(node.id)).map((node) => node.name);
    const [added, removed] = [names(state, previous), names(previous, state)];
    if (added.length > 0) log.info('nodes added', { names: added, version: state.version });
    if (removed.length > 0) log.info('nodes removed', { names: removed, version: state.version });
  }
}
