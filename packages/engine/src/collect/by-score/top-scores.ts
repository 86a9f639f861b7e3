/**
 * The best N of a stream of scored documents: a heap in two flat arrays, the worst kept entry on top.
 *
 * Better is a higher score, then a lower document. Documents must come in ascending order, so that an equal score never
 * displaces one that is kept.
 */
import { assert } from '@shoal/core';
import type { HitCollector } from '../walk/match-walk.ts';

export class TopScores implements HitCollector {
  /** Ordinal of the segment's document 0; set before a segment's batches. */
  docBase = 0;
  /** Only lower scores enter: those above were shown on pages before. */
  below: number = Number.POSITIVE_INFINITY;
  /** Documents up to this one with that score were shown too; all of them by default. */
  belowOrd: number = Number.POSITIVE_INFINITY;
  /** Highest score offered; -1 before any. */
  maxScore = -1;
  private size = 0;
  private readonly capacity: number;
  private readonly scores: Float32Array;
  private readonly docs: Uint32Array;

  constructor(capacity: number) {
    assert(capacity > 0, `the best ${capacity} documents`);
    this.capacity = capacity;
    this.scores = new Float32Array(capacity);
    this.docs = new Uint32Array(capacity);
  }

  collect(docs: Uint32Array, scores: Float32Array, count: number): void {
    const { capacity, docBase, below, belowOrd } = this;
    assert(count <= docs.length, `${count} matches in a batch of ${docs.length}`);
    let { maxScore } = this;
    let threshold = this.size < capacity ? -1 : (this.scores[0] as number);
    for (let i = 0; i < count; i++) {
      const score = scores[i] as number;
      if (score > maxScore) maxScore = score;
      if (score <= threshold || score > below) continue;
      const doc = (docs[i] as number) + docBase;
      if (score === below && doc <= belowOrd) continue;
      if (this.size < capacity) this.siftUp(this.size++, doc, score);
      else this.siftDown(doc, score, this.size);
      if (this.size === capacity) threshold = this.scores[0] as number;
    }
    this.maxScore = maxScore;
  }

  private siftUp(start: number, doc: number, score: number): void {
    const { scores, docs } = this;
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isWorse(score, doc, parent)) break;
      scores[at] = scores[parent] as number;
      docs[at] = docs[parent] as number;
      at = parent;
    }
    scores[at] = score;
    docs[at] = doc;
  }

  /** Puts an entry at the top and lets it sink among the first `size`. */
  private siftDown(doc: number, score: number, size: number): void {
    const { scores, docs } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.isWorse(scores[child + 1] as number, docs[child + 1] as number, child)) child++;
      if (!this.isWorse(scores[child] as number, docs[child] as number, -1, score, doc)) break;
      scores[at] = scores[child] as number;
      docs[at] = docs[child] as number;
      at = child;
    }
    scores[at] = score;
    docs[at] = doc;
  }

  /** True when (score, doc) is worse than the entry at `index`, or than the given one for index -1. */
  private isWorse(score: number, doc: number, index: number, otherScore = 0, otherDoc = 0): boolean {
    const s = index < 0 ? otherScore : (this.scores[index] as number);
    if (score !== s) return score < s;
    return doc > (index < 0 ? otherDoc : (this.docs[index] as number));
  }

  /** Best first. Empties the heap. */
  drain(): { readonly docs: Uint32Array; readonly scores: Float32Array } {
    const count = this.size;
    const docs = new Uint32Array(count);
    const scores = new Float32Array(count);
    for (let i = count - 1; i >= 0; i--) {
      docs[i] = this.docs[0] as number;
      scores[i] = this.scores[0] as number;
      this.size--;
      this.siftDown(this.docs[this.size] as number, this.scores[this.size] as number, this.size);
    }
    assert(this.size === 0, `${this.size} of ${count} entries are left`);
    // A boost or weight that is infinite makes scores of NaN, which no comparison orders.
    const isReversed = count > 0 && (scores[0] as number) < (scores[count - 1] as number);
    assert(!isReversed || scores.some(Number.isNaN), `${count} entries are not in order`);
    return { docs, scores };
  }
}
