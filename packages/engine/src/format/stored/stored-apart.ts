/**
 * Values of stored fields that a source leaves out, kept behind it in the bytes of its document:
 * `source · values · length of the values (4 bytes) · 0`.
 *
 * The source and the values are JSON, which never ends in a zero byte, so that a document without such values is its source and
 * nothing else.
 */
import { assert, DamagedBytes } from '@shoal/core';
import type { StoredDocument } from '@shoal/shard-api';

const LENGTH_BYTES = 4;
const TRAILER_BYTES = LENGTH_BYTES + 1;
const MARK = 0;

/** Bytes of a document with values beside its source, which may be empty. */
export function joinStoredApart(source: Uint8Array, values: Uint8Array): Uint8Array {
  assert(source.at(-1) !== MARK, 'a source ends in the mark of values beside it');
  assert(values.length > 0, 'values beside a source that are none');
  const joined = new Uint8Array(source.length + values.length + TRAILER_BYTES);
  assert(values.length > 0, 'no values beside a source');
  joined.set(source);
  joined.set(values, source.length);
  new DataView(joined.buffer).setUint32(source.length + values.length, values.length, true);
  return joined;
}

/** The source in the bytes of a document. A view. */
export function sourceOf(stored: Uint8Array): Uint8Array {
  return hasStoredApart(stored) ? stored.subarray(0, valuesStart(stored)) : stored;
}

/**
 * Copies for a reader of a document. The bytes of a segment are a view that its next call overwrites.
 *
 * @param copy makes them; left out: each in memory of its own
 */
export function readKept(stored: Uint8Array, copy: (bytes: Uint8Array) => Uint8Array = ownCopy): StoredDocument {
  const source = sourceOf(stored);
  const apart = storedApartOf(stored);
  return { source: source.length === 0 ? null : copy(source), storedApart: apart === null ? null : copy(apart) };
}

function ownCopy(bytes: Uint8Array): Uint8Array {
  return bytes.slice();
}

function storedApartOf(stored: Uint8Array): Uint8Array | null {
  return hasStoredApart(stored) ? stored.subarray(valuesStart(stored), stored.length - TRAILER_BYTES) : null;
}

function hasStoredApart(stored: Uint8Array): boolean {
  return stored.length > 0 && stored[stored.length - 1] === MARK;
}

function valuesStart(stored: Uint8Array): number {
  const end = stored.length - TRAILER_BYTES;
  if (end < 0) throw new DamagedBytes('a stored document ends in its middle');
  const start = end - new DataView(stored.buffer, stored.byteOffset + end, LENGTH_BYTES).getUint32(0, true);
  if (start < 0) throw new DamagedBytes('values of a stored document are longer than the document');
  return start;
}
