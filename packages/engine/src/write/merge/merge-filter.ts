/**
 * Filter of a merged field: made anew of the terms that are left, as filters of other sizes cannot be joined.
 */
import { assert } from '@shoal/core';
import { termStart } from '../../format/reader/term-prefixes.ts';
import { TermFilterBuilder, type TermFilterContent } from '../../format/terms/term-filter.ts';
import { type FieldMerge, type MergedTerms, termsOf } from './merged-terms.ts';

/** Terms between two yields: a millisecond of work or less. */
const TERMS_PER_STEP = 8_192;

/** null: no term is left. Yields every millisecond or so. */
export function* mergeFilter(
  merge: FieldMerge,
  { written, ordinalMaps }: MergedTerms,
): Generator<void, TermFilterContent | null> {
  const { termCount } = written;
  if (termCount === 0) return null;
  assert(
    ordinalMaps.length === merge.inputs.length,
    `${ordinalMaps.length} maps of the terms of ${merge.inputs.length} inputs`,
  );
  const filter = new TermFilterBuilder(termCount);
  let least: Uint8Array | null = null;
  let greatest: Uint8Array | null = null;
  for (const [i, terms] of termsOf(merge).entries()) {
    if (terms === null) continue;
    const ordinals = ordinalMaps[i] as Int32Array;
    const segment = merge.inputs[i]?.segment;
    // Kernels may have read the dictionary into their memory: pinned, it is used where it stands.
    segment?.pin();
    try {
      // A view of each term would cost more than its bits.
      const sorted = terms.sorted();
      for (let ordinal = 0; ordinal < terms.size; ordinal++) {
        if (ordinal % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
        const merged = ordinals[ordinal] as number;
        if (merged < 0) continue;
        assert(merged < termCount, 'a term of an input is beyond the merged ones');
        const start = termStart(sorted, ordinal);
        const end = termStart(sorted, ordinal + 1);
        filter.add(sorted.termBytes, start, end);
        if (merged === 0) least = sorted.termBytes.slice(start, end);
        if (merged === termCount - 1) greatest = sorted.termBytes.slice(start, end);
      }
    } finally {
      segment?.unpin();
    }
  }
  assert(least !== null && greatest !== null, `${termCount} merged terms without the first or last one`);
  return { words: filter.words, least, greatest };
}
