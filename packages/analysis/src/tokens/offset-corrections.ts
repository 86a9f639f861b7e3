/**
 * Offsets behind a char filter mapped to those in the text before it, so that highlights mark the text of the document.
 *
 * An offset is moved by the difference of the last correction at or before it. The end of a token that is followed by
 * something removed therefore lies behind what was removed, as in Lucene.
 */
import { assert } from '@shoal/core';

export class OffsetCorrections {
  private readonly offsets: number[] = [];
  private readonly differences: number[] = [];

  /**
   * From `offset` on, texts before the filter are `difference` units further on.
   *
   * @param offset UTF-16 position in the filtered text, not below the one before
   */
  add(offset: number, difference: number): void {
    const last = this.offsets.at(-1) ?? -1;
    assert(offset >= last, `correction at ${offset} after one at ${last}`);
    if (offset === last) this.differences[this.differences.length - 1] = difference;
    else {
      this.offsets.push(offset);
      this.differences.push(difference);
    }
  }

  get size(): number {
    return this.offsets.length;
  }

  /** Position in the text before the filter. */
  correct(offset: number): number {
    let low = 0;
    let high = this.offsets.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.offsets[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? offset : offset + (this.differences[low - 1] ?? 0);
  }
}
