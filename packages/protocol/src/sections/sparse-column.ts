/**
 * A column that few rows have: entries `{at, …}`, each naming its row.
 */
import { type ItemReader, ValueReader } from '@shoal/core';

/** Entries of a sparse column of `count` rows, by row. */
export function readSparse<T>(
  r: ValueReader,
  field: string,
  count: number,
  read: (item: ValueReader) => T,
): ReadonlyMap<number, T> {
  const readEntry: ItemReader<readonly [number, T]> = (value, path) => {
    const item = ValueReader.of(value, path);
    return [item.integer('at', 0, Math.max(count - 1, 0)), read(item)];
  };
  return new Map(r.list(field, readEntry, count));
}
