/**
 * The real runtime of one thread: this machine's clock, sockets and files behind the `Runtime` interface. Workers run
 * inline, in the thread itself; `node-runtime.ts` replaces them by threads.
 */
import { resolve } from 'node:path';
import { NO_CONFIG_FILES } from '@shoal/core';
import { createMemoryDisk } from '../disk/memory-disk.ts';
import { createNodeDisk } from '../disk/node-disk.ts';
import { createInlineWorkers } from '../inline/inline-workers.ts';
import type { Log } from '../interfaces/log.ts';
import type { Runtime } from '../interfaces/runtime.ts';
import { createNodeClock } from '../platform/node-clock.ts';
import { createNodeConfigFiles } from '../platform/node-config-files.ts';
import { createNodeMachine } from '../platform/node-machine.ts';
import { createNodeNetwork } from '../platform/node-network.ts';
import { createNodeRandom } from '../platform/node-random.ts';
import { createNodeScheduler } from '../platform/node-scheduler.ts';

export interface ThreadRuntimeOptions {
  readonly log: Log;
  /** Folder under which relative paths live. Without it the disk is in memory and everything on it ends with the process. */
  readonly diskRoot?: string;
  /** Folder with files that users give the node. Without it there are none. */
  readonly configRoot?: string;
  /** The thread may wait for short operations of the disk: worker threads only. */
  readonly blocks?: boolean;
}

export function createThreadRuntime({ log, diskRoot, configRoot, blocks = false }: ThreadRuntimeOptions): Runtime {
  const runtime: Runtime = {
    clock: createNodeClock(),
    random: createNodeRandom(),
    net: createNodeNetwork(log),
    disk: diskRoot === undefined ? createMemoryDisk() : createNodeDisk(resolve(diskRoot), { blocks }),
    config: configRoot === undefined ? NO_CONFIG_FILES : createNodeConfigFiles(configRoot),
    sched: createNodeScheduler(),
    workers: createInlineWorkers(() => runtime),
    log,
    machine: createNodeMachine(),
  };
  return runtime;
}
