/**
 * Workers that run in the calling thread: for embedded nodes, whose start must cost nothing, and for simulation.
 *
 * Messages are cloned when posted and delivered in a later turn, as between real threads, so that a program which works
 * here works there: nothing is shared by accident, and nobody is called back from inside his own `post`.
 */
import { assert, messageOf } from '@shoal/core';
import type { Runtime, WorkerEntry, WorkerHandle, WorkerPort, Workers } from '../interfaces/runtime.ts';

/** @param runtime called at each spawn, since the runtime that owns these workers is made after them */
export function createInlineWorkers(runtime: () => Runtime): Workers {
  return {
    isInline: true,
    spawn({ start }: WorkerEntry, name: string): WorkerHandle {
      assert(start !== null, `worker ${name} is to run in this thread, and its program was not loaded`);
      const own = runtime();
      const worker = new InlineWorker(own);
      own.sched.soon(() => {
        worker.guard(() => start(worker.inside, { ...own, log: own.log.child({ worker: name }) }));
      });
      return worker.outside;
    },
  };
}

/** Messages in one direction: cloned when posted, queued until there is a handler. */
class MessageQueue {
  readonly #deliver: (work: () => void) => void;
  readonly #waiting: unknown[] = [];
  #handler: ((message: unknown) => void) | null = null;

  constructor(deliver: (work: () => void) => void) {
    this.#deliver = deliver;
  }

  post(message: unknown, transfer: readonly ArrayBuffer[]): void {
    this.#waiting.push(structuredClone(message, { transfer: [...transfer] }));
    this.#deliver(() => this.#next());
  }

  handle(handler: (message: unknown) => void): void {
    this.#handler = handler;
    for (let i = 0; i < this.#waiting.length; i++) this.#deliver(() => this.#next());
  }

  #next(): void {
    if (this.#handler === null || this.#waiting.length === 0) return;
    this.#handler(this.#waiting.shift());
  }
}

class InlineWorker {
  readonly inside: WorkerPort;
  readonly outside: WorkerHandle;
  readonly #exitHandlers: ((reason: string) => void)[] = [];
  #isRunning = true;

  constructor(runtime: Runtime) {
    const toWorker = new MessageQueue((work) => runtime.sched.soon(() => this.guard(work)));
    const toOwner = new MessageQueue((work) =>
      runtime.sched.soon(() => {
        if (this.#isRunning) work();
      }),
    );
    this.inside = {
      post: (message, transfer = []) => toOwner.post(message, transfer),
      onMessage: (handler) => toWorker.handle(handler),
    };
    this.outside = {
      post: (message, transfer = []) => {
        if (this.#isRunning) toWorker.post(message, transfer);
      },
      onMessage: (handler) => toOwner.handle(handler),
      onExit: (handler) => void this.#exitHandlers.push(handler),
      terminate: async () => {
        this.#isRunning = false;
      },
    };
  }

  /** Runs the worker's code: what it throws ends the worker, as an uncaught exception ends a thread. */
  guard(work: () => void): void {
    if (!this.#isRunning) return;
    try {
      work();
    } catch (error) {
      this.#isRunning = false;
      const reason = messageOf(error);
      for (const handler of this.#exitHandlers) handler(reason);
    }
  }
}
