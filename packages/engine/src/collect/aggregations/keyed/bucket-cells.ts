/**
 * Loops from parents and numbers to the buckets that stand in the cells of a table: parent by parent, one cell a number.
 */
import type { CodeBatch } from '../values/batch-values.ts';

/** Counts each bucket once for each time that it stands in the list. */
export function countEach(buckets: Uint32Array, length: number, counts: Float64Array): void {
  for (let k = 0; k < length; k++) {
    const bucket = buckets[k] as number;
    counts[bucket] = (counts[bucket] as number) + 1;
  }
}

/** The parent of each value; returns the largest. */
export function parentsOf({ positions, length, isWhole }: CodeBatch, parents: Uint32Array, into: Uint32Array): number {
  let most = 0;
  for (let k = 0; k < length; k++) {
    const parent = parents[isWhole ? k : (positions[k] as number)] as number;
    into[k] = parent;
    if (parent > most) most = parent;
  }
  return most;
}

/** Parents become the cells of their numbers. */
export function toCells(parents: Uint32Array, numbers: Uint32Array, length: number, size: number): void {
  for (let k = 0; k < length; k++) parents[k] = (parents[k] as number) * size + (numbers[k] as number);
}

/** Cells become buckets; false when some are not made yet, or left out: these are negative as signed numbers. */
export function followAll(cells: Uint32Array, length: number, table: Int32Array): boolean {
  let signs = 0;
  for (let k = 0; k < length; k++) {
    const bucket = table[cells[k] as number] as number;
    signs |= bucket;
    cells[k] = bucket;
  }
  return signs >= 0;
}
