/**
 * A long list of a state read item by item, so that the thread does other things in between.
 */
import type { ItemReader, Steps, ValueReader } from '@shoal/core';

/** `ValueReader.list`, an item a step. */
export function* listInSteps<T>(
  r: ValueReader,
  field: string,
  readItem: ItemReader<T>,
  maxItems: number,
): Steps<readonly T[]> {
  const items = r.list(field, (value, path) => ({ value, path }), maxItems);
  const read: T[] = [];
  for (const { value, path } of items) {
    read.push(readItem(value, path));
    yield;
  }
  return read;
}
