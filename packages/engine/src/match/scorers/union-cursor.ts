/**
 * The postings of several terms as those of one: where any of them stands.
 */
import { assert } from '@shoal/core';
import { NO_MORE_DOCS, type PostingsCursor } from '../../format/reader/segment-reader.ts';

export class UnionCursor implements PostingsCursor {
  doc = -1;
  readonly cost: number;
  private readonly cursors: readonly PostingsCursor[];
  private scratch: Uint32Array = new Uint32Array(16);

  constructor(cursors: readonly PostingsCursor[]) {
    this.cursors = cursors;
    assert(cursors.length > 1, `a union of ${cursors.length} cursors`);
    this.cost = cursors.reduce((sum, cursor) => sum + cursor.cost, 0);
  }

  get freq(): number {
    let sum = 0;
    for (const cursor of this.cursors) if (cursor.doc === this.doc) sum += cursor.freq;
    return sum;
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    let least = NO_MORE_DOCS;
    for (const cursor of this.cursors) {
      const at = cursor.doc < target ? cursor.advance(target) : cursor.doc;
      if (at < least) least = at;
    }
    return (this.doc = least);
  }

  positions(into: Uint32Array): number {
    let count = 0;
    for (const cursor of this.cursors) {
      if (cursor.doc !== this.doc) continue;
      if (this.scratch.length < cursor.freq) this.scratch = new Uint32Array(cursor.freq * 2);
      const found = cursor.positions(this.scratch);
      into.set(this.scratch.subarray(0, found), count);
      count += found;
    }
    into.subarray(0, count).sort();
    return count;
  }
}
