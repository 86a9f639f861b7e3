/**
 * Keys of buckets that are several values, one a source.
 */
import { type BucketKey, compareKeys } from './bucket-key.ts';

/** One value a source. */
export type KeyTuple = readonly BucketKey[];

/** Order of tuples: by the first values that differ. */
export function compareKeyTuples(a: KeyTuple, b: KeyTuple): number {
  for (let i = 0; i < a.length; i++) {
    const c = compareKeys(a[i] as BucketKey, b[i] as BucketKey);
    if (c !== 0) return c;
  }
  return 0;
}

/** Text that equal tuples share and no others have; null is a value like any. */
export function tupleName(tuple: readonly (BucketKey | null)[]): string {
  return tuple.map((value) => `${typeof value}:${String(value).length}:${String(value)}`).join();
}
