/**
 * What a word, several words or a quoted text of a query text asks of the fields it is searched in.
 */
import { illegalArgument } from '@shoal/core';
import { MATCH_NONE, type MultiMatchQuery, type MultiMatchType, type Operator, type Query } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { fieldType } from '../../field-types/field-types.ts';
import { isMetadataField } from '../../format/metadata-fields.ts';
import {
  analyzeQueryText,
  endsInWord,
  isWholeValue,
  quoteAnalyzer,
  searchAnalyzer,
  termsByPosition,
} from '../compile/compile-full-text.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { BASE, boolOf, type MaybePiece, pieceOf } from './piece.ts';
import type { FieldBoosts } from './resolved-fields.ts';

/** How texts are analysed and their fields combined. */
export interface TextOptions {
  /** null: each field's own. */
  readonly analyzer: string | null;
  readonly operator: Operator;
  readonly type: MultiMatchType;
  /** Share of the fields that are not the best one. */
  readonly tieBreaker: number;
  readonly slop: number;
  /** True: a value that does not fit a field matches nothing there, and is no error. */
  readonly isLenient: boolean;
  /** A synonym of several words matches where they are a phrase. */
  readonly phrasesSynonyms: boolean;
}

interface SearchedField {
  readonly field: FieldMapping;
  readonly boost: number;
  /** Distinct terms by position of the text; none: the analyzer left nothing of it. */
  readonly positions: readonly (readonly string[])[];
  /** Whether the last word may go on, where the type takes it for a prefix. */
  readonly endsInWord: boolean;
}

/** Terms that the last word of a phrase prefix may stand for, which query texts cannot change. */
const PHRASE_PREFIX_EXPANSIONS = 50;

export function textPiece(ctx: CompileContext, options: TextOptions, fields: FieldBoosts, text: string): MaybePiece {
  const metadata = [...fields].flatMap(([name, boost]) =>
    isMetadataField(name) && ctx.mapping.field(name) === null ? [termQuery(name, text, boost)] : [],
  );
  const mapped = [...fields].flatMap(([path, boost]): SearchedField[] => {
    const field = ctx.mapping.field(path);
    return field === null ? [] : [{ field, boost, ...wordsOf(ctx, options, field, text) }];
  });
  if (mapped.length + metadata.length === 0) return pieceOf(MATCH_NONE);
  const searched = mapped.filter(({ positions }) => positions.length > 0);
  if (searched.length + metadata.length === 0) return null;
  const possible = searched.filter((one) => isPossible(options, one));
  const [first] = possible;
  if (metadata.length > 0) {
    const parts = first === undefined ? metadata : [...metadata, multiMatch(options, possible, text)];
    return pieceOf(bestOf(parts, options.tieBreaker));
  }
  if (first === undefined) return pieceOf(MATCH_NONE);
  const clauses = optionalClauses(ctx, options, possible);
  if (possible.length > 1 || searched.length > 1) return { query: multiMatch(options, possible, text), clauses };
  const query = multiMatch(options, [{ ...first, boost: 1 }], text);
  return { query: { ...query, boost: first.boost }, clauses };
}

/** The best of the queries; a single one as it is. */
export function bestOf(queries: readonly Query[], tieBreaker: number): Query {
  const [only] = queries;
  if (only === undefined) return MATCH_NONE;
  return queries.length === 1 ? only : { kind: 'disMax', queries, tieBreaker, ...BASE };
}

function wordsOf(
  ctx: CompileContext,
  { analyzer, type }: TextOptions,
  field: FieldMapping,
  text: string,
): Pick<SearchedField, 'positions' | 'endsInWord'> {
  if (isWholeValue(field, analyzer)) return { positions: [[text]], endsInWord: true };
  const tokens = analyzeQueryText((isPhrase(type) ? quoteAnalyzer : searchAnalyzer)(ctx, field, analyzer), text);
  const positions = termsByPosition(tokens).map((terms) => terms.map((term) => Buffer.from(term).toString('utf8')));
  return { positions, endsInWord: endsInWord(tokens, text) };
}

function isWords({ kind }: FieldMapping): boolean {
  return fieldType(kind).textQueries === 'words';
}

function isPhrase(type: MultiMatchType): boolean {
  return type === 'phrase' || type === 'phrase_prefix';
}

/** @throws ShoalError for a phrase whose words cannot be apart by what is asked for, unless such errors are no matches */
function isPossible({ type, slop, isLenient }: TextOptions, { field, positions }: SearchedField): boolean {
  if (slop >= 0 || !isPhrase(type) || !isWords(field) || positions.length < 2) return true;
  if (isLenient) return false;
  throw illegalArgument(`Slop must be >= 0, got ${slop}`);
}

function multiMatch(options: TextOptions, searched: readonly SearchedField[], text: string): MultiMatchQuery {
  return {
    kind: 'multiMatch',
    value: text,
    fields: searched.map(({ field, boost }) => ({ pattern: field.path, boost })),
    type: options.type,
    tieBreaker: options.tieBreaker,
    slop: Math.max(0, options.slop),
    operator: options.operator,
    minimumShouldMatch: null,
    analyzer: options.analyzer,
    fuzziness: null,
    fuzzyRewrite: null,
    prefixLength: 0,
    maxExpansions: PHRASE_PREFIX_EXPANSIONS,
    hasTranspositions: true,
    isLenient: options.isLenient,
    zeroTerms: 'none',
    phrasesSynonyms: options.phrasesSynonyms,
    ...BASE,
  };
}

/** One query a position, where the text in its fields is a combination of positions and nothing else. */
function optionalClauses(
  ctx: CompileContext,
  options: TextOptions,
  searched: readonly SearchedField[],
): (() => readonly Query[]) | null {
  const [first] = searched;
  if (first === undefined || first.positions.length < 2 || isPhrase(options.type)) return null;
  const { positions } = first;
  const blended = { ...options, analyzer: 'keyword' };
  if (options.type === 'cross_fields') {
    const analyzers = new Set(searched.map(({ field }) => searchAnalyzer(ctx, field, options.analyzer).name));
    if (analyzers.size > 1) return null;
    return () =>
      positions.map((terms) =>
        bestOf(
          terms.map((term) => multiMatch(blended, searched, term)),
          0,
        ),
      );
  }
  if (searched.length > 1) return null;
  const { type } = options;
  const single = { ...first, boost: 1 };
  return () =>
    positions.map((terms, i) => {
      const isPrefix = type === 'bool_prefix' && first.endsInWord && i === positions.length - 1;
      const one: TextOptions = { ...blended, type: isPrefix ? type : 'best_fields' };
      const queries = terms.map((term) => multiMatch(one, [single], term));
      const [only] = queries;
      return queries.length === 1 && only ? only : boolOf({ must: [], should: queries, mustNot: [] });
    });
}

function termQuery(field: string, value: string, boost: number): Query {
  return { kind: 'term', field, value, isCaseInsensitive: false, boost, name: null };
}
