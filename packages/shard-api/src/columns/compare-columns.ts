/**
 * Order among entries of shards' results: the one comparison that shard and coordinator share, and what users see of it.
 *
 * Numbers without a value were replaced by the shard; strings without one carry a mark, since no string sorts behind all
 * others. The tie-break (shard, then position) is the caller's.
 */
import { printAddress } from '@shoal/aggregations';
import { assert, DoubleNumber, FloatNumber } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { printVersion } from '@shoal/schema';
import type { SortColumn } from './sort-column.ts';

const utf8 = new TextDecoder();

/**
 * Negative when entry `indexA` of `columnsA` comes first. Both have one column a sort field; without sort fields one of
 * scores, best first.
 */
export function compareColumnEntries(
  sort: readonly SortField[],
  columnsA: readonly SortColumn[],
  indexA: number,
  columnsB: readonly SortColumn[],
  indexB: number,
): number {
  const keyCount = Math.max(1, sort.length);
  for (let k = 0; k < keyCount; k++) {
    const a = columnsA[k];
    const b = columnsB[k];
    assert(a && b, `sort column ${k} is missing`);
    const field = sort[k];
    const isDescending = field ? field.order === 'desc' : true;
    const c =
      a.kind === 'string' && b.kind === 'string'
        ? compareStrings(a, indexA, b, indexB, isDescending, field?.missing === '_first')
        : compareNumbers(a, indexA, b, indexB, isDescending);
    if (c !== 0) return c;
  }
  return 0;
}

function compareNumbers(a: SortColumn, i: number, b: SortColumn, j: number, isDescending: boolean): number {
  // Shards that have no value of a field cannot know whether others hold strings: numbers then come first.
  if (a.kind === 'string' || b.kind === 'string') return a.kind === b.kind ? 0 : a.kind === 'string' ? 1 : -1;
  const x = a.values[i] ?? 0;
  const y = b.values[j] ?? 0;
  // Not `===`: a number and a bigint of the same value are equal here.
  const isLess = x < y;
  if (!isLess && !(x > y)) {
    // Equal, or NaN is among them, which stands above all numbers.
    const c = Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return isDescending ? -c + 0 : c;
  }
  return isLess !== isDescending ? -1 : 1;
}

type StringColumn = Extract<SortColumn, { kind: 'string' }>;

function compareStrings(
  a: StringColumn,
  i: number,
  b: StringColumn,
  j: number,
  isDescending: boolean,
  isMissingFirst: boolean,
): number {
  const isMissingA = a.missing[i] === 1;
  const isMissingB = b.missing[j] === 1;
  if (isMissingA || isMissingB) {
    if (isMissingA && isMissingB) return 0;
    return isMissingA === isMissingFirst ? -1 : 1;
  }
  const c = compareBytes(a, i, b, j);
  return isDescending ? -c : c;
}

function compareBytes(a: StringColumn, i: number, b: StringColumn, j: number): number {
  const startA = a.offsets[i] ?? 0;
  const startB = b.offsets[j] ?? 0;
  const lengthA = (a.offsets[i + 1] ?? 0) - startA;
  const lengthB = (b.offsets[j + 1] ?? 0) - startB;
  const shared = Math.min(lengthA, lengthB);
  for (let k = 0; k < shared; k++) {
    const d = (a.bytes[startA + k] ?? 0) - (b.bytes[startB + k] ?? 0);
    if (d !== 0) return d;
  }
  return lengthA - lengthB;
}

/** What `sort` of a hit shows for this entry, ready for the JSON writer. */
export function sortValueForHit(column: SortColumn, index: number): unknown {
  switch (column.kind) {
    case 'score':
      return new FloatNumber(column.values[index] ?? 0);
    case 'double':
      return new DoubleNumber(column.values[index] ?? 0);
    case 'string':
      if (column.missing[index] === 1) return null;
      return shownText(column, column.bytes.subarray(column.offsets[index] ?? 0, column.offsets[index + 1] ?? 0));
    default:
      return column.values[index] ?? 0;
  }
}

/** Length of an address in bytes; shards without a value of the field know nothing of addresses. */
const ADDRESS_BYTES = 16;

function shownText({ shown }: StringColumn, bytes: Uint8Array): string {
  const isAddress = shown === 'address' && bytes.length === ADDRESS_BYTES;
  if (isAddress) return printAddress(String.fromCharCode(...bytes));
  return shown === 'version' ? printVersion(utf8.decode(bytes)) : utf8.decode(bytes);
}
