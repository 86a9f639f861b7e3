/**
 * Vectors: what a part of a script gives for each of some documents, computed one operation after the other over all of them, where
 * the compiled script runs all operations for one document after the other.
 *
 * Numbers of all types stand as doubles. What those cannot tell exactly, and whatever fails, is marked: the compiled script then runs
 * for that document, and gives the result or the error. So vectors never fail, and need not say how.
 */

/** Documents at once: few enough that what an operation writes is in the cache for the next. */
export const VECTOR_DOCS = 512;

/** `mixed`: ints of some documents, longs or doubles of others; they only tell how large they are. */
export type VectorType = 'int' | 'long' | 'double' | 'boolean' | 'mixed';

/** Documents that the steps run for. */
export interface VectorBatch {
  docs: Uint32Array;
  count: number;
  /** By position, beside `docs`; read only by scripts that name `_score`. */
  scores: Float32Array | null;
}

/** Not to be written to but by its own step. */
export interface Vector {
  readonly type: VectorType;
  /** A boolean is 0 or 1. */
  readonly values: Float64Array;
  /** 1: of this document the value is not known. null: it is known of all. */
  readonly fails: Uint8Array | null;
  /** Its value for every document, where that is known beforehand. */
  readonly constant?: number;
}

/** Writes the values of one vector for the first `count` documents of a batch; those it is made of are written before. */
export type VectorStep = (batch: VectorBatch) => void;

/** Values of a field by documents. */
export interface VectorColumn {
  readonly type: 'long' | 'double' | 'boolean';
  /** How many values each document has. */
  counts(batch: VectorBatch, into: Float64Array): void;
  /** The first value of each document; `fails` is set to 1 for those without one, and for longs beyond 2^53, and to 0 for others. */
  first(batch: VectorBatch, into: Float64Array, fails: Uint8Array): void;
  /** Each document has a value that is known. */
  readonly isWhole: boolean;
}

export function constantVector(type: VectorType, value: number): Vector {
  return { type, values: new Float64Array(VECTOR_DOCS).fill(value), fails: null, constant: value };
}
