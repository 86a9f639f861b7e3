/**
 * Bodies of requests as trees. A large one is read in slices, and only one of them at a time: a tree takes fifty times the
 * memory of its text, and is needed only until the request is made from it.
 */

import type { StoredScript } from '@shoal/cluster-state';
import { type CancelFlag, type JsonNode, parseJsonTreeInSteps, runSteps, type Steps } from '@shoal/core';
import type { TimeSlices } from '@shoal/runtime';
import { withStoredScripts } from './stored-scripts.ts';

/** Longer bodies are read in slices. */
const WHOLE_BYTES_MAX = 32 * 1024;

export interface TreeRequest {
  readonly body: Uint8Array | null;
  readonly signal: CancelFlag | null;
}

export class RequestTrees {
  readonly #turns: TimeSlices;
  readonly #scripts: () => ReadonlyMap<string, StoredScript>;
  /** Settles when the large body before the next one is read. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param scripts stored ones, which stand in trees where their ids were */
  constructor(turns: TimeSlices, scripts: () => ReadonlyMap<string, StoredScript>) {
    this.#turns = turns;
    this.#scripts = scripts;
  }

  /** What `use` makes of the tree, null for no body; `use` runs at once, and should keep little of the tree. */
  async read<T>({ body, signal }: TreeRequest, use: (tree: JsonNode | null) => T): Promise<T> {
    return body === null ? use(null) : this.run(body, this.#used(body, use), signal);
  }

  /** Runs steps that make trees of `body`. */
  async run<T>(body: Uint8Array, steps: Steps<T>, signal: CancelFlag | null): Promise<T> {
    if (body.length <= WHOLE_BYTES_MAX) return runSteps(steps);
    const reading = this.#last.then(() => this.#turns.run(steps, signal));
    // Whoever asked gets the failure; the next body waits for the end alone.
    this.#last = reading.catch(() => {});
    return reading;
  }

  /** The tree with stored scripts in the place of their ids. */
  resolved(tree: JsonNode | null): JsonNode | null {
    return tree === null ? null : withStoredScripts(tree, this.#scripts());
  }

  *#used<T>(body: Uint8Array, use: (tree: JsonNode | null) => T): Steps<T> {
    return use(this.resolved(yield* parseJsonTreeInSteps(body)));
  }
}
