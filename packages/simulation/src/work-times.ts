/**
 * How long a simulated program works: time passes inside an event with every reading of the clock.
 *
 * A program that cuts long work into slices asks the clock between them. If time stood still inside an event, no slice would
 * ever end and the code between slices would never run in a simulation. So each reading comes a moment later than the one
 * before, by an amount drawn from the process' seed, and the process is busy that long: its next event waits.
 */
import type { SeededRandom } from './seeded-random.ts';

export interface WorkTimes {
  /** Work between two readings of the clock, in ms: uniform from 0 to this. */
  readonly betweenReadingsMaxMs: number;
  /** Probability that a reading comes late (garbage collection, a busy processor), and how late. */
  readonly stalls: number;
  readonly stallMs: number;
}

export const USUAL_WORK: WorkTimes = { betweenReadingsMaxMs: 0.1, stalls: 0, stallMs: 50 };

/** Milliseconds of work before the next reading of the clock. */
export function drawWorkMs(times: WorkTimes, random: SeededRandom): number {
  const workMs = random.unit() * times.betweenReadingsMaxMs;
  return times.stalls > 0 && random.chance(times.stalls) ? workMs + times.stallMs : workMs;
}
