/**
 * A whole cluster inside a test, over a simulated network and simulated disks: time, partitions and deaths are the test's, and the
 * same seed and calls go the same way again.
 */
import type { SimulatedWorld } from '@shoal/simulation';
import type { Faults } from '../faults/faults.ts';
import type { InProcessFetchInit } from '../fetch/in-process-fetch.ts';
import { type LoadResult, type LoadSource, load } from '../load/load.ts';
import type { LoadOptions } from '../load/load-entries.ts';
import type { AskedRequest } from '../requests/asked-request.ts';
import type { ShoalClock } from '../values/shoal-clock.ts';
import type { Snapshot } from '../values/snapshot.ts';
import { millisOf } from '../values/time-span.ts';
import { clusterClock } from './cluster-clock.ts';
import type { ClusterNode, KillOptions, NodeSurroundings, RunningNode } from './cluster-node.ts';
import { ClusterStates } from './cluster-states.ts';
import type { WorldDriver } from './world-driver.ts';

/** Time that passes between two looks at a condition. */
const WAIT_STEP_MS = 50;

export class ShoalCluster {
  /** Draws the network's latencies, the work times of the nodes and what a crash leaves on a disk. */
  readonly seed: number | string;
  readonly nodes: readonly ClusterNode[];
  /** Faults of the next requests, whichever node is asked. Those of one node are in `nodes[0].faults`, and met after these. */
  readonly faults: Faults;
  /** Clocks of all machines: what day it is there. */
  readonly clock: ShoalClock;
  readonly #running: readonly RunningNode[];
  readonly #world: SimulatedWorld;
  readonly #driver: WorldDriver;
  readonly #around: NodeSurroundings;
  readonly #states: ClusterStates;
  #isClosed = false;

  constructor(seed: number | string, nodes: readonly RunningNode[], around: NodeSurroundings) {
    this.seed = seed;
    this.nodes = nodes;
    this.#running = nodes;
    this.#around = around;
    this.#world = around.world;
    this.#driver = around.driver;
    this.faults = around.faults;
    this.clock = clusterClock(around, nodes);
    this.#states = new ClusterStates(around, nodes, () => this.clock.now());
  }

  /** Time of the cluster since its start, in milliseconds. It goes on while somebody waits for an answer, and by `advance`. */
  get nowMs(): number {
    return this.#world.nowMs;
  }

  /** The last lines that the nodes logged. */
  get log(): readonly string[] {
    return this.#world.logLines;
  }

  /** What all nodes were asked from outside, oldest first: a list that grows, of at most 10,000 requests and 64 MB. */
  get requests(): readonly AskedRequest[] {
    return this.#around.log.requests;
  }

  /** Forgets what the nodes were asked. */
  clearRequests(): void {
    this.#around.log.clear();
    for (const node of this.#running) node.clearRequests();
  }

  /** Writes documents through the first node that is alive, from all that `load` of a single node takes. */
  load(source: LoadSource, options: LoadOptions = {}): Promise<LoadResult> {
    const ask = async (path: string, body: string): Promise<unknown> =>
      (await this.fetch(path, { method: 'POST', body })).json();
    return load(ask, source, options);
  }

  /**
   * Keeps all that the nodes have on their disks, which is every write that was acknowledged, and the state of the cluster. All nodes
   * must be alive and together.
   */
  async snapshot(): Promise<Snapshot> {
    this.#requireOpen();
    return this.#states.save();
  }

  /**
   * Returns to a state that was kept, as often as wanted: ends all nodes, heals the network, starts the nodes on the disks that they had,
   * and waits until they are together and have their shards. Scrolls, points in time and asynchronous searches end; the clocks go on as
   * they are.
   */
  async restore(snapshot: Snapshot): Promise<void> {
    this.#requireOpen();
    await this.#states.returnTo(snapshot, (condition) => this.waitUntil(condition));
  }

  /** Asks the first node that is alive. */
  fetch(path: string | URL, init: InProcessFetchInit = {}): Promise<Response> {
    const alive = this.nodes.find((node) => node.isAlive);
    if (alive === undefined) return Promise.reject(new Error('every node of the cluster is dead'));
    return alive.fetch(path, init);
  }

  /**
   * Cuts the network: nothing passes between nodes of different groups.
   *
   * @param groups positions of nodes, from 0; a node in none of them reaches all others
   */
  partition(...groups: readonly (readonly number[])[]): void {
    this.#world.partition(...groups.map((group) => group.map((position) => this.#at(position).name)));
  }

  /** Lets everything pass again. */
  heal(): void {
    this.#world.heal();
  }

  /** Kills a node: its process ends at once, its disk loses what was not synced, and who waits for its answer is cut. */
  kill(position: number, options: KillOptions = {}): void {
    this.#at(position).kill(options);
  }

  /** Starts a node again on what its disk has kept, and waits until it is part of the cluster. */
  async restart(position: number): Promise<void> {
    const node = this.#at(position);
    node.start();
    await this.waitUntil(() => this.#isMember(node));
  }

  /** Stops a node for so long, as a machine that hangs: then it does what was due. */
  pause(position: number, by: number | string): void {
    this.#world.node(this.#at(position).name).pause(millisOf(by));
  }

  /** Lets time pass: milliseconds, or a time such as `10s`. */
  advance(by: number | string): Promise<void> {
    return this.#driver.advance(millisOf(by));
  }

  /**
   * Lets time pass until the condition holds.
   *
   * @param within longest time to pass. Default: `5m`
   */
  async waitUntil(condition: () => boolean, within: number | string = '5m'): Promise<void> {
    const untilMs = this.#world.nowMs + millisOf(within);
    while (!condition()) {
      if (this.#world.nowMs >= untilMs) throw new Error(`it did not happen within ${within} (seed ${this.seed})`);
      await this.#driver.advance(WAIT_STEP_MS);
    }
  }

  /** Ends all nodes. Closing twice is fine. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all(this.#running.map((node) => node.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** The node follows a cluster manager, and whoever follows the same one knows it. */
  #isMember(node: RunningNode): boolean {
    const own = node.program?.cluster;
    const manager = own?.state().clusterManagerId ?? null;
    if (own === undefined || manager === null) return false;
    const states = this.#running.flatMap(({ program }) => (program === null ? [] : [program.cluster.state()]));
    return states.every(({ clusterManagerId, nodes }) => clusterManagerId !== manager || nodes.has(own.localNode.id));
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new Error('the cluster is closed');
  }

  #at(position: number): RunningNode {
    this.#requireOpen();
    const node = this.#running[position];
    if (node === undefined)
      throw new RangeError(`the cluster has nodes 0 to ${this.nodes.length - 1}, not [${position}]`);
    return node;
  }
}
