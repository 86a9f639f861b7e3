/**
 * Merges columns: what documents have is copied in the order of the merged documents, those together that follow each other.
 */

import { assert } from '@shoal/core';
import type { SpillFile } from '../../bytes/spill-file.ts';
import type { NumberColumnValues } from '../../format/columns/number-column-writer.ts';
import type { FlatOrdinals, OrdinalColumnValues } from '../../format/columns/ordinal-column.ts';
import type { DocMap } from '../stored/doc-map.ts';
import { type DocRun, docRuns } from './doc-runs.ts';
import type { FieldMerge, MergedTerms } from './merged-terms.ts';
import { SpilledIntegers, SpilledNumbers, SpilledOrdinals } from './spilled-column.ts';

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

/** Counts of values of the merged documents; null: each has exactly one. */
function countsOf(columns: readonly ({ readonly isDense: boolean } | null)[], docCount: number): Uint32Array | null {
  return columns.every((column) => column?.isDense === true) ? null : new Uint32Array(docCount);
}

/** Sets the counts of the documents of a run. */
function countRun(counts: Uint32Array, column: { start(doc: number): number }, { from, to, number }: DocRun): void {
  for (let doc = from; doc < to; doc++) counts[number + doc - from] = column.start(doc + 1) - column.start(doc);
}

/** Yields every millisecond or so. */
export function* mergeOrdinals(
  { docMaps, sources, docCount }: FieldMerge,
  columns: readonly (FlatOrdinals | null)[],
  { written, ordinalMaps }: MergedTerms,
  spill: SpillFile,
): Generator<void, OrdinalColumnValues> {
  const valueCount = written.termCount;
  const ordinals = new SpilledOrdinals(spill, valueCount);
  const counts = countsOf(columns, docCount);
  let work = 0;
  for (const run of docRuns(docMaps, sources)) {
    const column = columns[run.input] ?? null;
    const ordinalMap = ordinalMaps[run.input];
    work += run.to - run.from;
    if (column !== null && ordinalMap !== undefined) {
      ordinals.copy(column, column.start(run.from), column.start(run.to), ordinalMap);
      if (counts !== null) countRun(counts, column, run);
    }
    if (work < VALUES_PER_STEP) continue;
    work = 0;
    yield;
  }
  return { counts, ordinals: ordinals.end(), valueCount };
}

/** null when no document has a value. Yields every millisecond or so. */
export function* mergeNumbers(merge: FieldMerge, spill: SpillFile): Generator<void, NumberColumnValues | null> {
  const { field, inputs, docMaps, sources, docCount } = merge;
  const columns = inputs.map(({ segment }) => segment.numericColumn(field));
  const kind = columns.find((column) => column !== null)?.kind;
  if (kind === undefined) return null;
  const isWide = columns.some((column) => column?.isWide === true);
  const spilled = isWide ? new SpilledIntegers(spill) : new SpilledNumbers(spill);
  const counts = countsOf(columns, docCount);
  let work = 0;
  for (const run of docRuns(docMaps, sources)) {
    const column = columns[run.input] ?? null;
    work += run.to - run.from;
    if (column !== null) {
      spilled.copy(column, column.start(run.from), column.start(run.to));
      if (counts !== null) countRun(counts, column, run);
    }
    if (work < VALUES_PER_STEP) continue;
    work = 0;
    yield;
  }
  const values = spilled.end();
  return values.length === 0 ? null : { kind, counts, values };
}
