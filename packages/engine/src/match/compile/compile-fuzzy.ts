/**
 * Fuzzy terms to weights: the nearest terms of the dictionary, each worth less the more edits it needs.
 *
 * Lucene's rewrite: the best `maxExpansions` terms, all with the document frequency of the most frequent one, so
 * that a rare misspelling does not outrank the word itself.
 */
import { editAutomaton } from '@shoal/automata';
import { FloatNumber, illegalArgument } from '@shoal/core';
import { NearestTerms, type NearTerm } from '../automaton/nearest-terms.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { refuseExpensive } from '../context/refuse-expensive.ts';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';
import { parseRewrite, rewrittenTerms } from '../term-sets/rewritten-terms.ts';
import type { Weight } from '../weight/weight.ts';
import { termsOfAutomaton } from './automaton-terms.ts';
import { shownTerm } from './not-for-field.ts';

export interface FuzzyOptions {
  /** `AUTO`, `AUTO:3,6`, or a number of edits. */
  readonly fuzziness: string;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly hasTranspositions: boolean;
  /** How the terms are scored, as written; null: as the nearer, the better. */
  readonly rewrite: string | null;
}

/** Edits that a fuzziness allows for a word of this many letters. */
export function maxEdits(fuzziness: string, length: number): number {
  const auto = /^AUTO(?::(\d+),(\d+))?$/i.exec(fuzziness.trim());
  if (auto) {
    const low = Number(auto[1] ?? 3);
    const high = Number(auto[2] ?? 6);
    return length < low ? 0 : length < high ? 1 : 2;
  }
  if (/^[012](?:\.0*)?$/.test(fuzziness.trim())) return Math.trunc(Number(fuzziness));
  throw illegalArgument(`Valid edit distances are [0, 1, 2] but was [${fuzziness}]`);
}

/** Terms of the shard near a word, the nearest first, at most `maxExpansions`. */
export function nearestTerms(
  ctx: CompileContext,
  field: string,
  word: string,
  options: Omit<FuzzyOptions, 'rewrite'>,
): readonly NearTerm[] {
  const { prefixLength, hasTranspositions, maxExpansions } = options;
  const edits = maxEdits(options.fuzziness, [...word].length);
  const mapping = ctx.mapping.field(field);
  if (mapping !== null && shownTerm(mapping) !== null) {
    const found = allNearTerms(ctx, field, word, options);
    return found.slice(0, maxExpansions).map((term) => ({ term, similarity: 1 }));
  }
  const nearest = new NearestTerms({ word, maxEdits: edits, prefixLength, hasTranspositions }, maxExpansions);
  for (const { segment } of ctx.searcher.views) {
    const terms = segment.terms(field);
    if (terms) nearest.addSegment(terms);
  }
  return nearest.result();
}

/** All terms of the shard near a word, in byte order. */
function allNearTerms(
  ctx: CompileContext,
  field: string,
  word: string,
  { fuzziness, prefixLength, hasTranspositions }: Omit<FuzzyOptions, 'rewrite'>,
): readonly Uint8Array[] {
  const mapping = ctx.mapping.field(field);
  const edits = maxEdits(fuzziness, [...word].length);
  const near = editAutomaton({ word, maxEdits: edits, prefixLength, hasTranspositions });
  return termsOfAutomaton(ctx, field, near, mapping === null ? null : shownTerm(mapping));
}

/** @throws ShoalError for limits that no word can keep */
export function checkFuzzyLimits({
  prefixLength,
  maxExpansions,
}: Pick<FuzzyOptions, 'prefixLength' | 'maxExpansions'>): void {
  if (prefixLength < 0) throw illegalArgument('prefixLength cannot be negative.');
  if (maxExpansions <= 0) throw illegalArgument('maxExpansions must be positive.');
}

export function fuzzyWeight(
  ctx: CompileContext,
  field: string,
  word: string,
  options: FuzzyOptions,
  use: ClauseUse,
): Weight {
  refuseExpensive(ctx, 'fuzzy');
  checkFuzzyLimits(options);
  const rewrite = options.rewrite === null ? null : parseRewrite(options.rewrite);
  const isBoolean = options.rewrite?.endsWith('_boolean') === true;
  const plainText = `${field}:${word}~${maxEdits(options.fuzziness, [...word].length)}`;
  if (rewrite?.kind === 'constant' && !isBoolean) {
    const found = allNearTerms(ctx, field, word, options).map((term) => ({ term, boost: 1 }));
    return rewrittenTerms(ctx, { field, found, plainText }, rewrite, use);
  }
  // "max_expansions" limits the default rewrite alone: others say themselves how many terms they take, or take all that a query may have.
  const others = rewrite !== null && 'count' in rewrite ? rewrite.count : CLAUSES_MAX + 1;
  const best = nearestTerms(ctx, field, word, {
    ...options,
    maxExpansions: rewrite === null ? options.maxExpansions : others,
  });
  const farthest = best.find(({ similarity }) => similarity < 0);
  if (farthest !== undefined && isBoolean) {
    throw illegalArgument(`boost must be a positive float, got ${String(new FloatNumber(farthest.similarity))}`);
  }
  // A word shorter than its edits is worth nothing, and matches.
  const terms = best.map(({ term, similarity }) => ({ term, boost: Math.max(0, similarity) }));
  const found = { field, found: terms, plainText };
  return rewrittenTerms(ctx, found, rewrite ?? { kind: 'topBlended', count: options.maxExpansions }, use);
}
