/**
 * Analysed queries on one field: match, match_phrase and their prefix forms.
 */

import type { Analyzer } from '@shoal/analysis';
import { assert, illegalArgument, ShoalError } from '@shoal/core';
import type { FullTextOptions, MatchPhraseQuery, MatchQuery, QueryValue } from '@shoal/query';
import { type FieldMapping, sideFieldKind } from '@shoal/schema';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import { queryAnalyzer } from '../../field-types/contract/field-analyzer.ts';
import { checkIndexed } from '../../field-types/contract/field-type.ts';
import { fieldType } from '../../field-types/field-types.ts';
import { isMetadataField } from '../../format/metadata-fields.ts';
import { allDocsWeight } from '../bits/constant-weight.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, utf8Bytes } from '../context/compile-context.ts';
import { preparedWeight } from '../context/prepared-weight.ts';
import { refuseExpensivePrefix, refuseRuntimeField } from '../context/refuse-expensive.ts';
import { booleanWeight } from '../scorers/boolean-weight.ts';
import { phraseWeight } from '../scorers/phrase-weight.ts';
import { synonymWeight } from '../scorers/synonym-weight.ts';
import { termWeight } from '../scorers/term-weight.ts';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';
import { docsOfPrefix } from '../term-sets/multi-term-docs.ts';
import { NONE_WEIGHT, noneWeight, type Weight } from '../weight/weight.ts';
import { type FuzzyOptions, fuzzyWeight } from './compile-fuzzy.ts';
import { termLevelWeight } from './compile-term-level.ts';
import { failedWeight, lenientWeight } from './lenient-weight.ts';
import { minimumShouldMatch } from './minimum-should-match.ts';
import { normalizedWords, normalizerOf } from './normalized-value.ts';
import { notForFuzzy, notForPattern, notForPhrase, notForPhrasePrefix } from './not-for-field.ts';
import { phraseOfRuns, runsWeight } from './phrase-runs.ts';
import { expansionsOf, phrasePrefixText, withPrefixes } from './prefix-terms.ts';
import { type GraphToken, graphParts, graphWays, isGraph } from './token-graph.ts';

export interface QueryToken extends GraphToken {
  /** UTF-16 position behind its last character in the text. */
  readonly end: number;
}

export function analyzeQueryText(analyzer: Analyzer, text: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  let position = -1;
  analyzer.analyze(text, (term, _start, end, increment, _type, attributes) => {
    position += increment;
    if (tokens.length >= CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
    tokens.push({ term: utf8Bytes(term), position, end, positionLength: attributes?.positionLength ?? 1 });
  });
  return tokens;
}

/** Distinct terms of each position, in the order of the text. */
export function termsByPosition(tokens: readonly QueryToken[]): readonly (readonly Uint8Array[])[] {
  const positions: Uint8Array[][] = [];
  let last = -1;
  for (const { term, position } of tokens) {
    const terms = positions.at(-1);
    if (terms === undefined || position !== last) positions.push([term]);
    else if (!terms.some((known) => compareBytes(known, 0, known.length, term) === 0)) terms.push(term);
    last = position;
  }
  return positions;
}

export function searchAnalyzer(ctx: CompileContext, field: FieldMapping, given: string | null): Analyzer {
  if (given !== null) return namedAnalyzer(ctx, given);
  if (fieldType(field.kind).textQueries !== 'words') return wholeAnalyzer(ctx, field);
  return queryAnalyzer(field, namedAnalyzer(ctx, field.searchAnalyzer));
}

/** Analyzer of texts for whole values: one value as its normalizer makes it, or one between each two spaces. */
function wholeAnalyzer(ctx: CompileContext, field: FieldMapping): Analyzer {
  const normalizer = normalizerOf(ctx, field);
  if (!field.splitsQueries) return normalizer ?? namedAnalyzer(ctx, 'keyword');
  const words = namedAnalyzer(ctx, 'whitespace');
  return normalizer === null ? words : normalizedWords(words, normalizer);
}

function namedAnalyzer(ctx: CompileContext, name: string): Analyzer {
  const analyzer = ctx.analyzers.get(name);
  if (!analyzer) throw illegalArgument(`[match] analyzer [${name}] not found`);
  return analyzer;
}

/** Analyzer of a phrase: the field's own for texts in quotes. */
export function quoteAnalyzer(ctx: CompileContext, field: FieldMapping, given: string | null): Analyzer {
  return searchAnalyzer(ctx, field, given ?? (field.searchQuoteAnalyzer || null));
}

/** Whether a text for the field is one value as it stands. */
export function isWholeValue(field: FieldMapping, analyzer: string | null): boolean {
  if (fieldType(field.kind).textQueries === 'words') return false;
  return analyzer === null ? !field.splitsQueries : analyzer === 'keyword';
}

/** Whether the last word of a text is one that may go on: nothing stands behind it, and no other at its position. */
export function endsInWord(tokens: readonly QueryToken[], text: string): boolean {
  const last = tokens.at(-1);
  return last !== undefined && last.end === text.length && tokens.at(-2)?.position !== last.position;
}

export function matchWeight(ctx: CompileContext, query: MatchQuery, use: ClauseUse): Weight {
  const field = ctx.mapping.field(query.field);
  if (!field) return metadataMatchWeight(ctx, query, use);
  refuseRuntimeField(ctx, field);
  const isPrefix = query.kind === 'matchBoolPrefix';
  if (isWholeValue(field, query.analyzer)) {
    if (!isPrefix || fieldType(field.kind).textQueries === 'none') {
      return valueWeight(ctx, field, query.value, query, use);
    }
    refuseExpensivePrefix(ctx, field, String(query.value));
    checkIndexed(field);
    return prefixWeight(ctx, field.path, utf8Bytes(String(query.value)), use);
  }
  const text = String(query.value);
  const tokens = analyzeQueryText(searchAnalyzer(ctx, field, query.analyzer), text);
  if (tokens.length === 0) return zeroTermsWeight(query.zeroTerms, use);
  if (isGraph(tokens)) {
    if (isPrefix) throw illegalArgument('[match_bool_prefix] does not take synonyms of several words');
    return graphWeight(ctx, field, tokens, query, use);
  }
  const isLastPrefix = isPrefix && endsInWord(tokens, text);
  const positions = termsByPosition(tokens);
  const weights = positions.map((terms, i) => {
    const [only] = terms;
    return isLastPrefix && i === positions.length - 1 && only !== undefined
      ? wordPrefixWeight(ctx, field, only, query, use)
      : positionWeight(ctx, field, terms, query, use);
  });
  return combineTerms(weights, query);
}

/** A text with synonyms of several words: each part of its graph is one optional or required clause, as a word is elsewhere. */
function graphWeight(
  ctx: CompileContext,
  field: FieldMapping,
  tokens: readonly QueryToken[],
  query: MatchQuery,
  use: ClauseUse,
): Weight {
  const weights = graphParts(tokens).map((part) => {
    if (part.kind === 'words') return positionWeight(ctx, field, part.terms, query, use);
    return anyWeight(part.ways.map((way) => wayWeight(ctx, field, way, query, use)));
  });
  return combineTerms(weights, query);
}

/** One way through a part: a word, a phrase of words, or all of them in any places. */
function wayWeight(
  ctx: CompileContext,
  field: FieldMapping,
  way: readonly Uint8Array[],
  query: MatchQuery,
  use: ClauseUse,
): Weight {
  const asPhrase = way.length > 1 && query.phrasesSynonyms && fieldType(field.kind).textQueries === 'words';
  if (asPhrase) return wordsPhraseWeight(ctx, field, way, 0, use);
  return combineTerms(
    way.map((term) => positionWeight(ctx, field, [term], query, use)),
    { operator: 'and', minimumShouldMatch: null },
  );
}

/** Words one behind the other; a single one is a word. */
export function wordsPhraseWeight(
  ctx: CompileContext,
  field: FieldMapping,
  words: readonly Uint8Array[],
  slop: number,
  use: ClauseUse,
): Weight {
  const [only] = words;
  if (words.length === 1 && only !== undefined) {
    return termWeight(ctx.statistics, { field: field.path, term: only, ...use, docFreq: null });
  }
  checkPositions(field);
  const terms = words.map((term, offset) => ({ terms: [term], offset }));
  return phraseWeight(ctx.statistics, { field: field.path, terms, slop, ...use });
}

/** 400: phrases need positions. */
function checkPositions({ path, hasPositions }: FieldMapping): void {
  if (!hasPositions) throw withoutPositions(path);
}

function withoutPositions(path: string): ShoalError {
  const reason = `field:[${path}] was indexed without position data; cannot run PhraseQuery`;
  return new ShoalError('illegal_state_exception', 400, reason);
}

/** A text for a field that no mapping declares: values of the fields of every index, or of none. */
function metadataMatchWeight(ctx: CompileContext, query: MatchQuery | MatchPhraseQuery, use: ClauseUse): Weight {
  const { field, value, analyzer } = query;
  if (!isMetadataField(field)) return noneWeight(`unmapped fields [${field}]`);
  if (query.kind === 'matchPhrasePrefix') throw notForPhrasePrefix({ path: field, kind: field });
  if (analyzer === null) return termLevelWeight(ctx, field, value, use);
  const terms = termsByPosition(analyzeQueryText(namedAnalyzer(ctx, analyzer), String(value))).flat();
  if (terms.length === 0) return zeroTermsWeight(query.zeroTerms, use);
  const weights = terms.map((term) => termLevelWeight(ctx, field, utf8Text(term), use));
  return combineTerms(weights, 'operator' in query ? query : { operator: 'and', minimumShouldMatch: null });
}

/** Documents with a term of the field that starts with `prefix`, all with the same score. */
function prefixWeight(ctx: CompileContext, field: string, prefix: Uint8Array, use: ClauseUse): Weight {
  return preparedWeight(ctx, null, (view) => docsOfPrefix(view, field, prefix), use, `${field}:${utf8Text(prefix)}*`);
}

function wordPrefixWeight(
  ctx: CompileContext,
  field: FieldMapping,
  prefix: Uint8Array,
  { isLenient }: Pick<MatchQuery, 'isLenient'>,
  use: ClauseUse,
): Weight {
  if (fieldType(field.kind).textQueries !== 'none') {
    return lenientWeight(isLenient, field.path, () => {
      refuseExpensivePrefix(ctx, field, utf8Text(prefix));
      return prefixWeight(ctx, field.path, prefix, use);
    });
  }
  const failure = notForPattern(ctx, field, 'prefix');
  if (isLenient) return failedWeight(field.path, failure);
  throw failure;
}

/** One position of the text: its term, or any of the terms that the analyzer puts there. */
function positionWeight(
  ctx: CompileContext,
  field: FieldMapping,
  terms: readonly Uint8Array[],
  query: MatchQuery,
  use: ClauseUse,
): Weight {
  const [first, ...others] = terms;
  const { path } = field;
  const { textQueries } = fieldType(field.kind);
  assert(first !== undefined, `a position of the query on ${path} has no term`);
  if (others.length > 0 && textQueries !== 'none') return synonymWeight(ctx.statistics, { field: path, terms, ...use });
  if (textQueries !== 'words') {
    return anyOf(terms.map((term) => valueWeight(ctx, field, utf8Text(term), query, use)));
  }
  const { fuzziness } = query;
  if (fuzziness !== null) return nearWeight(ctx, path, utf8Text(first), query, use);
  return termWeight(ctx.statistics, { field: path, term: first, ...use, docFreq: null });
}

/** A whole value, or those near it. */
function valueWeight(
  ctx: CompileContext,
  field: FieldMapping,
  value: QueryValue,
  query: MatchQuery,
  use: ClauseUse,
): Weight {
  const { fuzziness } = query;
  if (fuzziness === null) return lenientTerm(ctx, field, value, query.isLenient, use);
  if (fieldType(field.kind).textQueries !== 'none') {
    return nearWeight(ctx, field.path, String(value), query, use);
  }
  const failure = notForFuzzy(field);
  if (query.isLenient) return failedWeight(field.path, failure);
  throw failure;
}

function anyOf(weights: readonly Weight[]): Weight {
  const [only] = weights;
  return weights.length === 1 && only ? only : anyWeight(weights);
}

/** Any of several. */
export function anyWeight(should: readonly Weight[]): Weight {
  return booleanWeight({ must: [], filter: [], should, mustNot: [], minimumShouldMatch: 1 });
}

/** Words near the given one. */
function nearWeight(ctx: CompileContext, path: string, word: string, query: MatchQuery, use: ClauseUse): Weight {
  const options: FuzzyOptions = { ...query, fuzziness: query.fuzziness ?? '0', rewrite: query.fuzzyRewrite };
  return lenientWeight(query.isLenient, path, () => fuzzyWeight(ctx, path, word, options, use));
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
  return lenientWeight(isLenient, field.path, () => termLevelWeight(ctx, field.path, value, use));
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

const NO_TERMS: Weight = noneWeight('Matching no documents because no terms present');

export function zeroTermsWeight(zeroTerms: 'none' | 'all', use: ClauseUse): Weight {
  return zeroTerms === 'all' ? allDocsWeight(use.boost) : NO_TERMS;
}

export function matchPhraseWeight(ctx: CompileContext, query: MatchPhraseQuery, use: ClauseUse): Weight {
  const field = ctx.mapping.field(query.field);
  if (!field) return metadataMatchWeight(ctx, query, use);
  const isPrefix = query.kind === 'matchPhrasePrefix';
  if (fieldType(field.kind).textQueries !== 'words') {
    if (isPrefix) throw notForPhrasePrefix(field);
    return valuePhraseWeight(ctx, field, query, use);
  }
  const side = sideFieldKind(field);
  if (side !== null && isPrefix) throw notForPhrasePrefix({ path: field.path, kind: side });
  // Words of the query are those of the text, which fields of beginnings and pairs have as terms of one word at best.
  const asked = side === null ? field : { ...field, grams: null };
  const tokens = analyzeQueryText(quoteAnalyzer(ctx, asked, query.analyzer), String(query.value));
  const [first] = tokens;
  if (!first) return zeroTermsWeight(query.zeroTerms, use);
  if (isGraph(tokens)) {
    if (isPrefix) throw illegalArgument('[match_phrase_prefix] does not take synonyms of several words');
    return anyWeight(graphWays(tokens).map((way) => wordsPhraseWeight(ctx, field, way, query.slop, use)));
  }
  const positions = termsByPosition(tokens);
  const [onlyTerms = []] = positions;
  if (positions.length === 1) {
    if (isPrefix) {
      const found = withPrefixes(ctx, field.path, onlyTerms, expansionsOf(field, query));
      const plainText = phrasePrefixText(field.path, positions, query.slop);
      return { ...anyTermWeight(ctx, field.path, found, use), plainText };
    }
    if (onlyTerms.length > 1) return synonymWeight(ctx.statistics, { field: field.path, terms: onlyTerms, ...use });
    return termWeight(ctx.statistics, { field: field.path, term: first.term, ...use, docFreq: null });
  }
  if (side !== null) throw notForPhrase({ path: field.path, kind: side });
  const runs = isPrefix || query.slop > 0 ? null : phraseOfRuns(field, tokens);
  if (runs !== null) return runsWeight(ctx, runs, use);
  checkPositions(field);
  const offsets = [...new Set(tokens.map(({ position }) => position - first.position))];
  assert(
    offsets.length === positions.length,
    `${offsets.length} offsets of ${positions.length} positions on ${field.path}`,
  );
  const terms = positions.map((alternatives, i) => {
    const isExpanded = isPrefix && i === positions.length - 1;
    const expanded = isExpanded
      ? withPrefixes(ctx, field.path, alternatives, expansionsOf(field, query))
      : alternatives;
    return { terms: expanded, offset: offsets[i] ?? 0 };
  });
  const plain = isPrefix ? { plainText: phrasePrefixText(field.path, positions, query.slop) } : {};
  if (terms.some((place) => place.terms.length === 0)) return { ...NONE_WEIGHT, ...plain };
  return { ...phraseWeight(ctx.statistics, { field: field.path, terms, slop: query.slop, ...use }), ...plain };
}

/** A phrase of a field that has no positions: one value. */
function valuePhraseWeight(
  ctx: CompileContext,
  field: FieldMapping,
  { value, analyzer, zeroTerms }: MatchPhraseQuery,
  use: ClauseUse,
): Weight {
  if (isWholeValue(field, analyzer)) return termLevelWeight(ctx, field.path, value, use);
  const positions = termsByPosition(analyzeQueryText(searchAnalyzer(ctx, field, analyzer), String(value)));
  const [terms] = positions;
  if (terms === undefined) return zeroTermsWeight(zeroTerms, use);
  if (positions.length === 1) return anyOf(terms.map((term) => termLevelWeight(ctx, field.path, utf8Text(term), use)));
  if (fieldType(field.kind).textQueries !== 'none') throw withoutPositions(field.path);
  throw notForPhrase(field);
}

/** A phrase of one place: any of the terms that may stand there. */
function anyTermWeight(ctx: CompileContext, field: string, terms: readonly Uint8Array[], use: ClauseUse): Weight {
  return anyWeight(terms.map((term) => termWeight(ctx.statistics, { field, term, ...use, docFreq: null })));
}
