/**
 * Vectors as terms: what the column of a `dense_vector` field has, four bytes a number in the order of the processor.
 */
import { assert } from '@shoal/core';

const FLOAT_BYTES = 4;

/** Term of a vector, one character a byte. @param numbers of any size; each becomes the nearest float */
export function vectorTerm(numbers: readonly unknown[]): string {
  const floats = Float32Array.from(numbers, Number);
  return Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString('latin1');
}

/** Copies the floats of a term, which may begin at any byte, to where they can be read. */
export function copyVector(term: Uint8Array, into: Float32Array): void {
  assert(term.length === into.length * FLOAT_BYTES, `a vector of ${into.length} numbers has ${term.length} bytes`);
  new Uint8Array(into.buffer, into.byteOffset, into.byteLength).set(term);
}
