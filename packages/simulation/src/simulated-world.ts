/**
 * A whole cluster in one process under virtual time: nodes with runtimes that can be crashed, cut off, paused and filled up.
 *
 * One event at a time by (time, order); after each the microtasks are drained by a turn of the real event loop, which the
 * language guarantees to be empty of them. Time jumps, nobody waits. The same seed and program give the same trace hash;
 * a real timer, file or socket that slips in shows as a deadlock or as two hashes.
 */
import { assert } from '@shoal/core';
import type { DiskFaults } from './disk-image.ts';
import { EventQueue } from './event-queue.ts';
import { type NetworkFaults, NetworkState } from './network-state.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';
import { WorldLog } from './simulated-log.ts';
import { type NodeSurroundings, type SimulatedNode, WorldNode } from './simulated-node.ts';
import type { WorldEvent, WorldTime } from './simulated-process.ts';
import { TraceHash } from './trace-hash.ts';
import type { WorkTimes } from './work-times.ts';

/** A run that executes more events than this in one call is taken for an endless loop. */
const EVENTS_PER_RUN_MAX = 5_000_000;

export interface WorldOptions {
  readonly seed: number | string;
  readonly network?: Partial<NetworkFaults>;
  readonly disk?: Partial<DiskFaults>;
  readonly work?: Partial<WorkTimes>;
  /** Given each line that a node logs; those that are kept are the last few hundred. */
  readonly onLogLine?: (line: string) => void;
}

export interface SimulatedWorld {
  readonly nowMs: number;
  readonly random: SeededRandom;
  /** Hash of every event so far and of all bytes sent and written. */
  readonly traceHash: string;
  /** The last log lines of all nodes. */
  readonly logLines: readonly string[];
  /** The node of that name; its first process starts when it is first asked for. */
  node(name: string): SimulatedNode;
  /** Runs until that virtual time, or until the predicate holds (then true). Throws when nothing can happen any more. */
  run(until: number | (() => boolean)): Promise<boolean>;
  /** Runs until the promise settles, and gives its result. */
  settle<T>(promise: Promise<T>): Promise<T>;
  /** Nothing passes between nodes of different groups. Nodes in no group are not touched. */
  partition(...groups: readonly (readonly string[])[]): void;
  /** Nothing passes from one to the other; the way back stays open. `port`: only streams to that listening port. */
  block(from: string, to: string, port?: number): void;
  heal(): void;
  resetConnections(a: string, b: string): void;
  setNetworkFaults(faults: Partial<NetworkFaults>): void;
  /** Checked after every event; throws to fail the run. */
  onEveryEvent(check: () => void): void;
}

export function createWorld(options: WorldOptions): SimulatedWorld {
  return new World(options);
}

class World implements SimulatedWorld, WorldTime, NodeSurroundings {
  readonly random: SeededRandom;
  readonly network: NetworkState;
  readonly log: WorldLog;
  readonly #options: WorldOptions;
  readonly #queue = new EventQueue();
  readonly #trace = new TraceHash();
  readonly #nodes = new Map<string, WorldNode>();
  readonly #checks: (() => void)[] = [];
  #nowMs = 0;
  #order = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.log = new WorldLog(options.onLogLine ?? (() => undefined));
    this.random = seededRandom(options.seed);
    this.network = new NetworkState(this.random.fork('network'));
    this.setNetworkFaults(options.network ?? {});
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get traceHash(): string {
    return this.#trace.text;
  }

  get logLines(): readonly string[] {
    return this.log.lines;
  }

  node(name: string): SimulatedNode {
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    const node = new WorldNode(name, this, { disk: this.#options.disk ?? {}, work: this.#options.work ?? {} });
    this.#nodes.set(name, node);
    return node;
  }

  /** The world is the time of its nodes. */
  get time(): WorldTime {
    return this;
  }

  nextOrder(): number {
    return this.#order++;
  }

  post(event: WorldEvent): void {
    assert(event.atMs >= this.#nowMs, `event ${event.label} at ${event.atMs} ms, which is before ${this.#nowMs} ms`);
    this.#queue.push(event);
  }

  trace(bytes: Uint8Array): void {
    this.#trace.addBytes(bytes);
  }

  async run(until: number | (() => boolean)): Promise<boolean> {
    const isDone = typeof until === 'number' ? (): boolean => false : until;
    const untilMs = typeof until === 'number' ? until : Number.POSITIVE_INFINITY;
    await drainMicrotasks();
    for (let count = 0; count < EVENTS_PER_RUN_MAX; count++) {
      if (isDone()) return true;
      const next = this.#queue.next;
      if (next === undefined && untilMs === Number.POSITIVE_INFINITY) throw new Error(this.#deadlock());
      if (next === undefined || next.atMs > untilMs) {
        this.#nowMs = untilMs;
        return false;
      }
      this.#queue.pop();
      this.#nowMs = next.atMs;
      this.#trace.addText(`${next.atMs} ${next.label}`);
      next.run();
      await drainMicrotasks();
      for (const check of this.#checks) check();
    }
    throw new Error(`more than ${EVENTS_PER_RUN_MAX} events at ${this.#nowMs} ms`);
  }

  async settle<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = (): void => {
      isSettled = true;
    };
    // The rejection itself is the caller's, by the last line.
    promise.then(settled, settled);
    await this.run(() => isSettled);
    return promise;
  }

  partition(...groups: readonly (readonly string[])[]): void {
    for (const from of groups) {
      for (const to of groups) {
        if (from === to) continue;
        for (const a of from) for (const b of to) this.block(a, b);
      }
    }
  }

  block(from: string, to: string, port?: number): void {
    this.network.block({ from, to, port: port ?? null });
  }

  heal(): void {
    this.network.heal();
  }

  resetConnections(a: string, b: string): void {
    this.network.reset(a, b);
  }

  setNetworkFaults(faults: Partial<NetworkFaults>): void {
    this.network.faults = { ...this.network.faults, ...faults };
  }

  onEveryEvent(check: () => void): void {
    this.#checks.push(check);
  }

  #deadlock(): string {
    const open = [...this.#nodes.values()].flatMap((node) => node.openOperations);
    const what = open.length === 0 ? 'no operation is open: something real is waited for' : open.join('\n  ');
    return `deadlock at ${this.#nowMs} ms: nothing can happen any more\n  ${what}\n${this.log.lines.slice(-20).join('\n')}`;
  }
}

function drainMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
