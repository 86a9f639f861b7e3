/**
 * Shapes by document: whole numbers whose meaning is the field's.
 */

/** Words of the shapes of all documents: those of a document are at starts[doc] .. starts[doc + 1] - 1, none where it has none. */
export interface ShapeColumnValues {
  readonly starts: Uint32Array;
  readonly words: Int32Array;
}

export class ShapeColumn {
  private readonly starts: Uint32Array;
  private readonly all: Int32Array;

  constructor({ starts, words }: ShapeColumnValues) {
    this.starts = starts;
    this.all = words;
  }

  /** A view. */
  words(doc: number): Int32Array {
    return this.all.subarray(this.starts[doc], this.starts[doc + 1]);
  }

  has(doc: number): boolean {
    return this.starts[doc] !== this.starts[doc + 1];
  }
}
