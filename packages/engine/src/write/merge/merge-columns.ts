/**
 * Merges columns: what documents have is copied, whole ranges of them where nothing is deleted.
 */

import { assert, type WideIntegers } from '@shoal/core';
import type { NumberColumnValues } from '../../format/columns/number-column-writer.ts';
import type { FlatOrdinals } from '../../format/columns/ordinal-column.ts';
import type { NumericColumn } from '../../format/reader/segment-reader.ts';
import { NumberColumnBuffer } from '../buffer/number-column-buffer.ts';
import { type DocMap, type MergeInput, newDoc } from '../stored/doc-map.ts';

/** Values between two yields: a millisecond of work or less. */
const VALUES_PER_STEP = 16_384;

export function mergeNorms(
  inputs: readonly (Uint8Array | null)[],
  docMaps: readonly DocMap[],
  docCount: number,
): Uint8Array {
  assert(inputs.length === docMaps.length, `norms of ${inputs.length} segments, ${docMaps.length} maps`);
  const norms = new Uint8Array(docCount);
  docMaps.forEach(({ base, length, numbers }, i) => {
    const from = inputs[i] ?? null;
    if (from === null) return;
    if (numbers === null) {
      norms.set(from.subarray(0, length), base);
      return;
    }
    for (let doc = 0; doc < length; doc++) {
      const to = numbers[doc] as number;
      if (to >= 0) norms[to] = from[doc] as number;
    }
  });
  return norms;
}

export interface MergedOrdinals {
  readonly counts: Uint32Array;
  readonly ordinals: Uint32Array;
}

/** `ordinalMaps`: new ordinal of each value of each input. Yields every millisecond or so. */
export function* mergeOrdinals(
  columns: readonly (FlatOrdinals | null)[],
  docMaps: readonly DocMap[],
  ordinalMaps: readonly Int32Array[],
  docCount: number,
): Generator<void, MergedOrdinals> {
  let size = 0;
  docMaps.forEach((map, i) => {
    size += columns[i]?.start(map.length) ?? 0;
  });
  const merged = { counts: new Uint32Array(docCount), ordinals: new Uint32Array(size) };
  let at = 0;
  for (const [i, map] of docMaps.entries()) {
    const column = columns[i] ?? null;
    const ordinalMap = ordinalMaps[i];
    if (column === null || ordinalMap === undefined) continue;
    for (let from = 0; from < map.length; from += VALUES_PER_STEP) {
      const to = Math.min(from + VALUES_PER_STEP, map.length);
      at = copyOrdinals({ column, map, ordinalMap, from, to }, merged, at);
      yield;
    }
  }
  assert(at <= size, `${at} ordinals of inputs with ${size}`);
  return { counts: merged.counts, ordinals: merged.ordinals.subarray(0, at) };
}

interface OrdinalRange {
  readonly column: FlatOrdinals;
  readonly map: DocMap;
  readonly ordinalMap: Int32Array;
  readonly from: number;
  readonly to: number;
}

/** Copies the values of documents from..to - 1 to `start` on; returns where they end. */
function copyOrdinals(stretch: OrdinalRange, { counts, ordinals }: MergedOrdinals, start: number): number {
  const { column, map, ordinalMap, from, to } = stretch;
  const { flat } = column;
  let at = start;
  if (flat !== null && map.numbers === null) {
    for (let doc = from; doc < to; doc++) ordinals[at++] = ordinalMap[flat[doc] as number] as number;
    counts.fill(1, map.base + from, map.base + to);
    return at;
  }
  for (let doc = from; doc < to; doc++) {
    const number = newDoc(map, doc);
    if (number < 0) continue;
    const first = column.start(doc);
    const end = column.start(doc + 1);
    counts[number] = end - first;
    for (let k = first; k < end; k++) ordinals[at++] = ordinalMap[column.ordinal(k)] as number;
  }
  return at;
}

/** null when no document has a value. Yields every millisecond or so. */
export function* mergeNumbers(
  field: string,
  inputs: readonly MergeInput[],
  docMaps: readonly DocMap[],
  docCount: number,
): Generator<void, NumberColumnValues | null> {
  const columns = inputs.map(({ segment }) => segment.numericColumn(field));
  const kind = columns.find((column) => column !== null)?.kind;
  if (kind === undefined) return null;
  if (columns.some((column) => column?.isWide)) return yield* mergeWide(kind, columns, docMaps, docCount);
  let size = 0;
  docMaps.forEach((map, i) => {
    size += columns[i]?.start(map.length) ?? 0;
  });
  const merged = { counts: new Uint32Array(docCount), values: new Float64Array(size) };
  let at = 0;
  for (const [i, map] of docMaps.entries()) {
    const column = columns[i] ?? null;
    if (column === null) continue;
    for (let from = 0; from < map.length; from += VALUES_PER_STEP) {
      at = copyNumbers(column, map, from, Math.min(from + VALUES_PER_STEP, map.length), merged, at);
      yield;
    }
  }
  assert(at <= size, `${at} numbers of inputs with ${size}`);
  return at === 0 ? null : { kind, counts: merged.counts, values: merged.values.subarray(0, at) };
}

function copyNumbers(
  column: NumericColumn,
  map: DocMap,
  from: number,
  to: number,
  { counts, values }: { readonly counts: Uint32Array; readonly values: Float64Array },
  start: number,
): number {
  const first = column.start(from);
  const end = column.start(to);
  const room = values.subarray(start, start + end - first);
  if (map.numbers === null) {
    const stretch = column.readRange(first, end, room);
    // Where it is a view of the column it was not written yet.
    if (stretch.byteOffset !== room.byteOffset || stretch.buffer !== room.buffer) room.set(stretch);
    if (column.isDense) counts.fill(1, map.base + from, map.base + to);
    else for (let doc = from; doc < to; doc++) counts[map.base + doc] = column.start(doc + 1) - column.start(doc);
    return start + end - first;
  }
  let at = start;
  for (let doc = from; doc < to; doc++) {
    const number = map.numbers[doc] as number;
    if (number < 0) continue;
    const last = column.start(doc + 1);
    const valuesAt = column.start(doc);
    counts[number] = last - valuesAt;
    for (let k = valuesAt; k < last; k++) values[at++] = column.value(k);
  }
  return at;
}

/**
 * Values of a column in the order of the merged documents.
 *
 * @param values in the order of the inputs, of their live documents
 * @param counts of each merged document
 */
export function* valuesInOrder<Values extends Float64Array | WideIntegers | Uint32Array>(
  values: Values,
  counts: Uint32Array,
  docMaps: readonly DocMap[],
): Generator<void, Values> {
  const starts = new Uint32Array(counts.length);
  for (let doc = 1; doc < counts.length; doc++) {
    starts[doc] = (starts[doc - 1] as number) + (counts[doc - 1] as number);
  }
  const ordered = values.slice() as Values;
  let at = 0;
  for (const map of docMaps) {
    for (let doc = 0; doc < map.length; doc++) {
      const number = newDoc(map, doc);
      if (number < 0) continue;
      const start = starts[number] as number;
      const count = counts[number] as number;
      for (let i = 0; i < count; i++) ordered[start + i] = values[at++] as Values[number];
      if (doc % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield;
    }
    yield;
  }
  assert(at === values.length, `${at} values of ${values.length} in order`);
  return ordered;
}

/** Values beyond 2^53 are rare. */
function* mergeWide(
  kind: 'long' | 'double',
  columns: readonly (NumericColumn | null)[],
  docMaps: readonly DocMap[],
  docCount: number,
): Generator<void, NumberColumnValues | null> {
  const buffer = new NumberColumnBuffer(kind);
  for (const [i, map] of docMaps.entries()) {
    const column = columns[i] ?? null;
    for (let doc = 0; column !== null && doc < map.length; doc++) {
      const to = newDoc(map, doc);
      if (to < 0) continue;
      const end = column.start(doc + 1);
      for (let at = column.start(doc); at < end; at++)
        buffer.add(to, column.isWide ? column.bigValue(at) : column.value(at));
      if (doc % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield;
    }
    yield;
  }
  return buffer.isEmpty ? null : buffer.take(docCount);
}
