/**
 * Sums, averages and medians of longs beyond 2^53, by which documents of one segment sort: computed as Java does, and compared by
 * their rank among those of the segment, which is exact.
 */
import { assert, unreachable } from '@shoal/core';
import type { NumericColumn } from '../../format/reader/segment-reader.ts';
import type { InnerDocs } from './inner-values.ts';

const LONG_MAX = 2n ** 63n - 1n;
const LONG_BITS = 64;

export type CombiningMode = 'sum' | 'avg' | 'median';

/** One value a document. */
export interface LongRanks {
  /** null for a document without values. */
  valueOf(doc: number): bigint | null;
  /** -1 for a document without values. */
  rankOf(doc: number): number;
  /** Rank of a value, between two where no document has it. */
  rankOfValue(value: bigint): number;
}

/** @param inner objects of a document whose values are meant; null: those of the document */
export function combinedLongs(
  column: NumericColumn,
  mode: CombiningMode,
  docCount: number,
  inner: InnerDocs | null,
): LongRanks {
  assert(column.isMultiValued || inner !== null, `one value a document has nothing to be combined by ${mode}`);
  assert(docCount > 0, `a segment of ${docCount} documents`);
  const values = new BigInt64Array(docCount);
  const ranks = new Float64Array(docCount).fill(-1);
  const docs: number[] = [];
  for (let doc = 0; doc < docCount; doc++) {
    const own = inner === null ? valuesOf(column, doc) : innerValues(column, doc, inner);
    if (own.length === 0) continue;
    values[doc] = combined(own, mode);
    docs.push(doc);
  }
  const distinct = [...new Set(docs.map((doc) => values[doc] as bigint))].sort((a, b) => (a < b ? -1 : 1));
  const rankOfValue = (value: bigint): number => {
    const at = firstNotBelow(distinct, value);
    return distinct[at] === value ? at : at - 0.5;
  };
  for (const doc of docs) ranks[doc] = rankOfValue(values[doc] as bigint);
  return {
    valueOf: (doc) => (ranks[doc] === -1 ? null : (values[doc] as bigint)),
    rankOf: (doc) => ranks[doc] as number,
    rankOfValue,
  };
}

function valuesOf(column: NumericColumn, doc: number): bigint[] {
  const found: bigint[] = [];
  for (let at = column.start(doc); at < column.start(doc + 1); at++) found.push(column.bigValue(at));
  return found;
}

function innerValues(column: NumericColumn, doc: number, inner: InnerDocs): bigint[] {
  const found: bigint[] = [];
  let objects = 0;
  inner.each(doc, (at) => {
    const own = valuesOf(column, at);
    if (own.length > 0 && ++objects > inner.limit) return false;
    found.push(...own);
    return true;
  });
  return found;
}

/** @param values ascending where they are those of one document */
function combined(values: readonly bigint[], mode: CombiningMode): bigint {
  assert(values.length > 0, `the ${mode} of no values`);
  const [only] = values;
  if (values.length === 1 && only !== undefined) return only;
  const sum = BigInt.asIntN(
    LONG_BITS,
    values.reduce((a, b) => a + b, 0n),
  );
  switch (mode) {
    case 'sum':
      return sum;
    case 'avg':
      return rounded(Number(sum) / values.length);
    case 'median': {
      const middle = values.length >> 1;
      const [below = 0n, above = 0n] = [values[middle - 1], values[middle]];
      return values.length % 2 === 1 ? above : rounded((Number(below) + Number(above)) / 2);
    }
    default:
      return unreachable(mode);
  }
}

/** The nearest long, of two the greater. */
function rounded(value: number): bigint {
  const whole = BigInt(Number.isInteger(value) ? value : Math.floor(value + 0.5));
  return whole > LONG_MAX ? LONG_MAX : whole;
}

function firstNotBelow(sorted: readonly bigint[], value: bigint): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as bigint) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
