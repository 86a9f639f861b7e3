/**
 * The threads of all pipelines of an agent: as many as processors, shared by all workers, and those of inputs that have one of
 * their own.
 *
 * A thread costs some twenty mebibytes and a start, a worker in one a fraction of that. Threads are started as workers
 * come, so that few pipelines have one each. Workers of one pipeline sit in different threads as long as there are any.
 */
import type { Runtime } from '@shoal/runtime';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import { QueueTurns } from './queue-turns.ts';
import { type InputsOccupant, type Occupant, type Seat, SharedThread } from './shared-thread.ts';
import { threadName } from './thread-program.ts';

/** With one processor too: a pipeline that blocks its thread leaves another to the rest. */
const THREADS_MIN = 2;
/** Threads for one worker alone, on which a thread has ended; more of them share like the others. */
const THREADS_ALONE_MAX = 8;
/** Threads beyond the processors, while others are blocked. */
const THREADS_SPARE_MAX = 8;

export interface SeatWishes {
  /** Threads that should have no other worker of this one's pipeline. */
  readonly avoids: readonly SharedThread[];
  /** A thread ended over its work: nobody else should sit beside it. */
  readonly isAlone: boolean;
}

export class PipelineThreads {
  /** Turns of the pipelines at their queues. */
  readonly queueTurns: QueueTurns;
  readonly #runtime: Runtime;
  readonly #sizeMax: number;
  readonly #shared = new Set<SharedThread>();
  readonly #alone = new Set<SharedThread>();
  /** Those that a pipeline's inputs have for themselves. */
  readonly #inputs = new Set<SharedThread>();
  readonly #busyInputs: Pick<ReadonlySet<string>, 'has'>;
  #nextName = 0;

  /** @param busyInputs ids of pipelines whose inputs were found busy */
  constructor(runtime: Runtime, busyInputs: Pick<ReadonlySet<string>, 'has'> = new Set()) {
    this.#busyInputs = busyInputs;
    this.queueTurns = new QueueTurns(runtime);
    this.#runtime = runtime;
    this.#sizeMax = Math.max(THREADS_MIN, runtime.machine.cpuCount);
  }

  get threads(): readonly SharedThread[] {
    return [...this.#shared, ...this.#alone, ...this.#inputs];
  }

  /** Place for one more worker: in a thread of its own while there may be more of them, then in the emptiest. */
  seat(occupant: Occupant, { avoids, isAlone }: SeatWishes): Seat {
    if (isAlone && this.#alone.size < THREADS_ALONE_MAX) return this.#start(this.#alone).seat(occupant);
    const open = [...this.#shared].filter((thread) => thread.isOpen);
    const mayStart = open.length < this.#sizeMax && this.#shared.size < this.#sizeMax + THREADS_SPARE_MAX;
    if (mayStart) return this.#start(this.#shared).seat(occupant);
    const others = open.filter((thread) => !avoids.includes(thread));
    const among = [others, open, [...this.#shared]].find((list) => list.length > 0) ?? [];
    const emptiest = among.reduce((best, thread) => (thread.seatCount < best.seatCount ? thread : best));
    return emptiest.seat(occupant);
  }

  /** Whether the inputs of a pipeline that starts now get a thread for themselves. */
  hasOwnInputs({ id, settings }: PipelineSource): boolean {
    return settings.inputThread === 'own' || (settings.inputThread === 'auto' && this.#busyInputs.has(id));
  }

  /** A thread for the inputs of one pipeline, and nobody else. */
  startInputs(occupant: InputsOccupant): SharedThread {
    const thread = this.#start(this.#inputs);
    thread.openInputs(occupant);
    return thread;
  }

  #start(list: Set<SharedThread>): SharedThread {
    const thread = new SharedThread(this.#runtime, threadName(this.#nextName++), () => list.delete(thread));
    list.add(thread);
    return thread;
  }
}
