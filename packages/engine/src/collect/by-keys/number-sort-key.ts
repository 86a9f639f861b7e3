/**
 * Sort keys of numbers, dates and booleans.
 */
import { assert } from '@shoal/core';
import type { QueryValue, SortField } from '@shoal/query';
import { type SortColumn, wholeColumn } from '@shoal/shard-api';
import type { NumberSort, WholeRange } from '../../field-types/contract/field-type.ts';
import { LONG_RANGE } from '../../field-types/number/number-ranges.ts';
import { inDoubles, inMillis, inNanos, inWholes } from '../../format/columns/derived-columns.ts';
import type { NumericColumn, SegmentView } from '../../format/reader/segment-reader.ts';
import { type CombiningMode, combinedLongs, type LongRanks } from './combined-longs.ts';
import { type InnerDocs, innerExtreme, innerValue, modeOf } from './inner-values.ts';
import { type KeyBlocks, keyBlocks } from './key-blocks.ts';
import { besideMissing, type SegmentKey } from './segment-key.ts';

/** A value of `search_after` as the number that documents are compared by. Never asked for null. */
export type SortValueReader = (value: QueryValue) => number | bigint;

export interface NumberKeyOptions {
  readonly field: SortField;
  readonly sort: NumberSort;
  readonly view: SegmentView;
  readonly read: SortValueReader;
  /** Objects inside the documents whose values are meant; null: the values of the documents. */
  readonly inner: InnerDocs | null;
}

export function numberKey({ field, sort, view, read, inner }: NumberKeyOptions): SegmentKey {
  const column = comparedColumn(view.segment.numericColumn(field.field), sort, view.segment.docCount);
  const missing = missingValue(field, sort);
  const range = typeof sort.shown === 'string' ? LONG_RANGE : sort.shown;
  if (column?.isWide) {
    const wide = { field, column, missing, range, read, inner };
    const { mode } = field;
    const combines = mode === 'sum' || mode === 'avg' || mode === 'median';
    // One value alone is its sum, average and median.
    return combines && (inner !== null || column.isMultiValued)
      ? combinedKey(wide, mode, view.segment.docCount)
      : wideKey(wide);
  }
  const sign = field.order === 'desc' ? -1 : 1;
  const missingKey = missing === null ? missingSide(field) : sign * Number(missing);
  const shownMissing = missingWhole(field, range);
  const round = sort.shown === 'float' ? Math.fround : null;
  const sortValue =
    column && (inner === null ? singleValue(field, column, round) : innerValue(field, column, inner, round));
  const isOwnDense = inner === null && column?.isDense === true;
  const key = (doc: number): number => {
    const value = sortValue === null ? Number.NaN : sortValue(doc);
    return Number.isNaN(value) ? missingKey : sign * value;
  };
  return {
    fill: isOwnDense ? denseFill(column, sign) : fillOneByOne(key),
    ...(isOwnDense && { fillRun: denseRun(column, sign) }),
    ...(inner === null && blocksOf(field, column, { sign, missingKey, docCount: view.segment.docCount })),
    key,
    keyOfValue: (value) => {
      if (value === null) return missing === null ? missingSide(field) : missingKey;
      const cursor = read(value);
      // Documents without a value are shown with an end of the range; its neighbours must not be taken for it by rounding.
      const isEnd = shownMissing === range.max ? cursor >= shownMissing : cursor <= shownMissing;
      const isShownMissing = missing === null && typeof sort.shown !== 'string' && isEnd;
      return isShownMissing ? missingKey : sign * Number(cursor);
    },
    column: (_docs, keys) => columnOfKeys(sort.shown, keys, sign),
  };
}

function comparedColumn(column: NumericColumn | null, { derived }: NumberSort, docCount: number): NumericColumn | null {
  switch (derived) {
    case 'millis':
      return inMillis(column);
    case 'nanos':
      return inNanos(column, docCount);
    case 'wholes':
      return inWholes(column);
    case 'doubles':
      return inDoubles(column);
    default:
      return column;
  }
}

function denseRun(column: NumericColumn, sign: number): NonNullable<SegmentKey['fillRun']> {
  return (from, count, into) => {
    const values = column.readRange(from, from + count, into);
    for (let i = 0; i < count; i++) into[i] = sign * (values[i] as number);
  };
}

function denseFill(column: NumericColumn, sign: number): NonNullable<SegmentKey['fill']> {
  return (docs, count, into, at) => {
    const keys = into.subarray(at, at + count);
    column.gather(docs, count, keys);
    if (sign < 0) for (let i = 0; i < count; i++) keys[i] = -(keys[i] as number);
  };
}

/** Value shown for documents without one: the end of the range that they sort to. */
function missingWhole(field: SortField, { min, max }: WholeRange): bigint {
  return missingSide(field) > 0 === (field.order === 'asc') ? max : min;
}

function fillOneByOne(key: (doc: number) => number): NonNullable<SegmentKey['fill']> {
  return (docs, count, into, at) => {
    for (let i = 0; i < count; i++) into[at + i] = key(docs[i] as number);
  };
}

/** Between which keys the documents of a block are; none of sums, nor of averages, which rounding may take beyond. */
function blocksOf(
  field: SortField,
  column: NumericColumn | null,
  { sign, missingKey, docCount }: { readonly sign: number; readonly missingKey: number; readonly docCount: number },
): { readonly blocks?: KeyBlocks } {
  const isSummed = column?.isMultiValued === true && (field.mode === 'sum' || field.mode === 'avg');
  const blocks = isSummed ? null : (column?.blocks(docCount) ?? null);
  if (blocks === null) return {};
  return { blocks: keyBlocks(blocks, sign, missingKey) };
}

/** Where documents without a value go, as a key. */
function missingSide(field: SortField): number {
  return field.missing === '_first' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** The value that takes the place of none; null for `_first` and `_last`. */
function missingValue(field: SortField, sort: NumberSort): number | bigint | null {
  if (field.missing === null || field.missing === '_last' || field.missing === '_first') return null;
  return sort.missing(field.missing);
}

/**
 * The value by which a document sorts; NaN when it has none. `round`: to the width in which values are shown, as a sum, average
 * or median of such values can lie between two, and would not equal itself where it comes back in `search_after`.
 */
function singleValue(
  field: SortField,
  column: NumericColumn,
  round: ((value: number) => number) | null,
): (doc: number) => number {
  if (!column.isMultiValued) {
    return (doc) => {
      const at = column.start(doc);
      return at === column.start(doc + 1) ? Number.NaN : column.value(at);
    };
  }
  const mode = field.mode ?? (field.order === 'asc' ? 'min' : 'max');
  return (doc) => {
    const from = column.start(doc);
    const count = column.start(doc + 1) - from;
    if (count === 0) return Number.NaN;
    if (mode === 'min') return column.value(from);
    if (mode === 'max') return column.value(from + count - 1);
    const value = mode === 'median' ? median(column, from, count) : sumOrAverage(mode, column, from, count);
    return round === null ? value : round(value);
  };
}

function sumOrAverage(mode: 'sum' | 'avg', column: NumericColumn, from: number, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += column.value(from + i);
  return mode === 'sum' ? sum : average(column, sum, count);
}

function average(column: NumericColumn, sum: number, count: number): number {
  return column.kind === 'long' ? Math.round(sum / count) : sum / count;
}

function median(column: NumericColumn, from: number, count: number): number {
  const middle = from + (count >> 1);
  if (count % 2 === 1) return column.value(middle);
  return average(column, column.value(middle - 1) + column.value(middle), 2);
}

function columnOfKeys(shown: NumberSort['shown'], keys: Float64Array, sign: number): SortColumn {
  const value = (key: number) => (key === 0 ? 0 : sign * key);
  if (shown === 'float') return { kind: 'score', values: Float32Array.from(keys, value) };
  if (shown === 'double') return { kind: 'double', values: Float64Array.from(keys, value) };
  if (keys.every(Number.isSafeInteger)) return { kind: 'integer', values: Float64Array.from(keys, value) };
  // Users see an end of the range where a document has no value.
  const long = (v: number) =>
    v === Number.POSITIVE_INFINITY ? shown.max : v === Number.NEGATIVE_INFINITY ? shown.min : BigInt(v);
  return wholeColumn(Array.from(keys, (key) => long(value(key))));
}

interface WideKeyOptions {
  readonly field: SortField;
  readonly column: NumericColumn;
  readonly missing: number | bigint | null;
  readonly range: WholeRange;
  readonly read: SortValueReader;
  readonly inner: InnerDocs | null;
}

/** Longs beyond 2^53 compare by their rank among the segment's values, which is exact. */
function wideKey({ field, column, missing, range, read, inner }: WideKeyOptions): SegmentKey {
  const { wide } = column;
  assert(wide !== null, `ranks of [${field.field}], whose values are exact as numbers`);
  const isMax = (field.mode ?? (field.order === 'asc' ? 'min' : 'max')) === 'max';
  const ownIndexOf = (doc: number) => {
    const from = column.start(doc);
    const to = column.start(doc + 1);
    return from === to ? -1 : isMax ? to - 1 : from;
  };
  const indexOf = inner === null ? ownIndexOf : innerExtreme(field, column, inner, (index) => wide.rankAt(index));
  return rankedKey(
    { field, missing, range, read },
    {
      rankOf: (doc) => {
        const index = indexOf(doc);
        return index < 0 ? -1 : wide.rankAt(index);
      },
      valueOf: (doc) => {
        const index = indexOf(doc);
        return index < 0 ? null : column.bigValue(index);
      },
      rankOfValue: (value) => wide.rankOf(value),
    },
  );
}

function combinedKey(options: WideKeyOptions, mode: CombiningMode, docCount: number): SegmentKey {
  if (options.inner !== null) modeOf(options.field);
  return rankedKey(options, combinedLongs(options.column, mode, docCount, options.inner));
}

/** Exact values by their ranks in the segment. */
function rankedKey(
  { field, missing, range, read }: Pick<WideKeyOptions, 'field' | 'missing' | 'range' | 'read'>,
  ranks: LongRanks,
): SegmentKey {
  const sign = field.order === 'desc' ? -1 : 1;
  // Documents without a value compare as the value that is shown for them.
  const fallback = missing === null ? missingWhole(field, range) : BigInt(missing);
  const missingRank = ranks.rankOfValue(fallback);
  const missingKey = sign * missingRank;
  return {
    isLocal: true,
    key(doc) {
      const rank = ranks.rankOf(doc);
      return rank === -1 ? missingKey : sign * rank;
    },
    keyOfValue: (value: QueryValue) => {
      if (value === null) return missingKey;
      const cursor = BigInt(read(value));
      const order = cursor < fallback ? -1 : cursor > fallback ? 1 : 0;
      return sign * besideMissing(ranks.rankOfValue(cursor), missingRank, order);
    },
    column: (docs) => wholeColumn(Array.from(docs, (doc) => ranks.valueOf(doc) ?? fallback)),
  };
}
