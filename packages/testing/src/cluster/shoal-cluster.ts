/**
 * A whole cluster inside a test, over a simulated network and simulated disks: time, partitions and deaths are the test's, and the
 * same seed and calls go the same way again.
 */
import type { SimulatedWorld } from '@shoal/simulation';
import type { InProcessFetchInit } from '../fetch/in-process-fetch.ts';
import { millisOf } from '../values/time-span.ts';
import type { ClusterNode, KillOptions, RunningNode } from './cluster-node.ts';
import type { WorldDriver } from './world-driver.ts';

/** Time that passes between two looks at a condition. */
const WAIT_STEP_MS = 50;

export class ShoalCluster {
  /** Draws the network's latencies, the work times of the nodes and what a crash leaves on a disk. */
  readonly seed: number | string;
  readonly nodes: readonly ClusterNode[];
  readonly #running: readonly RunningNode[];
  readonly #world: SimulatedWorld;
  readonly #driver: WorldDriver;
  #isClosed = false;

  constructor(
    seed: number | string,
    nodes: readonly RunningNode[],
    { world, driver }: { readonly world: SimulatedWorld; readonly driver: WorldDriver },
  ) {
    this.seed = seed;
    this.nodes = nodes;
    this.#running = nodes;
    this.#world = world;
    this.#driver = driver;
  }

  /** Time of the cluster since its start, in milliseconds. It goes on while somebody waits for an answer, and by `advance`. */
  get nowMs(): number {
    return this.#world.nowMs;
  }

  /** The last lines that the nodes logged. */
  get log(): readonly string[] {
    return this.#world.logLines;
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

  #at(position: number): RunningNode {
    if (this.#isClosed) throw new Error('the cluster is closed');
    const node = this.#running[position];
    if (node === undefined)
      throw new RangeError(`the cluster has nodes 0 to ${this.nodes.length - 1}, not [${position}]`);
    return node;
  }
}
