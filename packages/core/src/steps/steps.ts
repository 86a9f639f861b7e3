/**
 * Work in steps: a generator that yields after about a millisecond of work, so that whoever drives it can let others of its
 * thread run, or give up.
 *
 * There is no clock in here: work is counted in units of about a microsecond, which is near enough.
 */
import { assert } from '../errors/assert.ts';

/** `next()` until it is done; what it returns is the result. Errors are thrown by `next()`. */
export type Steps<T> = Generator<void, T, void>;

/** Units, each about a microsecond, of one step. */
const STEP_UNITS = 1_000;

/** Counts the work of one run, over all that takes part in it. */
export class StepMeter {
  private spent = 0;

  /** True when it is time to yield. */
  isDue(units: number): boolean {
    this.spent += units;
    if (this.spent < STEP_UNITS) return false;
    this.spent = 0;
    return true;
  }
}

/** All steps at once, for those who have the thread to themselves. */
export function runSteps<T>(steps: Steps<T>): T {
  const first = steps.next();
  for (let step = first; ; step = steps.next()) {
    if (step.done === true) return step.value;
    assert(step.value === undefined, 'a step that yields something');
  }
}
