/**
 * Matches of a segment that are kept until all are known: for sort keys whose order follows from what all of them hold.
 *
 * The keys are shown the documents batch by batch, while the walk makes way for other work; the collector gets them at the end.
 */
import { illegalArgument } from '@shoal/core';
import { BATCH_SIZE } from '../../match/weight/scorer.ts';
import type { HitCollector } from '../walk/match-walk.ts';
import type { SegmentKey } from './segment-key.ts';

/** Matches of a segment that are kept so. */
const MATCHES_MAX = 16 * 1024 * 1024;
const FIRST_ROOM = 1024;

export class ObservedMatches implements HitCollector {
  readonly #sources: readonly SegmentKey[];
  #docs = new Uint32Array(FIRST_ROOM);
  #scores = new Float32Array(FIRST_ROOM);
  #count = 0;

  private constructor(sources: readonly SegmentKey[]) {
    this.#sources = sources;
  }

  /** null where each key is known by its document alone, as most are. */
  static of(sources: readonly SegmentKey[]): ObservedMatches | null {
    const observing = sources.filter(({ observe }) => observe !== undefined);
    return observing.length === 0 ? null : new ObservedMatches(observing);
  }

  collect(docs: Uint32Array, scores: Float32Array, count: number): void {
    if (this.#count + count > this.#docs.length) this.#grow(this.#count + count);
    this.#docs.set(docs.subarray(0, count), this.#count);
    this.#scores.set(scores.subarray(0, count), this.#count);
    this.#count += count;
    for (const source of this.#sources) source.observe?.(docs, count);
  }

  /** Hands all matches to the collector, in order. */
  handTo(collector: HitCollector): void {
    for (let from = 0; from < this.#count; from += BATCH_SIZE) {
      const to = Math.min(this.#count, from + BATCH_SIZE);
      collector.collect(this.#docs.subarray(from, to), this.#scores.subarray(from, to), to - from);
    }
  }

  #grow(count: number): void {
    if (count > MATCHES_MAX) {
      throw illegalArgument(`a sort by texts of a script takes at most [${MATCHES_MAX}] matches of a segment`);
    }
    const room = Math.max(count, Math.min(MATCHES_MAX, 2 * this.#docs.length));
    const [docs, scores] = [new Uint32Array(room), new Float32Array(room)];
    docs.set(this.#docs);
    scores.set(this.#scores);
    this.#docs = docs;
    this.#scores = scores;
  }
}
