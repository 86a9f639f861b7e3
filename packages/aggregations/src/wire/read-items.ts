/**
 * Lists on the wire: a count, then the items.
 */
import { type ByteSource, DamagedBytes } from '@shoal/core';

/** Every item takes at least one byte, so that a length that cannot be true is found before anything is made. */
export function readCount(from: ByteSource): number {
  const count = from.varint();
  if (count > from.bytes.length - from.at) throw new DamagedBytes(`${count} items in ${from.bytes.length} bytes`);
  return count;
}

export function readItems<T>(from: ByteSource, read: () => T): T[] {
  const count = readCount(from);
  const items: T[] = [];
  for (let i = 0; i < count; i++) items.push(read());
  return items;
}
