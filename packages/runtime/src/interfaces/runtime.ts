/**
 * The interfaces through which every package touches the outside world: clock, random numbers, network, disk,
 * scheduling, workers, log.
 *
 * Real implementations stand beside this file; `@shoal/simulation` has the same interfaces under virtual time with
 * faults. A package that calls the world in another way cannot be simulated: the house test bans it.
 */
import type { ConfigFiles } from '@shoal/core';
import type { Clock } from './clock.ts';
import type { Disk } from './disk.ts';
import type { Log } from './log.ts';
import type { Machine } from './machine.ts';
import type { Network } from './network.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

export interface Runtime {
  readonly clock: Clock;
  readonly random: Random;
  readonly net: Network;
  readonly disk: Disk;
  /** Files that users give a node, apart from its own. */
  readonly config: ConfigFiles;
  readonly sched: Scheduler;
  readonly workers: Workers;
  readonly log: Log;
  readonly machine: Machine;
}

export interface Workers {
  /**
   * Starts a worker thread on `entry` (the URL of a module that exports `start(port, runtime)`), or, in simulation and
   * inline mode, runs that function in this thread. Messages are structured-cloned either way.
   */
  spawn(entry: WorkerEntry, name: string): WorkerHandle;
  /** Workers run in the calling thread, and so need the program of their entry. */
  readonly isInline: boolean;
}

export type WorkerProgram = (port: WorkerPort, runtime: Runtime) => void;

/** A worker's code: `module` for a real thread, `start` for the inline one. Both must be the same program. */
export interface WorkerEntry {
  readonly module: URL;
  /** null: the workers are threads. */
  readonly start: WorkerProgram | null;
}

export interface WorkerPort {
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  onMessage(handler: (message: unknown) => void): void;
}

export interface WorkerHandle extends WorkerPort {
  /** Called once if the worker ends without having been asked to. */
  onExit(handler: (reason: string) => void): void;
  terminate(): Promise<void>;
}
