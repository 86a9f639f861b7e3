/**
 * Terms of a shard, of all its segments, that an automaton accepts.
 */
import type { LazyDfa } from '@shoal/automata';
import { illegalArgument } from '@shoal/core';
import { matchingTerms, ordinalsOf, type ShownTerm } from '../automaton/matching-terms.ts';
import type { CompileContext } from '../context/compile-context.ts';

/** Terms that one pattern may be written out as, beyond the limits of what is made of them. */
const FOUND_TERMS_MAX = 1_000_000;

/** Terms of the shard that the automaton accepts, in byte order. */
export function termsOfAutomaton(
  ctx: CompileContext,
  field: string,
  automaton: LazyDfa,
  shown: ShownTerm = null,
): Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  for (const { segment } of ctx.searcher.views) {
    const terms = segment.terms(field);
    if (!terms) continue;
    for (const ordinal of ordinalsOf(matchingTerms(terms, automaton, shown))) {
      const term = terms.term(ordinal);
      const key = Buffer.from(term).toString('latin1');
      if (!found.has(key)) found.set(key, term.slice());
      if (found.size > FOUND_TERMS_MAX) throw illegalArgument(`more than ${FOUND_TERMS_MAX} terms match`);
    }
  }
  // Bytes as characters sort as bytes do.
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, term]) => term);
}
