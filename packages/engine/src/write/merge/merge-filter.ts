/**
 * Filter of a merged field: made anew of the terms that are left, as filters of other sizes cannot be joined.
 */
import { assert } from '@shoal/core';
import { TermFilterBuilder, type TermFilterContent } from '../../format/terms/term-filter.ts';
import { InputTerms, termRange } from './input-terms.ts';
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
    const input = new InputTerms(terms);
    for (input.look(merge.windowBytes); !input.isAtEnd; input.look(merge.windowBytes)) {
      input.to = Math.min(Math.max(input.reach, input.from + 1), input.from + TERMS_PER_STEP);
      const window = input.dictionary();
      for (let ordinal = input.from; ordinal < input.to; ordinal++) {
        const merged = ordinals[ordinal] as number;
        if (merged < 0) continue;
        assert(merged < termCount, 'a term of an input is beyond the merged ones');
        const [start, end] = termRange(window, ordinal - input.from, terms.termLength);
        filter.add(window.termBytes, start, end);
        if (merged === 0) least = window.termBytes.slice(start, end);
        if (merged === termCount - 1) greatest = window.termBytes.slice(start, end);
      }
      input.pass();
      yield;
    }
  }
  assert(least !== null && greatest !== null, `${termCount} merged terms without the first or last one`);
  return { words: filter.words, least, greatest };
}
