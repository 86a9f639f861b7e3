/**
 * Terms of an index that start with a prefix, for the last word of a phrase that may go on.
 */
import type { CompileContext } from '../context/compile-context.ts';
import { prefixRange } from '../term-sets/multi-term-docs.ts';

/** The first terms of the dictionary that start with `prefix`, at most `count`, over all segments. */
export function termsWithPrefix(ctx: CompileContext, field: string, prefix: Uint8Array, count: number): Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  for (const { segment } of ctx.searcher.views) {
    const terms = segment.terms(field);
    if (!terms) continue;
    const { from, to } = prefixRange(terms, prefix);
    for (let ordinal = from; ordinal < Math.min(to, from + count); ordinal++) {
      const term = terms.term(ordinal).slice();
      found.set(Buffer.from(term).toString('latin1'), term);
    }
  }
  // Bytes as characters sort as bytes do.
  return [...found.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, count)
    .map(([, term]) => term);
}
