/**
 * A whole cluster in one process under virtual time: nodes with runtimes that can be crashed, cut off, paused and filled up.
 *
 * One event at a time by (time, order); after each the microtasks are drained by a turn of the real event loop, which the
 * language guarantees to be empty of them. Time jumps, nobody waits. The same seed and program give the same trace hash;
 * a real timer, file or socket that slips in shows as a deadlock or as two hashes.
 */
import { assert } from '@shoal/core';
import { createInlineWorkers, type Machine, type Runtime } from '@shoal/runtime';
import { EventQueue } from './event-queue.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';
import { type DiskFaults, DiskImage, SimulatedDisk } from './simulated-disk.ts';
import { simulatedLog, WorldLog } from './simulated-log.ts';
import { type NetworkFaults, SimulatedNetwork, Wires } from './simulated-network.ts';
import { SimulatedProcess, type WorldTime } from './simulated-process.ts';

/** Wall time at the start of every world: 2024-01-01T00:00:00Z. */
const EPOCH_MS = 1_704_067_200_000;

/** A run that executes more events than this in one call is taken for an endless loop. */
const EVENTS_PER_RUN_MAX = 5_000_000;

export interface WorldOptions {
  readonly seed: number | string;
  readonly network?: Partial<NetworkFaults>;
  readonly disk?: Partial<DiskFaults>;
}

export interface SimulatedNode {
  readonly name: string;
  /** Of the running process; a crash ends it, `restart` makes another. */
  readonly runtime: Runtime;
  readonly isAlive: boolean;
  /**
   * Kills the process and loses what was not durable. `silent`: the machine is gone too, so that peers hear nothing and
   * dials to it time out until `restart`.
   */
  crash(options?: { readonly silent?: boolean }): void;
  /** A new process on what the disk has kept. `emptyDisk`: on another machine of the same name. */
  restart(options?: { readonly emptyDisk?: boolean }): Runtime;
  /** Nothing of it runs for so long; then everything that was due, in order. */
  pause(ms: number): void;
  /** Moves this node's wall clock; the monotonic one stays. */
  jumpWallClock(ms: number): void;
  setDiskFaults(faults: Partial<DiskFaults>): void;
}

export interface SimulatedWorld {
  readonly nowMs: number;
  readonly random: SeededRandom;
  /** Of every event so far. */
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

class World implements SimulatedWorld, WorldTime {
  readonly random: SeededRandom;
  readonly wires: Wires;
  readonly log = new WorldLog();
  readonly #options: WorldOptions;
  readonly #queue = new EventQueue();
  readonly #nodes = new Map<string, Node>();
  readonly #checks: (() => void)[] = [];
  #nowMs = 0;
  #order = 0;
  #hash = 0x811c9dc5;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.random = seededRandom(options.seed);
    this.wires = new Wires(this, this.random.fork('network'));
    this.setNetworkFaults(options.network ?? {});
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get traceHash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }

  get logLines(): readonly string[] {
    return this.log.lines;
  }

  node(name: string): SimulatedNode {
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    const node = new Node(name, this, this.#options.disk ?? {});
    this.#nodes.set(name, node);
    return node;
  }

  post(ms: number, label: string, run: () => void, lane: 0 | 1 = 1): void {
    assert(ms >= 0, `event ${label} in the past: ${ms}`);
    this.#queue.push({ atMs: this.#nowMs + ms, lane, order: this.#order++, label, run });
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
      this.#mix(`${next.atMs} ${next.label}`);
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
    this.wires.block({ from, to, port: port ?? null });
  }

  heal(): void {
    this.wires.heal();
  }

  resetConnections(a: string, b: string): void {
    this.wires.reset(a, b);
  }

  setNetworkFaults(faults: Partial<NetworkFaults>): void {
    this.wires.faults = { ...this.wires.faults, ...faults };
  }

  onEveryEvent(check: () => void): void {
    this.#checks.push(check);
  }

  #deadlock(): string {
    const open = [...this.#nodes.values()].flatMap((node) => node.openOperations);
    const what = open.length === 0 ? 'no operation is open: something real is waited for' : open.join('\n  ');
    return `deadlock at ${this.#nowMs} ms: nothing can happen any more\n  ${what}\n${this.log.lines.slice(-20).join('\n')}`;
  }

  #mix(text: string): void {
    for (let at = 0; at < text.length; at++) this.#hash = Math.imul(this.#hash ^ text.charCodeAt(at), 0x01000193);
  }
}

class Node implements SimulatedNode {
  readonly name: string;
  readonly #world: World;
  readonly #diskFaults: Partial<DiskFaults>;
  #image: DiskImage;
  #process: SimulatedProcess;
  #runtime: Runtime;
  #processCount = 0;
  #diskCount = 0;
  #wallJumpMs = 0;

  constructor(name: string, world: World, diskFaults: Partial<DiskFaults>) {
    this.name = name;
    this.#world = world;
    this.#diskFaults = diskFaults;
    this.#image = this.#newDisk();
    this.#process = this.#newProcess();
    this.#runtime = this.#newRuntime(this.#process);
  }

  get runtime(): Runtime {
    return this.#runtime;
  }

  get isAlive(): boolean {
    return this.#process.isAlive;
  }

  get openOperations(): readonly string[] {
    return this.#process.openOperations;
  }

  crash(options: { readonly silent?: boolean } = {}): void {
    if (!this.#process.isAlive) return;
    if (options.silent === true) this.#world.wires.silentMachines.add(this.name);
    this.#process.kill();
    this.#world.wires.processDied(this.#process);
    this.#image.crash();
  }

  restart(options: { readonly emptyDisk?: boolean } = {}): Runtime {
    this.crash();
    this.#world.wires.silentMachines.delete(this.name);
    if (options.emptyDisk === true) this.#image = this.#newDisk();
    this.#process = this.#newProcess();
    this.#runtime = this.#newRuntime(this.#process);
    return this.#runtime;
  }

  pause(ms: number): void {
    this.#process.pause(this.#world.nowMs + ms);
  }

  jumpWallClock(ms: number): void {
    this.#wallJumpMs += ms;
  }

  setDiskFaults(faults: Partial<DiskFaults>): void {
    this.#image.faults = { ...this.#image.faults, ...faults };
  }

  #newDisk(): DiskImage {
    this.#diskCount += 1;
    const image = new DiskImage(this.#world.random.fork(`disk/${this.name}/${this.#diskCount}`));
    image.faults = { ...image.faults, ...this.#diskFaults };
    return image;
  }

  #newProcess(): SimulatedProcess {
    this.#processCount += 1;
    const random = this.#world.random.fork(`process/${this.name}/${this.#processCount}`);
    return new SimulatedProcess(this.name, this.#world, random);
  }

  #newRuntime(process: SimulatedProcess): Runtime {
    const world = this.#world;
    const startMs = world.nowMs;
    // Two machines agree neither on when their clocks began nor quite on what day it is.
    const clockRandom = process.random.fork('clock');
    const offsetMs = clockRandom.below(1_000_000);
    const skewMs = clockRandom.below(2_000) - 1_000;
    const runtime: Runtime = {
      clock: {
        monotonicMs: () => world.nowMs + offsetMs,
        wallMs: () => Math.floor(EPOCH_MS + world.nowMs + skewMs + this.#wallJumpMs),
      },
      random: process.random.fork('program'),
      net: new SimulatedNetwork(world.wires, process),
      disk: new SimulatedDisk(this.#image, process),
      sched: {
        after: (ms, fn) => {
          let isCancelled = false;
          process.post(Math.max(0, ms), 'timer', () => {
            if (!isCancelled) fn();
          });
          return () => {
            isCancelled = true;
          };
        },
        soon: (fn) => process.post(0, 'soon', fn, 0),
      },
      workers: createInlineWorkers(() => runtime),
      log: simulatedLog(world.log, { node: this.name, nowMs: () => world.nowMs }),
      machine: fixedMachine(() => world.nowMs - startMs),
    };
    return runtime;
  }
}

function fixedMachine(uptimeMs: () => number): Machine {
  return {
    cpuCount: 2,
    totalMemoryBytes: 4 * 2 ** 30,
    sample: () => ({
      pid: 1,
      freeMemoryBytes: 2 * 2 ** 30,
      loadAverage: [0, 0, 0],
      cpuMillis: 0,
      residentBytes: 2 ** 27,
      virtualBytes: 2 ** 30,
      heapUsedBytes: 2 ** 26,
      heapTotalBytes: 2 ** 27,
      heapMaxBytes: 2 ** 31,
      openFileDescriptors: 32,
      maxFileDescriptors: 65_536,
      uptimeMs: uptimeMs(),
      eventLoopDelayMsP99: 0,
    }),
  };
}

function drainMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
