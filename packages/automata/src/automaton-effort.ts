/**
 * Work that one pattern may cost: a short one may describe a huge automaton, and few states of one that is deterministic may
 * each stand for thousands of the other. All parts of a pattern share what it has.
 */
import { ShoalError } from '@shoal/core';

/** States looked at, on average, for each state that is made. */
const EFFORT_PER_STATE = 25;

export class AutomatonEffort {
  /** States that the pattern may take once it is deterministic. */
  readonly statesMax: number;
  readonly #shown: number;
  #left: number;

  /** @param shown the limit as the error names it: what a request asked for */
  constructor(statesMax: number, shown: number = statesMax) {
    this.statesMax = statesMax;
    this.#shown = shown;
    this.#left = statesMax * EFFORT_PER_STATE;
  }

  /** @throws too_complex_to_determinize_exception when the work is used up */
  take(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw this.tooComplex();
  }

  /** 400: the pattern would take more states, or more work, than are allowed. */
  tooComplex(): ShoalError {
    const reason = `Determinizing automaton would require more than ${this.#shown} effort.`;
    return new ShoalError('too_complex_to_determinize_exception', 400, reason);
  }
}
