/**
 * Sort keys of keywords: their ordinal in the segment, which follows the order of their bytes.
 */
import { assert, illegalArgument } from '@shoal/core';
import type { SortField } from '@shoal/query';
import type { ShownBytes, SortColumn } from '@shoal/shard-api';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import type { TermSort } from '../../field-types/contract/field-type.ts';
import type { OrdinalColumn, SegmentView } from '../../format/reader/segment-reader.ts';
import { ordinalCeiling } from '../../match/bits/ordinal-range.ts';
import { type InnerDocs, innerExtreme } from './inner-values.ts';
import { keyBlocks } from './key-blocks.ts';
import { besideMissing, type SegmentKey } from './segment-key.ts';

/** @param inner objects inside the documents whose values are meant; null: the values of the documents */
export function stringKey(
  field: SortField,
  sort: TermSort,
  view: SegmentView,
  inner: InnerDocs | null = null,
): SegmentKey {
  if (field.mode !== null && field.mode !== 'min' && field.mode !== 'max') {
    throw illegalArgument(`Mode [${field.mode}] is not supported on strings: only [min] and [max]`);
  }
  const column = view.segment.ordinalColumn(field.field);
  const { docCount } = view.segment;
  const flatLength = column?.flat?.length ?? docCount;
  assert(flatLength >= docCount, `[${field.field}] has ordinals of ${flatLength} of ${docCount} documents`);
  const sign = field.order === 'desc' ? -1 : 1;
  const filler = typeof field.missing === 'string' && !field.missing.startsWith('_') ? sort.term(field.missing) : null;
  const side = field.missing === '_first' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const fillerRank = filler ? rank(column, filler) : 0;
  const missingKey = filler ? sign * fillerRank : side;
  const isMax = (field.mode ?? (field.order === 'asc' ? 'min' : 'max')) === 'max';
  const indexOf = inner && column && innerExtreme(field, column, inner, (index) => column.ordinal(index));
  return {
    isLocal: true,
    ...(inner === null && column?.flat && { fill: flatFill(column.flat, sign), fillRun: flatRun(column.flat, sign) }),
    ...(inner === null && column && { blocks: keyBlocks(column.blocks(view.segment.docCount), sign, missingKey) }),
    key: column
      ? (doc) => {
          if (indexOf !== null) {
            const index = indexOf(doc);
            return index < 0 ? missingKey : sign * column.ordinal(index);
          }
          const from = column.start(doc);
          const to = column.start(doc + 1);
          return from === to ? missingKey : sign * column.ordinal(isMax ? to - 1 : from);
        }
      : () => missingKey,
    keyOfValue: (value) => {
      if (value === null) return side;
      const bytes = sort.term(value);
      const at = rank(column, bytes);
      if (filler === null) return sign * at;
      return sign * besideMissing(at, fillerRank, compareBytes(bytes, 0, bytes.length, filler));
    },
    column: (_docs, keys) => stringColumn(column, keys, { sign, missingKey, filler, shown: sort.shown }),
  };
}

function flatRun(flat: NonNullable<OrdinalColumn['flat']>, sign: number): NonNullable<SegmentKey['fillRun']> {
  return (from, count, into) => {
    for (let i = 0; i < count; i++) into[i] = sign * (flat[from + i] as number);
  };
}

function flatFill(flat: NonNullable<OrdinalColumn['flat']>, sign: number): NonNullable<SegmentKey['fill']> {
  return (docs, count, into, at) => {
    for (let i = 0; i < count; i++) into[at + i] = sign * (flat[docs[i] as number] as number);
  };
}

/** Ordinal of a value; half a step below the next greater one when the segment does not have it. */
function rank(column: OrdinalColumn | null, value: Uint8Array): number {
  if (!column) return -0.5;
  const at = ordinalCeiling(column, value);
  const found = at < column.valueCount ? column.value(at) : null;
  return found && compareBytes(found, 0, found.length, value) === 0 ? at : at - 0.5;
}

function stringColumn(
  column: OrdinalColumn | null,
  keys: Float64Array,
  options: {
    readonly sign: number;
    readonly missingKey: number;
    readonly filler: Uint8Array | null;
    readonly shown: ShownBytes;
  },
): SortColumn {
  const { sign, missingKey, filler, shown } = options;
  const offsets = new Uint32Array(keys.length + 1);
  const missing = new Uint8Array(keys.length);
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    const hasValue = column !== null && Number.isInteger(key) && !(filler === null && key === missingKey);
    let value = filler ?? new Uint8Array(0);
    if (hasValue) value = column.value(Math.abs(sign * key));
    else if (filler === null) missing[i] = 1;
    parts.push(value);
    length += value.length;
    offsets[i + 1] = length;
  }
  const bytes = new Uint8Array(length);
  parts.forEach((part, i) => {
    bytes.set(part, offsets[i] ?? 0);
  });
  return { kind: 'string', shown, offsets, bytes, missing };
}
