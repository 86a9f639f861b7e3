/**
 * The least and the greatest number of each block of documents in a column, so that whole blocks are taken or skipped.
 *
 * Computed on first use and cached with the column: 17 bytes for 1,024 documents, at most twice that with
 * both orders, where the column itself takes a kilobyte or more. Who counts whole blocks asks for finer ones: 17 bytes for 128.
 */
/** Documents of a block. */
export const BLOCK_DOCS = 1_024;
/** Documents of a fine block. */
export const FINE_BLOCK_DOCS = 128;

/** Numbers of documents, one or more each, that stand one after the other. */
export interface BlockValues {
  /** Every document has exactly one. */
  readonly isDense: boolean;
  /** Where the numbers of a document begin. */
  start(doc: number): number;
  readRange(from: number, to: number, scratch: Float64Array): ArrayLike<number>;
}

export class NumberBlocks {
  /** Infinite, and above the highs, in blocks without any value. */
  readonly lows: Float64Array;
  readonly highs: Float64Array;
  /** 1: every document of the block has a value. */
  readonly isWhole: Uint8Array;
  private byLow: Uint32Array | null = null;
  private byHigh: Uint32Array | null = null;
  private readonly column: BlockValues;
  private readonly docCount: number;
  private keptFine: NumberBlocks | null = null;

  constructor(column: BlockValues, docCount: number, blockDocs: number = BLOCK_DOCS) {
    const count = Math.ceil(docCount / blockDocs);
    this.column = column;
    this.docCount = docCount;
    this.lows = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    this.highs = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
    this.isWhole = new Uint8Array(count);
    let scratch = new Float64Array(blockDocs);
    for (let block = 0; block < count; block++) {
      const from = block * blockDocs;
      const to = Math.min(docCount, from + blockDocs);
      const first = column.start(from);
      const end = column.start(to);
      if (end - first > scratch.length) scratch = new Float64Array(end - first);
      const values = column.readRange(first, end, scratch);
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < values.length; i++) {
        const value = values[i] as number;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      this.lows[block] = low;
      this.highs[block] = high;
      this.isWhole[block] = column.isDense || isWhole(column, from, to) ? 1 : 0;
    }
  }

  /** The same of blocks of `FINE_BLOCK_DOCS`. */
  get fine(): NumberBlocks {
    return (this.keptFine ??= new NumberBlocks(this.column, this.docCount, FINE_BLOCK_DOCS));
  }

  /** Blocks with the least number first, or with the greatest. */
  order(isDescending: boolean): Uint32Array {
    if (isDescending) return (this.byHigh ??= ordered(this.highs, -1));
    return (this.byLow ??= ordered(this.lows, 1));
  }
}

function isWhole(column: BlockValues, from: number, to: number): boolean {
  let start = column.start(from);
  for (let doc = from + 1; doc <= to; doc++) {
    const end = column.start(doc);
    if (end === start) return false;
    start = end;
  }
  return true;
}

function ordered(by: Float64Array, sign: number): Uint32Array {
  const order = Uint32Array.from(by, (_, block) => block);
  return order.sort((a, b) => {
    const x = sign * (by[a] as number);
    const y = sign * (by[b] as number);
    return x < y ? -1 : x > y ? 1 : a - b;
  });
}
