/**
 * The best documents of a shard by score, of which so many are kept; of equal ones the first.
 */
import { assert } from '@shoal/core';

export class NearestHeap {
  /** Binary heap, the worst kept entry at the root. */
  readonly #scores: Float64Array;
  /** Beside the scores, in the numbering of the searcher. */
  readonly #docs: Uint32Array;
  #count = 0;

  constructor(limit: number) {
    assert(limit > 0, `the nearest ${limit} documents`);
    this.#scores = new Float64Array(limit);
    this.#docs = new Uint32Array(limit);
  }

  get count(): number {
    return this.#count;
  }

  /** Documents come in ascending order, each once. */
  add(doc: number, score: number): void {
    assert(score >= 0, `document ${doc} has the score ${score}`);
    if (this.#count < this.#scores.length) this.#rise(this.#count++, doc, score);
    else if (score > (this.#scores[0] as number)) this.#sink(doc, score);
  }

  /** Entries kept, in no order. */
  *entries(): Generator<readonly [doc: number, score: number]> {
    for (let i = 0; i < this.#count; i++) yield [this.#docs[i] as number, this.#scores[i] as number];
  }

  #rise(from: number, doc: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!isWorse(score, doc, this.#scores[parent] as number, this.#docs[parent] as number)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, doc, score);
  }

  /** In place of the root. */
  #sink(doc: number, score: number): void {
    let at = 0;
    for (let child = 1; child < this.#count; child = 2 * at + 1) {
      const right = child + 1;
      if (right < this.#count && this.#isWorseAt(right, child)) child = right;
      if (!isWorse(this.#scores[child] as number, this.#docs[child] as number, score, doc)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, doc, score);
  }

  #isWorseAt(a: number, b: number): boolean {
    return isWorse(
      this.#scores[a] as number,
      this.#docs[a] as number,
      this.#scores[b] as number,
      this.#docs[b] as number,
    );
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#docs[from] as number, this.#scores[from] as number);
  }

  #put(at: number, doc: number, score: number): void {
    this.#docs[at] = doc;
    this.#scores[at] = score;
  }
}

function isWorse(scoreA: number, docA: number, scoreB: number, docB: number): boolean {
  return scoreA < scoreB || (scoreA === scoreB && docA > docB);
}
