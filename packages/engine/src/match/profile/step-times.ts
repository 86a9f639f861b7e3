/**
 * Times of the steps of one part of a request, as its `profile` shows them.
 */
import type { Clock } from '@shoal/runtime';

const NANOS_PER_MS = 1e6;

export class StepTimes<Step extends string> {
  private readonly clock: Clock;
  private readonly steps: readonly Step[];
  private readonly times = new Map<Step, { ms: number; count: number }>();

  /** @param steps in the order in which they are shown; one that was never taken shows zeros */
  constructor(clock: Clock, steps: readonly Step[]) {
    this.clock = clock;
    this.steps = steps;
  }

  /** @param count what the work adds to the count of its step */
  timed<T>(step: Step, count: number, work: () => T): T {
    const startMs = this.clock.monotonicMs();
    try {
      return work();
    } finally {
      const time = this.times.get(step) ?? { ms: 0, count: 0 };
      time.ms += this.clock.monotonicMs() - startMs;
      time.count += count;
      this.times.set(step, time);
    }
  }

  /** Times in nanoseconds: of all steps together, and of each beside its count. */
  render(): { readonly total: number; readonly breakdown: Readonly<Record<string, number>> } {
    const breakdown: Record<string, number> = {};
    let total = 0;
    for (const step of this.steps) {
      const { ms, count } = this.times.get(step) ?? { ms: 0, count: 0 };
      breakdown[step] = nanosOf(ms);
      breakdown[`${step}_count`] = count;
      total += nanosOf(ms);
    }
    return { total, breakdown };
  }
}

export function nanosOf(ms: number): number {
  return Math.round(ms * NANOS_PER_MS);
}
