/**
 * Order of entries by one key and their document, packed into one number each, so that a plain sort of numbers does it:
 * several times faster than one that calls back for every comparison.
 */
import { assert } from '@shoal/core';

/** Beyond, doubles no longer tell neighbouring integers apart. */
const PACKED_MAX = Number.MAX_SAFE_INTEGER;

export interface KeyedDocs {
  readonly docs: Uint32Array;
  /** Key of each; infinite where a document has no value. */
  readonly keys: Float64Array;
}

/** The first `size` entries in order; null when their keys cannot be packed: fractions, or a range too wide. */
export function packedOrder(entries: KeyedDocs, size: number): KeyedDocs | null {
  const range = keyRange(entries, size);
  assert(
    size <= entries.docs.length && size <= entries.keys.length,
    `${size} entries of ${entries.docs.length} documents and ${entries.keys.length} keys`,
  );
  if (range === null) return null;
  const { lowest, highest, span } = range;
  // One place below the keys and one above for infinite ones.
  const places = highest - lowest + 3;
  if (!(places * span <= PACKED_MAX)) return null;
  const packed = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const key = entries.keys[i] as number;
    const place = Number.isFinite(key) ? key - lowest + 1 : key < 0 ? 0 : places - 1;
    packed[i] = place * span + (entries.docs[i] as number);
  }
  packed.sort();
  return unpack(packed, range);
}

interface KeyRange {
  readonly lowest: number;
  readonly highest: number;
  /** Above every document. */
  readonly span: number;
}

function keyRange({ docs, keys }: KeyedDocs, size: number): KeyRange | null {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  let lastDoc = 0;
  for (let i = 0; i < size; i++) {
    const key = keys[i] as number;
    lastDoc = Math.max(lastDoc, docs[i] as number);
    if (key === Number.POSITIVE_INFINITY || key === Number.NEGATIVE_INFINITY) continue;
    if (!Number.isSafeInteger(key)) return null;
    if (key < lowest) lowest = key;
    if (key > highest) highest = key;
  }
  const span = lastDoc + 1;
  return lowest > highest ? { lowest: 0, highest: 0, span } : { lowest, highest, span };
}

function unpack(packed: Float64Array, { lowest, highest, span }: KeyRange): KeyedDocs {
  const size = packed.length;
  const docs = new Uint32Array(size);
  const keys = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const value = packed[i] as number;
    const doc = value % span;
    const key = (value - doc) / span + lowest - 1;
    docs[i] = doc;
    keys[i] = key < lowest ? Number.NEGATIVE_INFINITY : key > highest ? Number.POSITIVE_INFINITY : key;
  }
  return { docs, keys };
}
