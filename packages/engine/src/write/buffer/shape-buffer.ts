/**
 * Shapes of one field, collected while documents come in.
 */
import { assert } from '@shoal/core';
import { GrowableU32 } from '../../bytes/growable-arrays.ts';
import type { ShapeColumnValues } from '../../format/reader/shape-column.ts';

export class ShapeBuffer {
  /** Documents with a shape, and where the words of each end. */
  private readonly docs = new GrowableU32();
  private readonly ends = new GrowableU32();
  private readonly words = new GrowableU32();

  get isEmpty(): boolean {
    return this.words.length === 0;
  }

  get sizeBytes(): number {
    return this.docs.sizeBytes + this.ends.sizeBytes + this.words.sizeBytes;
  }

  /** Adds the words of one shape; documents ascend, and may have several. */
  add(doc: number, words: Int32Array): void {
    if (words.length === 0) return;
    const last = this.docs.length === 0 ? -1 : this.docs.at(this.docs.length - 1);
    assert(doc >= last, `a shape of document ${doc} behind those of ${last}`);
    this.words.append(new Uint32Array(words.buffer, words.byteOffset, words.length), 0, words.length);
    this.docs.push(doc);
    this.ends.push(this.words.length);
  }

  /** What was added for `docCount` documents; the words are a view. */
  take(docCount: number): ShapeColumnValues {
    const starts = new Uint32Array(docCount + 1);
    for (let i = 0; i < this.docs.length; i++) starts[this.docs.at(i) + 1] = this.ends.at(i);
    for (let doc = 1; doc <= docCount; doc++) starts[doc] = Math.max(starts[doc] as number, starts[doc - 1] as number);
    const words = this.words.view();
    return { starts, words: new Int32Array(words.buffer, words.byteOffset, words.length) };
  }
}
