/**
 * Terms of an index that start with a prefix, for the last word of a phrase that may go on.
 */
import type { MatchPhraseQuery } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import type { CompileContext } from '../context/compile-context.ts';
import { prefixRange } from '../term-sets/multi-term-docs.ts';

/** Words that the last one of a phrase may become where beginnings of words are indexed. */
const INDEXED_EXPANSIONS_MAX = 1_024;

/** The first terms of the dictionary that start with `prefix`, at most `count`, over all segments. */
function termsWithPrefix(ctx: CompileContext, field: string, prefix: Uint8Array, count: number): Uint8Array[] {
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

/** Words that the last one of a phrase may become. */
export function expansionsOf({ hasIndexedPrefixes }: FieldMapping, { maxExpansions }: MatchPhraseQuery): number {
  return hasIndexedPrefixes ? Math.max(maxExpansions, INDEXED_EXPANSIONS_MAX) : maxExpansions;
}

/** The first terms that start with any of the prefixes. */
export function withPrefixes(
  ctx: CompileContext,
  field: string,
  prefixes: readonly Uint8Array[],
  maxExpansions: number,
): readonly Uint8Array[] {
  return prefixes.flatMap((prefix) => termsWithPrefix(ctx, field, prefix, maxExpansions)).slice(0, maxExpansions);
}

/** A phrase whose last words are beginnings. */
export function phrasePrefixText(field: string, positions: readonly (readonly Uint8Array[])[], slop: number): string {
  const places = positions.map((terms, i) => {
    const words = terms.map((term) => Buffer.from(term).toString('utf8') + (i === positions.length - 1 ? '*' : ''));
    return words.length === 1 ? words.join() : `(${words.join(' ')})`;
  });
  return `${field}:"${places.join(' ')}"${slop > 0 ? `~${slop}` : ''}`;
}
