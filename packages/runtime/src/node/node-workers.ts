/**
 * Worker threads. Each starts at `worker-bootstrap.ts`, which builds a runtime inside the thread and calls the module's
 * `start(port, runtime)`.
 */

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { messageOf } from '@shoal/core';
import type { Log } from '../interfaces/log.ts';
import type { WorkerEntry, WorkerHandle, Workers } from '../interfaces/runtime.ts';
import { writeWorkerLine } from '../log/worker-log.ts';
import type { WorkerStart } from './worker-start.ts';

export interface NodeWorkersOptions {
  readonly log: Log;
  /** Root of the disk that the runtime inside each worker gets. */
  readonly diskRoot: string;
  /** Folder with files that users give the node; null: there is none. */
  readonly configRoot: string | null;
  /** Heap limit of one thread: a thread that needs more ends, the others go on. null: the platform's own limit. */
  readonly heapBytesMax: number | null;
}

const MEBIBYTE = 1024 * 1024;
/** Young generation of a thread's heap, a third of it in use at a time: a larger one costs as much and stays resident. */
const YOUNG_MEBIBYTES = 24;

/** @param spare a thread that runs already, for the first that asks for just that one */
export function createNodeWorkers(options: NodeWorkersOptions, spare: SpareWorker | null = null): Workers {
  const spawn = (entry: WorkerEntry, name: string): WorkerHandle => {
    const { worker, logPort } = spare?.take(entry.module, name, options) ?? startWorker(entry.module, name, options);
    const log = options.log.child({ worker: name });
    logPort.on('message', (line: unknown) => writeWorkerLine(log, line));
    logPort.unref();
    return handleOf(worker, log, () => logPort.close());
  };
  return { isInline: false, spawn };
}

/**
 * A thread that is started before the runtime is there that will ask for it, so that it takes in its code while this thread takes
 * in its own. The first `spawn` of the same program, under the same name and with the same options, gets it. Until then it does
 * not keep the process from ending, and nobody hears what it posts: for programs that wait to be asked.
 */
export class SpareWorker {
  readonly #name: string;
  readonly #options: SpareWorkerOptions;
  /** null: it is taken, or has ended. */
  #started: StartedWorker | null;

  constructor(module: URL, name: string, options: SpareWorkerOptions) {
    this.#name = name;
    this.#options = options;
    this.#started = startWorker(module, name, options);
    // Whoever asks for it starts another one then, which fails where it can be told.
    const forget = (): void => {
      this.#started = null;
    };
    this.#started.worker.once('error', forget).once('exit', forget).unref();
  }

  /** null when it is gone, or another one in any way. */
  take(module: URL, name: string, options: SpareWorkerOptions): StartedWorker | null {
    const started = this.#started;
    const isSame =
      started?.module === runnable(module).href &&
      this.#name === name &&
      this.#options.diskRoot === options.diskRoot &&
      this.#options.configRoot === options.configRoot &&
      this.#options.heapBytesMax === options.heapBytesMax;
    if (started === null || !isSame) return null;
    this.#started = null;
    started.worker.ref();
    return started;
  }
}

type SpareWorkerOptions = Omit<NodeWorkersOptions, 'log'>;

interface StartedWorker {
  readonly worker: Worker;
  readonly module: string;
  readonly logPort: MessagePort;
}

function startWorker(module: URL, name: string, options: SpareWorkerOptions): StartedWorker {
  const { diskRoot, configRoot, heapBytesMax } = options;
  const logs = new MessageChannel();
  const start: WorkerStart = { module: runnable(module).href, diskRoot, configRoot, logPort: logs.port2 };
  const worker = new Worker(runnable(new URL('./worker-bootstrap.ts', import.meta.url)), {
    name,
    workerData: start,
    transferList: [logs.port2],
    execArgv: [],
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_MEBIBYTES,
      ...(heapBytesMax === null ? {} : { maxOldGenerationSizeMb: Math.ceil(heapBytesMax / MEBIBYTE) }),
    },
  });
  return { worker, module: start.module, logPort: logs.port1 };
}

function handleOf(worker: Worker, log: Log, cleanUp: () => void): WorkerHandle {
  const exitHandlers: ((reason: string) => void)[] = [];
  let isExpected = false;
  let failure: string | null = null;
  worker.on('error', (error) => {
    failure = messageOf(error);
    log.error('worker thread failed', { error });
  });
  worker.on('exit', (code) => {
    cleanUp();
    if (isExpected) return;
    isExpected = true;
    for (const handler of exitHandlers) handler(failure ?? `worker thread ended with code ${code}`);
  });
  return {
    post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    onMessage: (handler) => void worker.on('message', handler),
    onExit: (handler) => void exitHandlers.push(handler),
    terminate: async () => {
      isExpected = true;
      await worker.terminate();
    },
  };
}

/**
 * The file that Node can load: under a test runner this code is TypeScript in `src`, which a worker thread of Node 20
 * cannot read, so the built file in `dist` is taken.
 */
function runnable(module: URL): URL {
  if (!module.pathname.endsWith('.ts')) return module;
  const built = module.href.replace(/\/src\/(?!.*\/src\/)/, '/dist/').replace(/\.ts$/, '.js');
  return new URL(import.meta.url.endsWith('.ts') ? built : module.href.replace(/\.ts$/, '.js'));
}
