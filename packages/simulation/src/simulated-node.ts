/**
 * One machine of a simulated world: its disk, and the process that runs on it, with a runtime for the program.
 */
import { NO_CONFIG_FILES } from '@shoal/core';
import { createInlineWorkers, type Machine, type Runtime } from '@shoal/runtime';
import { type DiskFaults, DiskImage, type SavedDisk } from './disk-image.ts';
import type { NetworkState } from './network-state.ts';
import type { SeededRandom } from './seeded-random.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { simulatedLog, type WorldLog } from './simulated-log.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import { SimulatedProcess, type WorldTime } from './simulated-process.ts';
import { USUAL_WORK, type WorkTimes } from './work-times.ts';

/** Wall time at the start of every world: 2024-01-01T00:00:00Z. */
const EPOCH_MS = 1_704_067_200_000;

export interface SimulatedNode {
  readonly name: string;
  /** Runtime of the running process; a crash ends it, `restart` makes another. */
  readonly runtime: Runtime;
  readonly isAlive: boolean;
  /**
   * Kills the process and loses what was not durable. `silent`: the machine is gone too, so that peers hear nothing and
   * dials to it time out until `restart`.
   */
  crash(options?: { readonly silent?: boolean }): void;
  /**
   * A new process on what the disk has kept. `emptyDisk`: on another machine of the same name. `disk`: on what a disk of this node had
   * when it was saved.
   */
  restart(options?: RestartOptions): Runtime;
  /** Bytes of all files on the disk, synced or not. */
  readonly diskUsedBytes: number;
  /** What programs see on the disk now, synced or not. */
  saveDisk(): SavedDisk;
  /** Stops the process for so long; then everything that was due runs, in order. */
  pause(ms: number): void;
  /** Moves this node's wall clock; the monotonic one stays. */
  jumpWallClock(ms: number): void;
  setDiskFaults(faults: Partial<DiskFaults>): void;
  /** Changes how long this machine's programs work between two readings of their clock. */
  setWorkTimes(times: Partial<WorkTimes>): void;
}

export interface RestartOptions {
  readonly emptyDisk?: boolean;
  readonly disk?: SavedDisk;
}

/** The parts of a world that its nodes use. */
export interface NodeSurroundings {
  readonly time: WorldTime;
  readonly network: NetworkState;
  readonly random: SeededRandom;
  readonly log: WorldLog;
}

export interface NodeOptions {
  readonly disk: Partial<DiskFaults>;
  readonly work: Partial<WorkTimes>;
}

export class WorldNode implements SimulatedNode {
  readonly name: string;
  readonly #world: NodeSurroundings;
  readonly #diskFaults: Partial<DiskFaults>;
  #image: DiskImage;
  #process: SimulatedProcess;
  #runtime: Runtime;
  #processCount = 0;
  #diskCount = 0;
  #wallJumpMs = 0;
  #workTimes: WorkTimes;

  constructor(name: string, world: NodeSurroundings, options: NodeOptions) {
    this.name = name;
    this.#world = world;
    this.#diskFaults = options.disk;
    this.#workTimes = { ...USUAL_WORK, ...options.work };
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
    if (options.silent === true) this.#world.network.silentMachines.add(this.name);
    this.#process.kill();
    this.#world.network.processDied(this.#process);
    this.#image.crash();
  }

  get diskUsedBytes(): number {
    return this.#image.usedBytes();
  }

  saveDisk(): SavedDisk {
    return this.#image.save();
  }

  restart(options: RestartOptions = {}): Runtime {
    this.crash();
    this.#world.network.silentMachines.delete(this.name);
    if (options.emptyDisk === true) this.#image = this.#newDisk();
    if (options.disk !== undefined) this.#image.returnTo(options.disk);
    this.#process = this.#newProcess();
    this.#runtime = this.#newRuntime(this.#process);
    return this.#runtime;
  }

  pause(ms: number): void {
    this.#process.pause(this.#world.time.nowMs + ms);
  }

  jumpWallClock(ms: number): void {
    this.#wallJumpMs += ms;
  }

  setDiskFaults(faults: Partial<DiskFaults>): void {
    this.#image.faults = { ...this.#image.faults, ...faults };
  }

  setWorkTimes(times: Partial<WorkTimes>): void {
    this.#workTimes = { ...this.#workTimes, ...times };
    this.#process.workTimes = this.#workTimes;
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
    const process = new SimulatedProcess(this.name, this.#world.time, random);
    process.workTimes = this.#workTimes;
    return process;
  }

  #newRuntime(process: SimulatedProcess): Runtime {
    const world = this.#world;
    const startMs = process.nowMs;
    // Two machines agree neither on when their clocks began nor quite on what day it is.
    const clockRandom = process.random.fork('clock');
    const offsetMs = clockRandom.below(1_000_000);
    const skewMs = clockRandom.below(2_000) - 1_000;
    const runtime: Runtime = {
      clock: {
        monotonicMs: () => process.readClock() + offsetMs,
        wallMs: () => Math.floor(EPOCH_MS + process.readClock() + skewMs + this.#wallJumpMs),
      },
      random: process.random.fork('program'),
      net: new SimulatedNetwork(world.network, process),
      disk: new SimulatedDisk(this.#image, process),
      config: NO_CONFIG_FILES,
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
      log: simulatedLog(world.log, { node: this.name, nowMs: () => process.nowMs }),
      machine: fixedMachine(() => process.nowMs - startMs),
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
