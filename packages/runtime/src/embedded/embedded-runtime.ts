/**
 * The runtime of a node that lives inside somebody else's program and must leave no trace in it: no file, no socket, no thread, and
 * no timer that keeps the process alive.
 */
import { NO_CONFIG_FILES } from '@shoal/core';
import { createMemoryDisk, type MemoryDisk } from '../disk/memory-disk.ts';
import { createInlineWorkers } from '../inline/inline-workers.ts';
import type { Log } from '../interfaces/log.ts';
import type { Runtime } from '../interfaces/runtime.ts';
import { createNodeMachine } from '../platform/node-machine.ts';
import { createNodeRandom } from '../platform/node-random.ts';
import { ControlledTime } from './controlled-time.ts';
import { createMemoryNetwork } from './memory-network.ts';

export interface EmbeddedRuntime {
  readonly runtime: Runtime;
  readonly time: ControlledTime;
  /** The runtime's disk. */
  readonly disk: MemoryDisk;
}

export function createEmbeddedRuntime({ log }: { readonly log: Log }): EmbeddedRuntime {
  const time = new ControlledTime();
  const disk = createMemoryDisk();
  const runtime: Runtime = {
    clock: time.clock,
    sched: time.sched,
    random: createNodeRandom(),
    net: createMemoryNetwork(time.sched),
    disk,
    config: NO_CONFIG_FILES,
    workers: createInlineWorkers(() => runtime),
    log,
    machine: createNodeMachine(),
  };
  return { runtime, time, disk };
}
