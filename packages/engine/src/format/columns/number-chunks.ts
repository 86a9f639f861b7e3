/**
 * Values of a column of numbers in their order, a part at a time, as often as they are asked for: those of a long column are never in
 * memory together.
 */
import type { WideIntegers } from '@shoal/core';

/** Values of a chunk: what is done to them takes less than a millisecond. */
const CHUNK_VALUES = 16_384;

interface Chunks<Values> {
  /** Values of all chunks. */
  readonly length: number;
  /** Each chunk is valid until the next one is asked for. */
  chunks(): Iterable<Values>;
}

export interface NumberChunks extends Chunks<Float64Array> {
  readonly isWide: false;
}

/** Integers of 64 bits, some of them beyond 2^53; all chunks are of one type. */
export interface WideChunks extends Chunks<WideIntegers> {
  readonly isWide: true;
}

/** Numbers that are in memory. */
export function chunksOf(values: Float64Array): NumberChunks {
  return {
    isWide: false,
    length: values.length,
    *chunks() {
      for (let at = 0; at < values.length; at += CHUNK_VALUES) yield values.subarray(at, at + CHUNK_VALUES);
    },
  };
}

/** Integers that are in memory. */
export function wideChunksOf(values: WideIntegers): WideChunks {
  return { isWide: true, length: values.length, chunks: () => [values] };
}
