/**
 * First code of a worker thread: builds a runtime here, loads the worker's module and starts it.
 *
 * Messages that arrive before the module has set its handler wait in the port. A failure to load is thrown, which ends
 * the thread and reaches the owner as `onExit`.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { assert } from '@shoal/core';
import type { Runtime, WorkerPort } from '../interfaces/runtime.ts';
import { createPortLog } from '../log/worker-log.ts';
import { createThreadRuntime } from './thread-runtime.ts';
import type { WorkerStart } from './worker-start.ts';

function portTo(owner: MessagePort): WorkerPort {
  return {
    post: (message, transfer = []) => owner.postMessage(message, [...transfer]),
    onMessage: (handler) => void owner.on('message', handler),
  };
}

async function boot(owner: MessagePort): Promise<void> {
  const start = workerData as WorkerStart; // Written by node-workers.ts.
  const { diskRoot, configRoot, logPort } = start;
  const log = createPortLog(logPort);
  const runtime = createThreadRuntime({ log, diskRoot, blocks: true, ...(configRoot === null ? {} : { configRoot }) });
  const module = (await import(start.module)) as { readonly start?: unknown };
  assert(typeof module.start === 'function', `worker module ${start.module} exports no start function`);
  const run = module.start as (port: WorkerPort, runtime: Runtime) => void; // Checked above; typed by WorkerEntry.
  run(portTo(owner), runtime);
}

/** Throws outside of any promise, which ends the thread whatever its rules for rejected promises are. */
function endThread(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

// Without awaiting here: this is joined into scripts, which cannot.
if (parentPort !== null) boot(parentPort).catch(endThread);
