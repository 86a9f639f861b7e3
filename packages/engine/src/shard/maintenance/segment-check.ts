/**
 * Reads the files of segments that were opened and compares every byte with its checksum, slowly and in the background.
 *
 * Nothing is believed before it was verified anyway. This finds damage in what nobody asks for, while other copies are whole.
 */
import { isShoalError } from '@shoal/core';
import type { Cancel, Scheduler } from '@shoal/runtime';
import type { FlatSegment } from '../../format/flat-segment.ts';
import type { SegmentSet } from '../commit/segment-set.ts';

/** Bytes between two pauses are read in a millisecond or two, so that this takes a tenth of a thread at most. */
const PAUSE_MS = 20;
/** Whoever starts wants answers first. */
const DELAY_MS = 10_000;

export class SegmentCheck {
  private readonly sched: Scheduler;
  private readonly waiting: FlatSegment[];
  private steps: Generator<number, void> | null = null;
  private cancel: Cancel | null;

  /** Checks the segments that are in the set now, which are retained until then. Damage is reported to the set. */
  constructor(segments: SegmentSet, sched: Scheduler) {
    this.sched = sched;
    this.waiting = segments.states.map(({ segment }) => segment).filter(({ isVerified }) => !isVerified);
    for (const segment of this.waiting) segment.retain();
    this.cancel = this.waiting.length === 0 ? null : sched.after(DELAY_MS, () => this.turn());
  }

  stop(): void {
    this.cancel?.();
    this.cancel = null;
    for (const segment of this.waiting.splice(0)) segment.release();
  }

  private turn(): void {
    const [segment] = this.waiting;
    if (segment === undefined) return;
    this.steps ??= segment.verify();
    if (this.isDone(this.steps)) {
      this.steps = null;
      this.waiting.shift();
      segment.release();
    }
    this.cancel = this.waiting.length === 0 ? null : this.sched.after(PAUSE_MS, () => this.turn());
  }

  private isDone(steps: Generator<number, void>): boolean {
    try {
      return steps.next().done === true;
    } catch (error) {
      // The owner of the segments was notified when the damage was found.
      if (isShoalError(error)) return true;
      throw error;
    }
  }
}
