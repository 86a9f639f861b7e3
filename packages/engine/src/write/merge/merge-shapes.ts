/**
 * Merges columns of shapes: the words of each document are copied to where it went.
 */
import { assert } from '@shoal/core';
import type { ShapeColumn, ShapeColumnValues } from '../../format/reader/shape-column.ts';
import { type DocMap, newDoc } from '../stored/doc-map.ts';

/** Documents between two yields: a millisecond of work or less. */
const DOCS_PER_STEP = 8_192;

/** null when no document has a shape. Yields every millisecond or so. */
export function* mergeShapes(
  columns: readonly (ShapeColumn | null)[],
  docMaps: readonly DocMap[],
  docCount: number,
): Generator<void, ShapeColumnValues | null> {
  if (columns.every((column) => column === null)) return null;
  const starts = new Uint32Array(docCount + 1);
  yield* eachDoc(columns, docMaps, (words, doc) => {
    starts[doc + 1] = words.length;
  });
  for (let doc = 0; doc < docCount; doc++) starts[doc + 1] = (starts[doc + 1] as number) + (starts[doc] as number);
  const total = starts[docCount] as number;
  if (total === 0) return null;
  const merged = new Int32Array(total);
  yield* eachDoc(columns, docMaps, (words, doc) => {
    assert((starts[doc] as number) + words.length <= total, `words of document ${doc} end behind ${total}`);
    merged.set(words, starts[doc]);
  });
  return { starts, words: merged };
}

function* eachDoc(
  columns: readonly (ShapeColumn | null)[],
  docMaps: readonly DocMap[],
  take: (words: Int32Array, doc: number) => void,
): Generator<void, void> {
  for (const [i, map] of docMaps.entries()) {
    const column = columns[i] ?? null;
    for (let doc = 0; column !== null && doc < map.length; doc++) {
      const to = newDoc(map, doc);
      if (to >= 0) take(column.words(doc), to);
      if (doc % DOCS_PER_STEP === DOCS_PER_STEP - 1) yield;
    }
    yield;
  }
}
