/**
 * What one run of a script is counted on: rounds of loops, calls, items and characters made, and where it is.
 *
 * The counts bound the time of a run without a clock: each step costs some tens of nanoseconds, whatever the script does.
 */
import { painlessError } from '../values/java-exception.ts';

/** Rounds of loops, calls of functions and items walked through by methods, in one run. */
const STEPS_MAX = 1_000_000;
/** Characters and items that one run may make, all together. */
const GROWTH_MAX = 16 * 1024 * 1024;
/** Calls of a script's functions within one another. */
const DEPTH_MAX = 400;

/** A lambda or a reference to a method. Takes and returns boxed values. */
export interface ScriptFunction {
  readonly kind: 'function';
  /** Parameters it takes; -1: as many as it is given. */
  readonly arity: number;
  readonly call: (machine: ScriptMachine, args: readonly unknown[]) => unknown;
}

export class ScriptMachine {
  /** Offset in the source of what is being done. */
  at = 0;
  /** Calls of functions within one another, now. */
  depth = 0;
  /** Arguments of each call of `emit` in this run, in their order. */
  #emitted: unknown[][] = [];
  #steps = 0;
  #growth = 0;

  /** Begins the next run. */
  reset(): void {
    this.at = 0;
    this.depth = 0;
    this.#steps = 0;
    this.#growth = 0;
    if (this.#emitted.length > 0) this.#emitted = [];
  }

  /** Hands over what was emitted. */
  takeEmitted(): readonly (readonly unknown[])[] {
    const taken = this.#emitted;
    this.#emitted = [];
    return taken;
  }

  /** Counts `count` steps. */
  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > STEPS_MAX) {
      throw painlessError('The maximum number of statements that can be executed in a loop has been reached.');
    }
  }

  /** Counts characters or items before they are made. */
  grow(count: number): void {
    this.#growth += count;
    if (this.#growth > GROWTH_MAX) {
      throw painlessError(`The script made more than [${GROWTH_MAX}] characters and items.`);
    }
  }

  /** Takes what a call of `emit` gives. */
  emit(values: unknown[]): void {
    this.step();
    this.#emitted.push(values);
  }

  enter(): void {
    this.step();
    // A RangeError is what too deep a recursion of the engine itself is, so both are told alike.
    if (++this.depth > DEPTH_MAX) throw new RangeError('calls nested too deep');
  }

  leave(): void {
    this.depth--;
  }
}
