/**
 * Keeps a long search from blocking its thread: stops it when it is cancelled or out of time, and lets others run in between.
 */
import { ShoalError } from '@shoal/core';
import type { StopSignal } from './stop-signal.ts';

/** Longest uninterrupted work, in ms: heartbeats and other searches of the thread wait no longer than this. */
const SLICE_MS = 5;

/** Resolves after others had their turn. `slices`: that the work had before this one; work that had fewer goes on sooner. */
export type YieldNow = (slices: number) => Promise<void>;

export interface PacerOptions {
  readonly stop: StopSignal;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** null: no limit. */
  readonly timeoutMs: number | null;
  /** null where nobody else can be waiting. */
  readonly yieldNow: YieldNow | null;
  /** When the work began, by the same clock; left out: now. */
  readonly startedMs?: number;
}

export class WorkPacer {
  private readonly options: PacerOptions;
  private readonly startedMs: number;
  private readonly deadlineMs: number;
  private sliceEndMs: number;
  private slices = 0;
  /** The search must end with what it has. */
  isOver = false;

  constructor(options: PacerOptions) {
    this.options = options;
    const startedMs = options.startedMs ?? options.nowMs();
    this.startedMs = startedMs;
    this.deadlineMs = options.timeoutMs === null ? Number.POSITIVE_INFINITY : startedMs + options.timeoutMs;
    this.sliceEndMs = startedMs + SLICE_MS;
  }

  /** Time since the work began, in ms. */
  get elapsedMs(): number {
    return this.options.nowMs() - this.startedMs;
  }

  /** Called between pieces of work. A promise when others are to run first, else null. */
  checkpoint(): Promise<void> | null {
    const now = this.options.nowMs();
    if (this.options.stop.isStopped || now >= this.deadlineMs) {
      this.isOver = true;
      return null;
    }
    return this.restAt(now);
  }

  /** The slice is over, or the search is to end: `checkpoint` has something to do. */
  get isDue(): boolean {
    return this.options.stop.isStopped || this.options.nowMs() >= Math.min(this.sliceEndMs, this.deadlineMs);
  }

  /** Lets others run, for work that is finished although its time is over. Throws when nobody waits for it any more. */
  rest(): Promise<void> | null {
    if (this.options.stop.isStopped) throw new ShoalError('task_cancelled_exception', 400, 'the search was cancelled');
    return this.restAt(this.options.nowMs());
  }

  private restAt(now: number): Promise<void> | null {
    if (now < this.sliceEndMs) return null;
    this.sliceEndMs = now + SLICE_MS;
    return this.options.yieldNow === null ? null : this.pause(this.options.yieldNow);
  }

  private async pause(yieldNow: YieldNow): Promise<void> {
    await yieldNow(this.slices++);
    this.sliceEndMs = this.options.nowMs() + SLICE_MS;
  }
}
