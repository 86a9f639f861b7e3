/**
 * Results of recent writes by the request that asked for them, so that a request whose answer was lost is answered again
 * in place of being executed again: a create would conflict with itself, a delete would find nothing.
 *
 * Two generations bound it: the younger one becomes the elder when it is full, and the elder is forgotten.
 */
import { assert } from '@shoal/core';
import type { WriteResult } from '@shoal/shard-api';

type Done = Extract<WriteResult, { readonly kind: 'done' }>;

/** One of them, as it outlives the process. */
export interface RecentWrite extends Pick<Done, 'version' | 'seqNo' | 'primaryTerm'> {
  /** See `RequestToken.nameOf`. */
  readonly name: string;
  readonly result: Exclude<Done['result'], 'noop'>;
}

/** Entries of one generation, about two megabytes. */
const GENERATION_MAX = 8_192;

export class RecentWrites {
  #younger = new Map<string, RecentWrite>();
  #elder: ReadonlyMap<string, RecentWrite> = new Map();
  #unkept = 0;

  /** Those that were remembered since the last `noteKept`. */
  get unkept(): number {
    return this.#unkept;
  }

  /** So many of them are on disk. */
  noteKept(count: number): void {
    assert(count <= this.#unkept, `${count} writes are kept of ${this.#unkept}`);
    this.#unkept -= count;
  }

  /** Result of the operation of that name; null when it was not executed here, or long ago. */
  find(name: string): Done | null {
    const found = this.#younger.get(name) ?? this.#elder.get(name);
    if (found === undefined) return null;
    const { result, version, seqNo, primaryTerm } = found;
    // The document of an answer is not kept, only what says which write it was.
    return { kind: 'done', result, version, seqNo, primaryTerm, source: null };
  }

  remember(write: RecentWrite): void {
    if (this.#younger.size >= GENERATION_MAX) {
      this.#elder = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(write.name, write);
    this.#unkept++;
  }

  /** Operations above a number were taken back: they have no answer. */
  forgetAbove(seqNo: number): void {
    const kept = (writes: ReadonlyMap<string, RecentWrite>): Map<string, RecentWrite> =>
      new Map([...writes].filter(([, write]) => write.seqNo <= seqNo));
    this.#elder = kept(this.#elder);
    this.#younger = kept(this.#younger);
  }

  all(): readonly RecentWrite[] {
    return [...this.#elder.values(), ...this.#younger.values()];
  }
}
