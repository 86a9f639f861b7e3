/**
 * Values in the form that fields index: what reading a value of a document gives.
 *
 * Text and keyword values are strings, or a span of the source for text; numbers are numbers (bigints beyond 2^53), dates are
 * milliseconds, booleans are booleans, addresses are 16 characters of one byte each. Values with parts say what is indexed of them.
 */

export type IndexedValue = string | number | bigint | boolean | TextSpan | ComposedValue;

/** Value of a type whose values have parts: what a field of the type indexes of it stands for all of them. */
export abstract class ComposedValue {
  abstract readonly indexed: string | number | bigint;
}

/** Plain ASCII text as a range of bytes of the document's source. */
export class TextSpan {
  readonly source: Uint8Array;
  readonly from: number;
  readonly to: number;

  constructor(source: Uint8Array, from: number, to: number) {
    this.source = source;
    this.from = from;
    this.to = to;
  }

  get length(): number {
    return this.to - this.from;
  }

  get bytes(): Uint8Array {
    return this.source.subarray(this.from, this.to);
  }

  toString(): string {
    const { source, from, to } = this;
    return Buffer.from(source.buffer, source.byteOffset + from, to - from).toString('latin1');
  }
}

/** Longest term that an inverted index takes, in bytes; Lucene's limit. */
export const TERM_BYTES_MAX = 32_766;
