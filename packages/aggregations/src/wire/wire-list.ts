/**
 * Lists on the wire: a count, then the items.
 */
import { type ByteSource, DamagedBytes } from '@shoal/core';

/** Count of a list. Every item takes at least one byte, so that a count that cannot be true is refused before anything is made. */
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

/** The item of a list that a byte names by its position. */
export function readChoice<T>(from: ByteSource, choices: readonly T[]): T {
  const index = from.u8();
  const chosen = choices[index];
  if (chosen === undefined) throw new DamagedBytes(`${index} names none of ${choices.length} kinds`);
  return chosen;
}
