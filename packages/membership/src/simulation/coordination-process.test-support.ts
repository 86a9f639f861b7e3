/**
 * One process of a simulated node with the coordination of the product: transport, connections, messenger and log on a
 * simulated disk. Only what would bring a state into force (shards, settings) is left out: it takes time and remembers.
 */
import { CopyIndex, clusterValueModel } from '@shoal/cluster';
import { type ClusterState, type DiscoveryNode, discoveryNodeOf, type NodeRole } from '@shoal/cluster-state';
import type { BootstrapPlan, CoordinationSettings, DurableState, ProposalResult } from '@shoal/consensus';
import { NO_CONFIG_FILES, SHOAL_VERSION } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import { startTransport } from '@shoal/transport';
import { NodeConnections } from '../connections/node-connections.ts';
import { RefusedPeers } from '../connections/refused-peers.ts';
import { EmbeddedCoordination } from '../coordination/embedded-coordination.ts';
import { CoordinationLog } from '../disk/coordination-log.ts';
import type { CoordinationDiagnosis } from '../service/cluster-service.ts';

export const CLUSTER_NAME = 'simulated';
export const TRANSPORT_PORT = 9_300;
const STATE_FOLDER = '_state';
/** No node of these clusters holds a shard. */
const NO_STORES = { find: (): null => null };
/** What a cluster begins with makes its states larger, and says nothing of their agreement. */
const WITHOUT_TEMPLATES = { 'stack.templates.enabled': 'false' };
const NO_DISKS = { of: (): null => null, shardBytes: (): null => null };

/** What a process tells the checkers of its cluster. */
export interface ProcessWatcher {
  /** Asked for each state: how long bringing it into force takes. */
  applyMs(): number;
  /** The log is about to write. `before`: what this process had accepted until now. */
  saving(process: CoordinationProcess, before: ClusterState, durable: DurableState<ClusterState>): void;
  saved(process: CoordinationProcess, durable: DurableState<ClusterState>): void;
  /** A committed state comes into force. */
  committed(process: CoordinationProcess, state: ClusterState): void;
  modeChanged(process: CoordinationProcess, mode: CoordinationDiagnosis['mode']): void;
  fatal(process: CoordinationProcess, error: unknown): void;
}

export interface ProcessOptions {
  /** Name, host and node id in one. */
  readonly id: string;
  readonly processCount: number;
  readonly roles: readonly NodeRole[];
  readonly bootstrap: BootstrapPlan;
  readonly seedHosts: readonly string[];
  readonly settings: CoordinationSettings;
  readonly empty: DurableState<ClusterState>;
}

export class CoordinationProcess {
  readonly id: string;
  readonly node: DiscoveryNode;
  /** The state in force here; with `clusterManagerId` null when the manager is lost. Null before the first. */
  applied: ClusterState | null = null;
  /** The state accepted last, durable or about to be. */
  accepted: ClusterState;
  readonly #runtime: Runtime;
  readonly #watcher: ProcessWatcher;
  readonly #connections: NodeConnections;
  readonly #backend: EmbeddedCoordination;

  private constructor(
    runtime: Runtime,
    watcher: ProcessWatcher,
    options: ProcessOptions,
    parts: {
      readonly transport: Awaited<ReturnType<typeof startTransport>>;
      readonly log: CoordinationLog;
      readonly durable: DurableState<ClusterState>;
    },
  ) {
    const { transport, log, durable } = parts;
    this.id = options.id;
    this.node = discoveryNodeOf(transport.identity);
    this.accepted = durable.accepted.value;
    this.#runtime = runtime;
    this.#watcher = watcher;
    const copies = new CopyIndex();
    this.#connections = new NodeConnections(runtime, transport, (node) => this.#backend.nodeDisconnected(node));
    this.#backend = new EmbeddedCoordination(runtime, {
      transport,
      connections: this.#connections,
      refused: new RefusedPeers(runtime),
      seedHosts: options.seedHosts,
      bootstrap: options.bootstrap,
      settings: options.settings,
      model: clusterValueModel(() => ({
        nowMs: runtime.clock.wallMs(),
        newUuid: () => String(runtime.random.u32()),
        files: NO_CONFIG_FILES,
        newAllocationId: () => String(runtime.random.u32()),
        stores: NO_STORES,
        disks: NO_DISKS,
        copies,
        nodeSettings: WITHOUT_TEMPLATES,
      })),
      durable,
      log: { save: (next) => this.#save(log, next), close: () => log.close() },
    });
  }

  static async start(runtime: Runtime, watcher: ProcessWatcher, options: ProcessOptions): Promise<CoordinationProcess> {
    await runtime.disk.mkdir(STATE_FOLDER);
    const { log, durable } = await CoordinationLog.open(runtime.disk, STATE_FOLDER, options.empty, {
      log: runtime.log,
      sched: runtime.sched,
      clock: runtime.clock,
      rotateBytes: 16_384,
    });
    const transport = await startTransport(runtime, {
      identity: {
        nodeId: options.id,
        ephemeralId: `${options.id}-${options.processCount}`,
        name: options.id,
        clusterName: CLUSTER_NAME,
        version: SHOAL_VERSION,
        roles: options.roles,
        kind: 'node',
        attributes: {},
        httpAddress: null,
      },
      bind: { host: options.id, port: TRANSPORT_PORT },
    });
    const process = new CoordinationProcess(runtime, watcher, options, { transport, log, durable });
    await process.#begin();
    return process;
  }

  get isLeader(): boolean {
    return this.#backend.isLeader;
  }

  diagnose(): CoordinationDiagnosis {
    return this.#backend.diagnose();
  }

  propose(source: string, update: (state: ClusterState) => ClusterState): Promise<ProposalResult> {
    return this.#backend.propose(source, update);
  }

  healthChanged(healthy: boolean, reason: string): void {
    this.#backend.healthChanged(healthy, reason);
  }

  async #begin(): Promise<void> {
    await this.#backend.start(this.node, {
      committed: async (state) => {
        void this.#connections.keep(state.nodes);
        this.#watcher.committed(this, state);
        const ms = this.#watcher.applyMs();
        await new Promise<void>((resolve) => void this.#runtime.sched.after(ms, resolve));
        this.applied = state;
      },
      managerLost: async () => {
        if (this.applied !== null) this.applied = { ...this.applied, clusterManagerId: null };
      },
      modeChanged: (mode) => this.#watcher.modeChanged(this, mode),
      fatal: (error) => this.#watcher.fatal(this, error),
    });
  }

  async #save(log: CoordinationLog, durable: DurableState<ClusterState>): Promise<void> {
    this.#watcher.saving(this, this.accepted, durable);
    this.accepted = durable.accepted.value;
    await log.save(durable);
    this.#watcher.saved(this, durable);
  }
}
