/**
 * Worker threads. Each starts at `worker-bootstrap.ts`, which builds a runtime inside the thread and calls the module's
 * `start(port, runtime)`.
 */
import { MessageChannel, Worker } from 'node:worker_threads';
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

export function createNodeWorkers(options: NodeWorkersOptions): Workers {
  return { isInline: false, spawn: (entry, name) => spawn(entry, name, options) };
}

function spawn(entry: WorkerEntry, name: string, options: NodeWorkersOptions): WorkerHandle {
  const logs = new MessageChannel();
  const log = options.log.child({ worker: name });
  logs.port1.on('message', (line: unknown) => writeWorkerLine(log, line));
  logs.port1.unref();
  const start: WorkerStart = {
    module: runnable(entry.module).href,
    diskRoot: options.diskRoot,
    configRoot: options.configRoot,
    logPort: logs.port2,
  };
  const worker = new Worker(runnable(new URL('./worker-bootstrap.ts', import.meta.url)), {
    name,
    workerData: start,
    transferList: [logs.port2],
    execArgv: [],
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_MEBIBYTES,
      ...(options.heapBytesMax === null ? {} : { maxOldGenerationSizeMb: Math.ceil(options.heapBytesMax / MEBIBYTE) }),
    },
  });
  return handleOf(worker, log, () => logs.port1.close());
}

function handleOf(worker: Worker, log: Log, cleanUp: () => void): WorkerHandle {
  const exitHandlers: ((reason: string) => void)[] = [];
  let isExpected = false;
  let failure: string | null = null;
  worker.on('error', (error) => {
    failure = error instanceof Error ? error.message : String(error);
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
