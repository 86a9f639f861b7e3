/**
 * The real runtime: this machine's clock, sockets, files and threads behind the `Runtime` interface.
 */
import { resolve } from 'node:path';
import { assert } from '@shoal/core';
import { createMemoryDisk } from '../disk/memory-disk.ts';
import { createNodeDisk } from '../disk/node-disk.ts';
import { createInlineWorkers } from '../inline/inline-workers.ts';
import type { Log, Runtime } from '../interfaces/runtime.ts';
import { createNodeClock } from '../platform/node-clock.ts';
import { createNodeMachine } from '../platform/node-machine.ts';
import { createNodeNetwork } from '../platform/node-network.ts';
import { createNodeRandom } from '../platform/node-random.ts';
import { createNodeScheduler } from '../platform/node-scheduler.ts';
import { createNodeWorkers } from './node-workers.ts';

export interface NodeRuntimeOptions {
  readonly log: Log;
  /** Folder under which relative paths live. Without it the disk is in memory and everything on it ends with the process. */
  readonly diskRoot?: string;
  /** Default: threads with a disk, inline without (a memory disk lives in one thread). */
  readonly workers?: 'threads' | 'inline';
  /** What the objects of one worker thread may take. Default: the platform's own limit. */
  readonly workerHeapBytesMax?: number;
}

export function createNodeRuntime(options: NodeRuntimeOptions): Runtime {
  const { log, diskRoot } = options;
  const mode = options.workers ?? (diskRoot === undefined ? 'inline' : 'threads');
  assert(mode === 'inline' || diskRoot !== undefined, 'a memory disk cannot be shared with worker threads');
  const root = diskRoot === undefined ? undefined : resolve(diskRoot);
  const runtime: Runtime = {
    clock: createNodeClock(),
    random: createNodeRandom(),
    net: createNodeNetwork(log),
    disk: root === undefined ? createMemoryDisk() : createNodeDisk(root),
    sched: createNodeScheduler(),
    workers:
      mode === 'threads' && root !== undefined
        ? createNodeWorkers({ log, diskRoot: root, heapBytesMax: options.workerHeapBytesMax ?? null })
        : createInlineWorkers(() => runtime),
    log,
    machine: createNodeMachine(),
  };
  return runtime;
}
