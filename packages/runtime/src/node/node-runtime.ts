/**
 * The real runtime of a process: that of its main thread, with workers as threads where a disk is there to share.
 */
import { resolve } from 'node:path';
import { assert } from '@shoal/core';
import type { Runtime } from '../interfaces/runtime.ts';
import { createNodeWorkers, type SpareWorker } from './node-workers.ts';
import { createThreadRuntime, type ThreadRuntimeOptions } from './thread-runtime.ts';

export interface NodeRuntimeOptions extends ThreadRuntimeOptions {
  /** Default: threads with a disk, inline without (a memory disk lives in one thread). */
  readonly workers?: 'threads' | 'inline';
  /** Heap limit of one worker thread. Default: the platform's own limit. */
  readonly workerHeapBytesMax?: number;
  /** A thread that was started before this runtime, for the first that asks for just that one. */
  readonly spareWorker?: SpareWorker | null;
}

export function createNodeRuntime(options: NodeRuntimeOptions): Runtime {
  const { log, diskRoot } = options;
  const runtime = createThreadRuntime(options);
  const mode = options.workers ?? (diskRoot === undefined ? 'inline' : 'threads');
  if (mode === 'inline') return runtime;
  assert(diskRoot !== undefined, 'a memory disk cannot be shared with worker threads');
  const heapBytesMax = options.workerHeapBytesMax ?? null;
  const configRoot = options.configRoot === undefined ? null : resolve(options.configRoot);
  const workersOptions = { log, diskRoot: resolve(diskRoot), configRoot, heapBytesMax };
  return { ...runtime, workers: createNodeWorkers(workersOptions, options.spareWorker) };
}
