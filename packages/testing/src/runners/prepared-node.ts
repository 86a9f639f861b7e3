/**
 * A node that begins each test of a file in the same state.
 *
 * The state that counts is that before the first test: what `setup` wrote, and what hooks of the file wrote that ran once for all
 * tests. Faults, noted requests and a moved clock are not state of the node, and are taken back with it.
 */
import type { ShoalNode } from '../start/shoal-node.ts';
import { type StartOptions, startShoal } from '../start/start-shoal.ts';
import type { Snapshot } from '../values/snapshot.ts';

export interface RunnerOptions extends StartOptions {
  /** Writes what every test begins with. Runs once for each node. */
  readonly setup?: (node: ShoalNode) => unknown;
}

/** Largest difference between the clocks of node and machine that is no work of a test, in milliseconds. */
const CLOCK_DRIFT_MS_MAX = 1_000;

export class PreparedNode {
  readonly node: ShoalNode;
  /** State after `setup`. */
  readonly #prepared: Snapshot;
  /** Time of the machine at which `prepared` was taken. */
  readonly #preparedAtMs: number;
  /** State before the first test of a file; null until that test. */
  #ofFile: Snapshot | null = null;

  private constructor(node: ShoalNode, prepared: Snapshot, preparedAtMs: number) {
    this.node = node;
    this.#prepared = prepared;
    this.#preparedAtMs = preparedAtMs;
  }

  static async start({ setup, ...options }: RunnerOptions): Promise<PreparedNode> {
    const node = await startShoal(options);
    try {
      await setup?.(node);
      return new PreparedNode(node, await node.snapshot(), Date.now());
    } catch (error) {
      await node.close();
      throw error;
    }
  }

  /** Begins a test. */
  async beginTest(): Promise<void> {
    if (this.#ofFile === null) this.#ofFile = await this.node.snapshot();
    else await this.node.restore(this.#ofFile);
    await this.#forget();
  }

  /** Begins a file that gets a node which another file had. */
  async beginFile(): Promise<void> {
    this.#ofFile = null;
    await this.node.restore(this.#prepared);
    await this.#forget();
  }

  close(): Promise<void> {
    return this.node.close();
  }

  async #forget(): Promise<void> {
    const { node } = this;
    node.faults.clear();
    const expectedMs = this.#prepared.takenAt + Date.now() - this.#preparedAtMs;
    if (Math.abs(node.clock.now() - expectedMs) > CLOCK_DRIFT_MS_MAX) await node.clock.set(expectedMs);
    node.clearRequests();
  }
}
