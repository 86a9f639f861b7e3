/**
 * Analysed queries on one field: match, match_phrase and their prefix forms.
 */

import type { Analyzer } from '@shoal/analysis';
import { illegalArgument, isShoalError } from '@shoal/core';
import type { FullTextOptions, MatchPhraseQuery, MatchQuery, QueryValue } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { allDocsWeight } from '../bits/constant-weight.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, utf8Bytes } from '../context/compile-context.ts';
import { heavyWeight } from '../context/prepared-weight.ts';
import { booleanWeight } from '../scorers/boolean-weight.ts';
import { phraseWeight } from '../scorers/phrase-weight.ts';
import { termWeight } from '../scorers/term-weight.ts';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';
import { docsOfPrefix, prefixRange } from '../term-sets/multi-term-docs.ts';
import { NONE_WEIGHT, type Weight } from '../weight/weight.ts';
import { type FuzzyOptions, fuzzyWeight } from './compile-fuzzy.ts';
import { termLevelWeight } from './compile-term-level.ts';
import { minimumShouldMatch } from './minimum-should-match.ts';

export interface QueryToken {
  readonly term: Uint8Array;
  readonly position: number;
}

export function analyzeQueryText(analyzer: Analyzer, text: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  let position = -1;
  analyzer.analyze(text, (term, _start, _end, increment) => {
    position += increment;
    if (tokens.length >= CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
    tokens.push({ term: utf8Bytes(term), position });
  });
  return tokens;
}

export function searchAnalyzer(ctx: CompileContext, field: FieldMapping, given: string | null): Analyzer {
  const name = given ?? (field.kind === 'text' ? field.searchAnalyzer : 'keyword');
  const analyzer = ctx.analyzers.get(name);
  if (!analyzer) throw illegalArgument(`[match] analyzer [${name}] not found`);
  return analyzer;
}

export function matchWeight(ctx: CompileContext, query: MatchQuery, use: ClauseUse): Weight {
  const field = ctx.mapping.field(query.field);
  if (!field) return query.field === '_id' ? termLevelWeight(ctx, '_id', query.value, use) : NONE_WEIGHT;
  if (field.kind === 'keyword' && query.fuzziness !== null) {
    return fuzzyWeight(ctx, field.path, String(query.value), fuzzyOptions(query, query.fuzziness), use);
  }
  if (field.kind !== 'text') return lenientTerm(ctx, field, query.value, query.isLenient, use);
  const tokens = analyzeQueryText(searchAnalyzer(ctx, field, query.analyzer), String(query.value));
  if (tokens.length === 0) return zeroTermsWeight(query.zeroTerms, use);
  const weights = tokens.map(({ term }, i) => {
    const isPrefix = query.kind === 'matchBoolPrefix' && i === tokens.length - 1;
    if (isPrefix) return heavyWeight(ctx, null, (view) => docsOfPrefix(view, field.path, term), use);
    const { fuzziness } = query;
    if (fuzziness !== null) return fuzzyWeight(ctx, field.path, utf8Text(term), fuzzyOptions(query, fuzziness), use);
    return termWeight(ctx.statistics, { field: field.path, term, ...use, docFreq: null });
  });
  return combineTerms(weights, query);
}

function fuzzyOptions(query: MatchQuery, fuzziness: string): FuzzyOptions {
  return { ...query, fuzziness, rewrite: query.fuzzyRewrite };
}

function utf8Text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/** A whole value in a field that is not analysed; `lenient` turns a value that does not fit into no match. */
export function lenientTerm(
  ctx: CompileContext,
  field: FieldMapping,
  value: QueryValue,
  isLenient: boolean,
  use: ClauseUse,
): Weight {
  try {
    return termLevelWeight(ctx, field.path, value, use);
  } catch (error) {
    if (isLenient && isShoalError(error)) return NONE_WEIGHT;
    throw error;
  }
}

/** The terms of one text: all of them, or as many as asked for. A single term takes no minimum. */
export function combineTerms(
  weights: readonly Weight[],
  options: Pick<FullTextOptions, 'operator' | 'minimumShouldMatch'>,
): Weight {
  const [only] = weights;
  if (weights.length === 1 && only) return only;
  const clauses = { must: [], filter: [], should: [], mustNot: [], minimumShouldMatch: 0 };
  const { minimumShouldMatch: specified } = options;
  if (options.operator === 'and') {
    // All terms are required and none is optional: a minimum that asks for an optional one cannot be met.
    const isImpossible = specified !== null && minimumShouldMatch(specified, 0) > 0;
    return isImpossible ? NONE_WEIGHT : booleanWeight({ ...clauses, must: weights });
  }
  const minimum = specified === null ? 1 : minimumShouldMatch(specified, weights.length);
  return booleanWeight({ ...clauses, should: weights, minimumShouldMatch: Math.max(1, minimum) });
}

export function zeroTermsWeight(zeroTerms: 'none' | 'all', use: ClauseUse): Weight {
  return zeroTerms === 'all' ? allDocsWeight(use.boost) : NONE_WEIGHT;
}

export function matchPhraseWeight(ctx: CompileContext, query: MatchPhraseQuery, use: ClauseUse): Weight {
  const field = ctx.mapping.field(query.field);
  if (!field) return NONE_WEIGHT;
  if (field.kind !== 'text') return termLevelWeight(ctx, field.path, query.value, use);
  const tokens = analyzeQueryText(searchAnalyzer(ctx, field, query.analyzer), String(query.value));
  const [first] = tokens;
  if (!first) return zeroTermsWeight(query.zeroTerms, use);
  const isPrefix = query.kind === 'matchPhrasePrefix';
  if (tokens.length === 1) {
    if (isPrefix)
      return anyTermWeight(ctx, field.path, termsWithPrefix(ctx, field.path, first.term, query.maxExpansions), use);
    return termWeight(ctx.statistics, { field: field.path, term: first.term, ...use, docFreq: null });
  }
  if (!field.hasPositions) {
    throw illegalArgument(`field:[${field.path}] was indexed without position data; cannot run PhraseQuery`);
  }
  const terms = tokens.map(({ term, position }, i) => {
    const isExpanded = isPrefix && i === tokens.length - 1;
    const offset = position - first.position;
    return { terms: isExpanded ? termsWithPrefix(ctx, field.path, term, query.maxExpansions) : [term], offset };
  });
  if (terms.some((place) => place.terms.length === 0)) return NONE_WEIGHT;
  return phraseWeight(ctx.statistics, { field: field.path, terms, slop: query.slop, ...use });
}

/** A phrase of one place: any of the terms that may stand there. */
function anyTermWeight(ctx: CompileContext, field: string, terms: readonly Uint8Array[], use: ClauseUse): Weight {
  const should = terms.map((term) => termWeight(ctx.statistics, { field, term, ...use, docFreq: null }));
  return booleanWeight({ must: [], filter: [], should, mustNot: [], minimumShouldMatch: 1 });
}

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
