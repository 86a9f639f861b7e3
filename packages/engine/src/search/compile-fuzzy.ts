/**
 * Fuzzy terms to weights: the nearest terms of the dictionary, each worth less the more edits it needs.
 *
 * As Lucene rewrites them: the best `maxExpansions` terms, all with the document frequency of the most frequent one, so
 * that a rare misspelling does not outrank the word itself.
 */
import { illegalArgument } from '@shoal/core';
import { editAutomaton } from './automaton/term-automata.ts';
import type { ClauseUse, CompileContext } from './compile-context.ts';
import { type FuzzyTerm, fuzzyTerms } from './fuzzy-terms.ts';
import { parseRewrite, rewrittenTerms } from './rewritten-terms.ts';
import type { Weight } from './scorer.ts';

export interface FuzzyOptions {
  /** `AUTO`, `AUTO:3,6`, or a number of edits. */
  readonly fuzziness: string;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly hasTranspositions: boolean;
  /** How the terms are scored, as written; null: as the nearer, the better. */
  readonly rewrite: string | null;
}

export interface NearTerm {
  readonly term: Uint8Array;
  /** 1 for the word itself, less the more edits it needs. */
  readonly similarity: number;
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
  const wordLength = [...word].length;
  const { prefixLength, hasTranspositions, maxExpansions } = options;
  const wanted = { word, maxEdits: maxEdits(options.fuzziness, wordLength), prefixLength, hasTranspositions };
  const automaton = editAutomaton(wanted);
  const near = new Map<string, FuzzyTerm>();
  for (const { segment } of ctx.searcher.views) {
    const terms = segment.terms(field);
    if (!terms) continue;
    for (const term of fuzzyTerms(terms, wanted, automaton)) near.set(Buffer.from(term.term).toString('latin1'), term);
  }
  const similarity = (term: FuzzyTerm) => Math.fround(1 - term.edits / Math.min(wordLength, term.length));
  return (
    [...near.entries()]
      .sort(([a, x], [b, y]) => similarity(y) - similarity(x) || (a < b ? -1 : 1))
      .slice(0, maxExpansions)
      // A word shorter than its edits is worth nothing, and matches.
      .map(([, term]) => ({ term: term.term, similarity: term.edits === 0 ? 1 : Math.max(0, similarity(term)) }))
  );
}

export function fuzzyWeight(
  ctx: CompileContext,
  field: string,
  word: string,
  options: FuzzyOptions,
  use: ClauseUse,
): Weight {
  const rewrite = options.rewrite === null ? null : parseRewrite(options.rewrite);
  const best = nearestTerms(ctx, field, word, options);
  const terms = best.map(({ term, similarity }) => ({ term, boost: similarity }));
  return rewrittenTerms(ctx, field, terms, rewrite ?? { kind: 'topBlended', count: options.maxExpansions }, use);
}
