/**
 * Sharing of sums, counts and extremes by bucket.
 *
 * Whole numbers whose sums a double holds may be added in any order. Other sums are rounded as they grow: those of each state are
 * added in the order of the states, so that the last digit does not depend on who collected what.
 */
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';

/** All sums of values of the source, whichever documents they are of, are whole numbers that a double holds. */
export function areSumsExact(views: readonly SegmentView[], source: ResolvedSource): boolean {
  const missing = missingNumber(source);
  const hasMissing = !Number.isNaN(missing);
  if (hasMissing && !Number.isSafeInteger(missing)) return false;
  let most = 0;
  for (const view of views) {
    const column = numbersOf(view, source);
    if (column !== null && !isWhole(column)) return false;
    const largest = column === null ? 0 : Math.max(Math.abs(column.min), Math.abs(column.max));
    most += view.segment.docCount * Math.max(largest, hasMissing ? Math.abs(missing) : 0);
  }
  return most <= Number.MAX_SAFE_INTEGER;
}

/** A whole number a document at most. */
function isWhole({ kind, isWide, isMultiValued }: NumericColumn): boolean {
  return kind === 'long' && !isWide && !isMultiValued;
}

/** Values of the source are whole numbers: none of them is a zero with a sign. */
export function areLongs(views: readonly SegmentView[], source: ResolvedSource): boolean {
  return views.every((view) => (numbersOf(view, source)?.kind ?? 'long') === 'long');
}
