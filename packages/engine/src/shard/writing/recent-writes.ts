/**
 * Results of recent writes by the request that asked for them, so that a request whose answer was lost is answered again
 * in place of being executed again: a create would conflict with itself, a delete would find nothing.
 *
 * Two generations bound it: the younger one becomes the elder when it is full, and the elder is forgotten.
 */
import type { WriteResult } from '@shoal/shard-api';

type Done = Extract<WriteResult, { readonly kind: 'done' }>;

/** Entries of one generation, about two megabytes. */
const GENERATION_MAX = 8_192;

export class RecentWrites {
  #younger = new Map<string, Done>();
  #elder: ReadonlyMap<string, Done> = new Map();

  /** Result of the operation of that name; null when it was not executed here, or long ago. */
  find(name: string): Done | null {
    return this.#younger.get(name) ?? this.#elder.get(name) ?? null;
  }

  /** Documents in answers are not kept: only what says which write it was. */
  remember(name: string, result: Done): void {
    if (this.#younger.size >= GENERATION_MAX) {
      this.#elder = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(name, result.source === null ? result : { ...result, source: null });
  }
}
