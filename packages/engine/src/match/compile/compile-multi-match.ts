/**
 * One text over several fields: the best of them, their sum, or all of them as if they were one.
 *
 * `cross_fields` gives a term the same rarity in every field, so that a name common in one field and rare in another is
 * not found by its rarity; after Elasticsearch's blended term query, figure for figure.
 */
import { FloatNumber, inJavaHashOrder } from '@shoal/core';
import type { BoostedField, MatchPhraseQuery, MatchQuery, MultiMatchQuery } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { fieldType } from '../../field-types/field-types.ts';
import { isMetadataField } from '../../format/metadata-fields.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import { type CompileContext, fieldsMatching } from '../context/compile-context.ts';
import { checkTieBreaker, disMaxWeight } from '../scorers/boolean-weight.ts';
import { termWeight } from '../scorers/term-weight.ts';
import { boostedWeight, NONE_WEIGHT, noneWeight, type Weight } from '../weight/weight.ts';
import {
  analyzeQueryText,
  combineTerms,
  lenientTerm,
  matchPhraseWeight,
  matchWeight,
  searchAnalyzer,
  termsByPosition,
  zeroTermsWeight,
} from './compile-full-text.ts';
import { lenientWeight } from './lenient-weight.ts';

interface SearchedField {
  readonly field: FieldMapping;
  readonly boost: number;
}

export function multiMatchWeight(ctx: CompileContext, query: MultiMatchQuery, use: ClauseUse): Weight {
  const isEverything = query.fields.length === 0 || query.fields.some(({ pattern }) => pattern === '*');
  const fields = searchedFields(ctx, query.fields);
  const lenient = isEverything ? { ...query, isLenient: true } : query;
  const ofMetadata = query.fields.flatMap(({ pattern, boost }) =>
    isMetadataField(pattern) && ctx.mapping.field(pattern) === null
      ? [
          lenientWeight(lenient.isLenient, pattern, () =>
            metadataWeight(ctx, lenient, pattern, { ...use, boost: use.boost * boost }),
          ),
        ]
      : [],
  );
  if (fields.length + ofMetadata.length === 0) return noneWeight('unmapped fields []');
  if (query.type === 'cross_fields' && ofMetadata.length === 0) return crossFieldsWeight(ctx, lenient, fields, use);
  const weights = fields.map(({ field, boost }) => {
    return boostedWeight(oneFieldWeight(ctx, lenient, field, { ...use, boost: use.boost * boost }), boost);
  });
  const tieBreaker = query.tieBreaker ?? defaultTieBreaker(query);
  if (weights.length + ofMetadata.length > 1) checkTieBreaker(tieBreaker);
  return disMaxWeight([...ofMetadata, ...weights], tieBreaker);
}

/** A field of every index: its values are not cut into words. */
function metadataWeight(ctx: CompileContext, query: MultiMatchQuery, field: string, use: ClauseUse): Weight {
  return matchWeight(ctx, { ...query, kind: 'match', field, boost: 1, name: null }, use);
}

function defaultTieBreaker({ type }: MultiMatchQuery): number {
  return type === 'most_fields' || type === 'bool_prefix' ? 1 : 0;
}

/** Fields by name or pattern, each once; the index's default fields when none is named. */
export function searchedFields(ctx: CompileContext, given: readonly BoostedField[]): SearchedField[] {
  const patterns = given.length > 0 ? given : defaultFields(ctx);
  const found = new Map<string, SearchedField>();
  for (const { pattern, boost } of patterns) {
    for (const field of fieldsMatching(ctx.mapping, pattern)) {
      const known = found.get(field.path);
      found.set(field.path, { field, boost: known ? known.boost * boost : boost });
    }
  }
  return inJavaHashOrder(found.keys()).flatMap((path) => found.get(path) ?? []);
}

/** Fields of a text without any: `index.query.default_field`, or all. */
export function defaultFields(ctx: CompileContext): BoostedField[] {
  const single = ctx.settings['index.query.default_field'];
  if (single !== undefined) return single.split(',').map((pattern) => ({ pattern, boost: 1 }));
  const listed: BoostedField[] = [];
  for (let i = 0; ; i++) {
    const pattern = ctx.settings[`index.query.default_field.${i}`];
    if (pattern === undefined) break;
    listed.push({ pattern, boost: 1 });
  }
  return listed.length > 0 ? listed : [{ pattern: '*', boost: 1 }];
}

function oneFieldWeight(ctx: CompileContext, query: MultiMatchQuery, field: FieldMapping, use: ClauseUse): Weight {
  if (query.type === 'phrase' || query.type === 'phrase_prefix') {
    const phrase: MatchPhraseQuery = {
      kind: query.type === 'phrase' ? 'matchPhrase' : 'matchPhrasePrefix',
      field: field.path,
      value: query.value,
      slop: query.slop,
      analyzer: query.analyzer,
      zeroTerms: query.zeroTerms,
      maxExpansions: query.maxExpansions,
      boost: 1,
      name: null,
    };
    return lenientWeight(query.isLenient, field.path, () => matchPhraseWeight(ctx, phrase, use));
  }
  const kind = query.type === 'bool_prefix' ? 'matchBoolPrefix' : 'match';
  const match: MatchQuery = { ...query, kind, field: field.path };
  return matchWeight(ctx, match, use);
}

function crossFieldsWeight(
  ctx: CompileContext,
  query: MultiMatchQuery,
  fields: readonly SearchedField[],
  use: ClauseUse,
): Weight {
  const tieBreaker = query.tieBreaker ?? 0;
  // Only fields that cut the text alike can be searched as one.
  const groups = new Map<string, SearchedField[]>();
  for (const searched of fields) {
    const { name } = searchAnalyzer(ctx, searched.field, query.analyzer);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(searched);
  }
  const weights = [...groups.values()].map((group) => groupWeight(ctx, query, group, tieBreaker, use));
  return disMaxWeight(weights, tieBreaker);
}

function groupWeight(
  ctx: CompileContext,
  query: MultiMatchQuery,
  group: readonly SearchedField[],
  tieBreaker: number,
  use: ClauseUse,
): Weight {
  const [first] = group;
  if (!first) return NONE_WEIGHT;
  if (group.length === 1) {
    return oneFieldWeight(ctx, query, first.field, { ...use, boost: use.boost * first.boost });
  }
  const strings = group.filter(({ field }) => fieldType(field.kind).textQueries !== 'none');
  const others = group.filter(({ field }) => fieldType(field.kind).textQueries === 'none');
  const tokens = analyzeQueryText(searchAnalyzer(ctx, first.field, query.analyzer), String(query.value));
  if (tokens.length === 0) return zeroTermsWeight(query.zeroTerms, use);
  const alternativesOf = (term: Uint8Array): readonly Weight[] => {
    const rest = others.map(({ field, boost }) =>
      lenientTerm(ctx, field, Buffer.from(term).toString('utf8'), query.isLenient, {
        ...use,
        boost: use.boost * boost,
      }),
    );
    return [...blendedTerms(ctx, strings, term, use), ...rest];
  };
  const perPosition = termsByPosition(tokens).map((terms) => {
    const weight = disMaxWeight(terms.flatMap(alternativesOf), tieBreaker);
    return others.length > 0 || strings.length < 2 ? weight : { ...weight, plainText: blendedText(strings, terms) };
  });
  return combineTerms(perPosition, query);
}

function blendedText(fields: readonly SearchedField[], terms: readonly Uint8Array[]): string {
  const told = terms.flatMap((term) =>
    fields.map(({ field, boost }) => {
      const text = `${field.path}:${Buffer.from(term).toString('utf8')}`;
      return boost === 1 ? text : `${text}^${String(new FloatNumber(boost))}`;
    }),
  );
  return `blended(terms:[${told.join(', ')}])`;
}

/** The term in each field, all with about the document frequency of the field where it is most frequent. */
function blendedTerms(
  ctx: CompileContext,
  fields: readonly SearchedField[],
  term: Uint8Array,
  use: ClauseUse,
): Weight[] {
  const { statistics, searcher } = ctx;
  const frequencies = fields.map(({ field }) => statistics.term(field.path, term).docFreq);
  let { maxDoc } = searcher;
  fields.forEach(({ field }, i) => {
    if (frequencies[i]) maxDoc = Math.min(maxDoc, statistics.field(field.path).sumTotalTermFreq);
  });
  const adjusted = blend(frequencies, maxDoc);
  return fields.map(({ field, boost }, i) =>
    termWeight(statistics, {
      field: field.path,
      term,
      boost: use.boost * boost,
      isScored: use.isScored,
      docFreq: adjusted[i] ?? 0,
    }),
  );
}

/**
 * Document frequencies after blending: the largest for the field that has it, one more for each rarer field, so that of
 * two equal matches the one in the field where the term is more common wins.
 */
export function blend(frequencies: readonly number[], maxDoc: number): number[] {
  const max = Math.max(0, ...frequencies);
  const order = frequencies.map((_, i) => i).sort((a, b) => (frequencies[b] ?? 0) - (frequencies[a] ?? 0) || a - b);
  const adjusted = [...frequencies];
  let actual = Math.min(maxDoc, max);
  let previous = max;
  for (const i of order) {
    const current = frequencies[i] ?? 0;
    if (current === 0) break;
    if (previous > current) actual++;
    adjusted[i] = Math.min(maxDoc, actual);
    previous = current;
  }
  return adjusted;
}
