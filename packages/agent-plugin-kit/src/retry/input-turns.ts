/**
 * Turns of inputs on the thread that all of them share, with the API beside them: together they work for a few milliseconds in a
 * turn of the event loop; who has more to do then waits for a turn of its own.
 *
 * Each turn of the loop lets one of those that wait go on, of each pipeline in turn, so that a pipeline of a hundred
 * connections holds another no longer than one of a single connection. Only the step that passes the limit is longer.
 */
import type { Clock, Scheduler } from '@shoal/runtime';

/** Work of all inputs in one turn of the loop. */
const SLICE_MS = 5;
/** Work of one input that is too little to wait for a turn over: a datagram behind which many more come. */
const FREE_MS = 1;

const THREADS = new WeakMap<Clock, ThreadWork>();

/** What an input needs to take turns. */
export interface TurnsOwner {
  readonly runtime: { readonly clock: Clock; readonly sched: Scheduler };
  readonly pipelineId: string;
}

/** Milliseconds that inputs of a pipeline have worked in a thread since its start. */
export function inputWorkMs(clock: Clock, pipelineId: string): number {
  return THREADS.get(clock)?.workOf(pipelineId).ms ?? 0;
}

export class InputTurns {
  private readonly pipeline: string;
  private readonly clock: Clock;
  private readonly thread: ThreadWork;
  /** Work of all inputs of the pipeline here. */
  private readonly work: { ms: number };
  /** Work of this input since it last waited. */
  private ownMs = 0;

  /** Inputs of one process take turns with each other. */
  constructor({ runtime: { clock, sched }, pipelineId }: TurnsOwner) {
    this.pipeline = pipelineId;
    this.clock = clock;
    this.thread = THREADS.get(clock) ?? new ThreadWork(sched);
    THREADS.set(clock, this.thread);
    this.work = this.thread.workOf(pipelineId);
  }

  /** Does a step of an input's work; its time counts. */
  timed<T>(step: () => T): T {
    const startMs = this.clock.monotonicMs();
    const wasTimed = this.thread.isTimed;
    this.thread.isTimed = true;
    try {
      return step();
    } finally {
      this.thread.isTimed = wasTimed;
      if (!wasTimed) this.add(this.clock.monotonicMs() - startMs);
    }
  }

  /** Counts time that was measured elsewhere, unless it was part of a timed step. */
  add(ms: number): void {
    if (this.thread.isTimed) return;
    this.ownMs += ms;
    this.work.ms += ms;
    this.thread.add(ms);
  }

  /** Whether who has more to do should let others have their turn. */
  get isOver(): boolean {
    return this.thread.spentMs >= SLICE_MS;
  }

  /** Whether an input that is done with one thing should wait before the next. */
  get isDue(): boolean {
    return this.isOver && this.ownMs >= FREE_MS;
  }

  /** Resolves when it is the caller's turn. */
  async next(): Promise<void> {
    await this.thread.next(this.pipeline);
    this.ownMs = 0;
  }
}

/** Work of all inputs of a thread in the current turn of its loop, and those that wait for a later one. */
class ThreadWork {
  spentMs = 0;
  isTimed = false;
  private readonly sched: Scheduler;
  /** Work since the start of the thread, by pipeline. */
  private readonly works = new Map<string, { ms: number }>();
  /** Functions that let a work go on, in the order of their coming, by pipeline; the pipeline whose turn is next comes first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isScheduled = false;

  constructor(sched: Scheduler) {
    this.sched = sched;
  }

  workOf(pipeline: string): { ms: number } {
    const work = this.works.get(pipeline) ?? { ms: 0 };
    this.works.set(pipeline, work);
    return work;
  }

  add(ms: number): void {
    if (ms <= 0) return;
    this.spentMs += ms;
    this.schedule();
  }

  next(pipeline: string): Promise<void> {
    return new Promise((resolve) => {
      const list = this.waiting.get(pipeline);
      if (list === undefined) this.waiting.set(pipeline, [resolve]);
      else list.push(resolve);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.sched.soon(() => {
      this.isScheduled = false;
      this.spentMs = 0;
      for (const [pipeline, list] of this.waiting) {
        this.waiting.delete(pipeline);
        list.shift()?.();
        // Behind all others.
        if (list.length > 0) this.waiting.set(pipeline, list);
        break;
      }
      if (this.waiting.size > 0) this.schedule();
    });
  }
}
