/**
 * The kernels of aggregations, and the memory region through which values reach them. Their source:
 * packages/engine/kernels/aggregations/aggregation-kernels.ts.
 *
 * One call begins and ends within one batch of documents: the content of the region means nothing afterwards.
 */

import { assert, type GrowingMemory, instantiate } from '@shoal/core';
import { KERNEL_BYTES_BASE64 } from './generated/aggregation-kernel-bytes.ts';

/** Values of a call at most. */
const VALUES_MAX = 2_048;
const VALUE_BYTES = 8;
const RANK_BYTES = 4;
/** Buckets of a call at most: what is known of them is copied in and out. */
const BUCKETS_MAX = 400;
/** Count, sum, and what adding rounded away. */
const BUCKET_BYTES = 24;

/** Longest code, in bytes. */
const CODE_BYTES = 6;
const WORD = 2 ** 32;

/** Numbers by which documents are summed up in one call, at most, and the bytes that each of them takes: lanes, count and sum. */
const NUMBERS_MAX = 512;
const LANE_BYTES = 32;
const NUMBER_BYTES: number = LANE_BYTES + VALUE_BYTES + RANK_BYTES;
/** Widest such number, and the bound of the codes that are summed up. */
const NUMBER_WIDTH_MAX = 2;
const SUMMED_CODES_MAX = 2 ** 40;
/** What begins here begins at a whole word. */
const WORD_BYTES = 8;

/** Bytes that values, ranks or bucket indices, buckets, codes and numbers take. */
export const AGGREGATION_BYTES: number =
  VALUES_MAX * (VALUE_BYTES + RANK_BYTES + CODE_BYTES + NUMBER_WIDTH_MAX) +
  BUCKETS_MAX * BUCKET_BYTES +
  NUMBERS_MAX * NUMBER_BYTES +
  3 * WORD_BYTES;

interface Kernels {
  rankDoubles(values: number, count: number, precision: number, into: number): void;
  unpackValues(
    lows: number,
    lowWidth: number,
    highs: number,
    highWidth: number,
    count: number,
    base: number,
    unit: number,
    divisor: number,
    into: number,
  ): void;
  sumByNumber(
    numbers: number,
    numberWidth: number,
    lows: number,
    lowWidth: number,
    highs: number,
    highWidth: number,
    count: number,
    size: number,
    base: number,
    unit: number,
    cells: number,
    counts: number,
    sums: number,
  ): void;
  largestOf(numbers: number, count: number): number;
  addToBuckets(
    places: number,
    values: number,
    count: number,
    isExact: number,
    counts: number,
    sums: number,
    lost: number,
  ): void;
}

/** Numbers of documents of a segment, as its column stands. */
export type CodeWords = Uint8Array | Uint16Array | Uint32Array;

/** Codes of the kind that `NumberCodes` has. */
export interface PackedCodes {
  readonly base: number;
  readonly unit: number;
  readonly divisor: number;
  readonly lows: CodeWords;
  readonly highs: Uint8Array | Uint16Array | null;
  /** Every code is below. */
  readonly size: number;
  /** Codes of the first `count` indices, where all are below 2^32. */
  gather(indices: Uint32Array, count: number, into: Uint32Array): void;
}

/** Documents whose values are read: listed where `from` is -1, else one behind the other. */
export interface PackedDocs {
  readonly from: number;
  readonly count: number;
  readonly docs: Uint32Array;
}

/** What is known of each bucket, by its number. */
export interface BucketSums {
  readonly counts: Float64Array;
  readonly sums: Float64Array;
  /** What adding to the sums rounded away. */
  readonly lost: Float64Array;
}

export class AggregationKernels {
  /** Ranks of the values of the last call, register << 8 | rank; valid until the next call. */
  readonly ranks: Uint32Array;
  private readonly kernels: Kernels;
  private readonly values: Float64Array;
  private readonly counts: Float64Array;
  private readonly sums: Float64Array;
  private readonly lost: Float64Array;
  /** Documents of each number in the last `sumByNumber`, and the sum of their values; valid until the next call. */
  readonly numberCounts: Uint32Array;
  readonly numberSums: Float64Array;
  private readonly cellsAt: number;
  /** Codes that were gathered. */
  private readonly words: Uint32Array;
  /** Where codes and numbers of documents that stand one behind the other are copied to. */
  private readonly bytes: Uint8Array;
  private readonly lowsAt: number;
  private readonly highsAt: number;
  private readonly numbersAt: number;

  private constructor(kernels: Kernels, { buffer }: GrowingMemory, address: number) {
    this.kernels = kernels;
    this.values = new Float64Array(buffer, address, VALUES_MAX);
    this.ranks = new Uint32Array(buffer, address + VALUES_MAX * VALUE_BYTES, VALUES_MAX);
    const buckets = address + VALUES_MAX * (VALUE_BYTES + RANK_BYTES);
    this.counts = new Float64Array(buffer, buckets, BUCKETS_MAX);
    this.sums = new Float64Array(buffer, buckets + BUCKETS_MAX * VALUE_BYTES, BUCKETS_MAX);
    this.lost = new Float64Array(buffer, buckets + 2 * BUCKETS_MAX * VALUE_BYTES, BUCKETS_MAX);
    this.cellsAt = buckets + BUCKETS_MAX * BUCKET_BYTES;
    const sums = this.cellsAt + NUMBERS_MAX * LANE_BYTES;
    this.numberSums = new Float64Array(buffer, sums, NUMBERS_MAX);
    this.numberCounts = new Uint32Array(buffer, sums + NUMBERS_MAX * VALUE_BYTES, NUMBERS_MAX);
    this.bytes = new Uint8Array(buffer);
    this.lowsAt = sums + NUMBERS_MAX * (VALUE_BYTES + RANK_BYTES);
    this.highsAt = this.lowsAt + VALUES_MAX * RANK_BYTES + WORD_BYTES;
    this.numbersAt = this.highsAt + VALUES_MAX * (CODE_BYTES - RANK_BYTES) + WORD_BYTES;
    this.words = new Uint32Array(buffer, this.lowsAt, VALUES_MAX);
  }

  /** null where the processor or the JavaScript engine lacks SIMD. `address`: of `AGGREGATION_BYTES`. */
  static load(memory: GrowingMemory, address: number): AggregationKernels | null {
    // The module is ours, and its exports are those that the interface names: a test calls them.
    const kernels = instantiate(KERNEL_BYTES_BASE64, memory) as Kernels | null;
    return kernels && new AggregationKernels(kernels, memory, address);
  }

  /** False: there are too many at once, and nothing is done. */
  rankDoubles(values: Float64Array, count: number, precision: number): boolean {
    if (count > VALUES_MAX) return false;
    this.values.set(count === values.length ? values : values.subarray(0, count));
    this.kernels.rankDoubles(this.values.byteOffset, count, precision, this.ranks.byteOffset);
    return true;
  }

  /** Ranks the values of documents, like `rankDoubles`; false too where codes are too large. */
  rankCodes(codes: PackedCodes, docs: PackedDocs, precision: number): boolean {
    if (!this.unpack(codes, docs)) return false;
    this.kernels.rankDoubles(this.values.byteOffset, docs.count, precision, this.ranks.byteOffset);
    return true;
  }

  /**
   * Counts the value of each document in the bucket that `places` has for it, and adds it to the sum. False: codes are
   * too large, or there are too many documents or buckets, and nothing is done. `isExact`: adding never rounds.
   */
  addCodes(codes: PackedCodes, docs: PackedDocs, places: Uint32Array, buckets: BucketSums, isExact: boolean): boolean {
    const { kernels, ranks, values } = this;
    const { count } = docs;
    if (count > VALUES_MAX) return false;
    ranks.set(places.subarray(0, count));
    const size = kernels.largestOf(ranks.byteOffset, count) + 1;
    if (size > BUCKETS_MAX || size > buckets.sums.length || !this.unpack(codes, docs)) return false;
    const { counts, sums, lost } = this;
    counts.set(buckets.counts.subarray(0, size));
    sums.set(buckets.sums.subarray(0, size));
    if (!isExact) lost.set(buckets.lost.subarray(0, size));
    const [countsAt, sumsAt, lostAt] = [counts.byteOffset, sums.byteOffset, lost.byteOffset];
    kernels.addToBuckets(ranks.byteOffset, values.byteOffset, count, isExact ? 1 : 0, countsAt, sumsAt, lostAt);
    buckets.counts.set(counts.subarray(0, size));
    buckets.sums.set(sums.subarray(0, size));
    if (!isExact) buckets.lost.set(lost.subarray(0, size));
    return true;
  }

  /** True where `sumByNumber` takes these: documents must stand one behind the other. */
  canSumByNumber(numbers: CodeWords, size: number, codes: PackedCodes, { from, count }: PackedDocs): boolean {
    if (from < 0 || count > VALUES_MAX || size > NUMBERS_MAX) return false;
    if (numbers.BYTES_PER_ELEMENT > NUMBER_WIDTH_MAX) return false;
    return codes.divisor === 1 && codes.size <= SUMMED_CODES_MAX;
  }

  /**
   * Counts documents by their numbers, and adds up their values: `numberCounts` and `numberSums`. Values must be whole numbers
   * whose sums a double holds.
   */
  sumByNumber(numbers: CodeWords, size: number, codes: PackedCodes, docs: PackedDocs): void {
    assert(this.canSumByNumber(numbers, size, codes, docs), `${docs.count} documents by ${size} numbers`);
    const { lows, highs, base, unit } = codes;
    const { from, count } = docs;
    this.kernels.sumByNumber(
      this.copy(numbers, from, count, this.numbersAt),
      numbers.BYTES_PER_ELEMENT,
      this.copy(lows, from, count, this.lowsAt),
      lows.BYTES_PER_ELEMENT,
      highs === null ? 0 : this.copy(highs, from, count, this.highsAt),
      highs === null ? 0 : highs.BYTES_PER_ELEMENT,
      count,
      size,
      base,
      unit,
      this.cellsAt,
      this.numberCounts.byteOffset,
      this.numberSums.byteOffset,
    );
  }

  /** Makes the values of documents those of the next kernel: columns stand in other memory, and are copied. */
  private unpack(codes: PackedCodes, { from, count, docs }: PackedDocs): boolean {
    const { kernels, values } = this;
    const { base, unit, divisor } = codes;
    if (count > VALUES_MAX || (from < 0 && codes.size > WORD)) return false;
    let [lowsAt, lowWidth, highsAt, highWidth] = [this.lowsAt, VALUE_BYTES / 2, 0, 0];
    if (from < 0) codes.gather(docs, count, this.words);
    else {
      const { lows, highs } = codes;
      lowWidth = lows.BYTES_PER_ELEMENT;
      lowsAt = this.copy(lows, from, count, lowsAt);
      if (highs !== null) {
        highWidth = highs.BYTES_PER_ELEMENT;
        highsAt = this.copy(highs, from, count, this.highsAt);
      }
    }
    kernels.unpackValues(lowsAt, lowWidth, highsAt, highWidth, count, base, unit, divisor, values.byteOffset);
    return true;
  }

  /** Copies to the first address of an area that is as far from a whole word as the source: others are copied byte by byte. */
  private copy(source: CodeWords, from: number, count: number, area: number): number {
    const width = source.BYTES_PER_ELEMENT;
    const start = source.byteOffset + from * width;
    const address = area + (start % WORD_BYTES);
    this.bytes.set(new Uint8Array(source.buffer, start, count * width), address);
    return address;
  }
}
