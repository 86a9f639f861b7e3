/**
 * Bodies of requests as trees. A large one is read in slices, and only one of them at a time: a tree takes fifty times the
 * memory of its text, and is needed only until the request is made from it.
 */
import { type CancelFlag, type JsonNode, parseJsonTreeInSteps, runSteps, type Steps } from '@shoal/core';
import type { TimeSlices } from '@shoal/runtime';

/** Longer bodies are read in slices. */
const WHOLE_BYTES_MAX = 32 * 1024;

export interface TreeRequest {
  readonly body: Uint8Array | null;
  readonly signal: CancelFlag | null;
}

export class RequestTrees {
  readonly #turns: TimeSlices;
  /** Settles when the large body before the next one is read. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(turns: TimeSlices) {
    this.#turns = turns;
  }

  /** What `use` makes of the tree, null for no body; `use` runs at once, and should keep little of the tree. */
  async read<T>({ body, signal }: TreeRequest, use: (tree: JsonNode | null) => T): Promise<T> {
    return body === null ? use(null) : this.run(body, usedInSteps(body, use), signal);
  }

  /** Runs steps that make trees of `body`. */
  async run<T>(body: Uint8Array, steps: Steps<T>, signal: CancelFlag | null): Promise<T> {
    if (body.length <= WHOLE_BYTES_MAX) return runSteps(steps);
    const reading = this.#last.then(() => this.#turns.run(steps, signal));
    // Whoever asked gets the failure; the next body waits for the end alone.
    this.#last = reading.catch(() => {});
    return reading;
  }
}

function* usedInSteps<T>(body: Uint8Array, use: (tree: JsonNode | null) => T): Steps<T> {
  return use(yield* parseJsonTreeInSteps(body));
}
