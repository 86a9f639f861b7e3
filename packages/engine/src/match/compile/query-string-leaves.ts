/**
 * What a word, phrase, pattern or range of a query string asks of the fields it is searched in.
 */
import { type BoostedField, type MultiMatchQuery, plainPattern, type Query, type QueryStringQuery } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { fieldType } from '../../field-types/field-types.ts';
import { type CompileContext, fieldsMatching } from '../context/compile-context.ts';
import { searchAnalyzer } from './compile-full-text.ts';
import { searchedFields } from './compile-multi-match.ts';
import { checkRegexpLength } from './compile-patterns.ts';

export type LeafText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'fuzzy'; readonly text: string; readonly fuzziness: string }
  | { readonly kind: 'phrase'; readonly text: string; readonly slop: number }
  /** With `*`, `?` and escapes as written. */
  | { readonly kind: 'pattern'; readonly text: string }
  | { readonly kind: 'regexp'; readonly text: string }
  | {
      readonly kind: 'range';
      readonly from: string | null;
      readonly includesFrom: boolean;
      readonly to: string | null;
      readonly includesTo: boolean;
    };

const BASE = { boost: 1, name: null } as const;

/** `field` as named in the text; null: the fields of the query, or the default field. */
export function fieldQueries(
  ctx: CompileContext,
  query: QueryStringQuery,
  field: string | null,
  leaf: LeafText,
): Query {
  const named = field ?? query.defaultField;
  const given: readonly BoostedField[] = named === null ? query.fields : [{ pattern: named, boost: 1 }];
  // A pattern of fields finds kinds that the text does not fit.
  const isLenient = query.isLenient || given.length === 0 || given.some(({ pattern }) => pattern.includes('*'));
  if (leaf.kind === 'text' || leaf.kind === 'phrase' || leaf.kind === 'fuzzy')
    return textQuery({ ...query, isLenient }, given, leaf);
  const fields = given.length === 0 ? searchedFields(ctx, []) : given.flatMap((one) => mapped(ctx, one));
  const queries = fields.map(({ field: of, boost }) => ({ ...patternOrRange(ctx, query, of, leaf), boost }));
  const [only] = queries;
  if (!only) return { kind: 'matchNone', ...BASE };
  return queries.length === 1 ? only : { kind: 'disMax', queries, tieBreaker: query.tieBreaker ?? 0, ...BASE };
}

function mapped(ctx: CompileContext, { pattern, boost }: BoostedField): { field: FieldMapping; boost: number }[] {
  return fieldsMatching(ctx.mapping, pattern).map((field) => ({ field, boost }));
}

function textQuery(
  query: QueryStringQuery,
  fields: readonly BoostedField[],
  leaf: Extract<LeafText, { kind: 'text' | 'phrase' | 'fuzzy' }>,
): MultiMatchQuery {
  return {
    kind: 'multiMatch',
    value: leaf.text,
    fields,
    type: leaf.kind === 'phrase' ? 'phrase' : query.type,
    tieBreaker: query.tieBreaker,
    slop: leaf.kind === 'phrase' ? leaf.slop : 0,
    operator: query.operator,
    minimumShouldMatch: query.minimumShouldMatch,
    analyzer: query.analyzer,
    fuzziness: leaf.kind === 'fuzzy' ? leaf.fuzziness : null,
    fuzzyRewrite: query.fuzzyRewrite,
    prefixLength: query.fuzzyPrefixLength,
    maxExpansions: query.fuzzyMaxExpansions,
    hasTranspositions: query.hasFuzzyTranspositions,
    isLenient: query.isLenient,
    zeroTerms: 'none',
    ...BASE,
  };
}

function patternOrRange(
  ctx: CompileContext,
  query: QueryStringQuery,
  field: FieldMapping,
  leaf: Extract<LeafText, { kind: 'pattern' | 'regexp' | 'range' }>,
): Query {
  if (leaf.kind === 'range') {
    return { ...leaf, kind: 'range', field: field.path, format: null, timeZone: query.timeZone, ...BASE };
  }
  const { textQueries } = fieldType(field.kind);
  if (textQueries === 'none') return { kind: 'matchNone', ...BASE };
  if (leaf.kind === 'regexp') {
    checkRegexpLength(ctx.settings, leaf.text, 'Query String request');
    return { ...plainPattern('regexp', field.path, leaf.text), rewrite: query.rewrite, statesMax: query.statesMax };
  }
  const value = textQueries === 'words' ? foldedPattern(ctx, field, query.analyzer, leaf.text) : leaf.text;
  const isPrefix = /^[^*?\\]*\*$/.test(value);
  const pattern = plainPattern(isPrefix ? 'prefix' : 'wildcard', field.path, isPrefix ? value.slice(0, -1) : value);
  return { ...pattern, rewrite: query.rewrite };
}

/** Patterns are not cut into words, but fold case as the field's words do. */
export function foldedPattern(ctx: CompileContext, field: FieldMapping, analyzer: string | null, text: string): string {
  let folded = 'A';
  searchAnalyzer(ctx, field, analyzer).analyze('Ab', (term) => {
    folded = term;
  });
  return folded.startsWith('a') ? text.toLowerCase() : text;
}
