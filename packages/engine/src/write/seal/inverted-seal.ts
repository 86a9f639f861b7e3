/**
 * A field whose stream of tokens was inverted: what a segment is written from, by either kind of inverted buffer.
 */
import { assert } from '@shoal/core';
import type { WrittenPostings } from '../../format/postings/written-postings.ts';
import type { SegmentMemory } from '../../memory/segment-memory.ts';
import { writePostings } from './encode-inverted.ts';
import type { InvertedField } from './write-inverted.ts';

export class InvertedSeal {
  /** Documents that have a term. */
  readonly docCount: number;
  readonly field: InvertedField;

  constructor(field: InvertedField, docCount: number) {
    this.field = field;
    this.docCount = docCount;
  }

  get termCount(): number {
    return this.field.order.length;
  }

  /** Writes all terms. `norms`: of each document of the segment, where the field has them. */
  writePostings(norms: Uint8Array | null, memory: SegmentMemory): Generator<void, WrittenPostings> {
    return writePostings(this.field, norms, memory);
  }

  /** Ordinals of each document, ascending and distinct, document after document; and how many each has. */
  ordinals(docCount: number): { readonly counts: Uint32Array; readonly ordinals: Uint32Array } {
    const { docStarts, docs } = this.field;
    const total = docStarts[this.termCount] as number;
    const counts = new Uint32Array(docCount);
    for (let i = 0; i < total; i++) counts[docs[i] as number] = (counts[docs[i] as number] as number) + 1;
    const next = new Uint32Array(docCount);
    let sum = 0;
    for (let doc = 0; doc < docCount; doc++) {
      next[doc] = sum;
      sum += counts[doc] as number;
    }
    assert(sum === total, `${sum} ordinals counted, ${total} seen`);
    const ordinals = new Uint32Array(total);
    // Terms come in order, so that each document gets its ordinals ascending.
    for (let rank = 0; rank < this.termCount; rank++) {
      const end = docStarts[rank + 1] as number;
      for (let i = docStarts[rank] as number; i < end; i++) {
        const doc = docs[i] as number;
        const at = next[doc] as number;
        ordinals[at] = rank;
        next[doc] = at + 1;
      }
    }
    return { counts, ordinals };
  }
}
