/**
 * What a prefix, pattern, fuzzy word, regular expression or range of a query text asks of one field.
 */
import type { Analyzer } from '@shoal/analysis';
import { isShoalError } from '@shoal/core';
import { MATCH_NONE, type PatternQuery, plainPattern, type Query } from '@shoal/query';
import type { FieldMapping } from '@shoal/schema';
import { fieldType } from '../../field-types/field-types.ts';
import { isMetadataField } from '../../format/metadata-fields.ts';
import { analyzeQueryText, searchAnalyzer, termsByPosition } from '../compile/compile-full-text.ts';
import { checkFuzzyLimits } from '../compile/compile-fuzzy.ts';
import { foldedPattern } from '../compile/folded-pattern.ts';
import { hasPatterns, notForFuzzy, notForPattern } from '../compile/not-for-field.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { refuseExpensive, refuseExpensivePrefix } from '../context/refuse-expensive.ts';
import { BASE, boolOf } from './piece.ts';

/** How patterns, fuzzy words and ranges are read. */
export interface PatternOptions {
  /** null: each field's own. */
  readonly analyzer: string | null;
  readonly isAnd: boolean;
  /** True: what does not fit a field matches nothing there, and is no error. */
  readonly isLenient: boolean;
  readonly analyzesWildcards: boolean;
  readonly fuzzyPrefixLength: number;
  readonly fuzzyMaxExpansions: number;
  readonly hasFuzzyTranspositions: boolean;
  readonly fuzzyRewrite: string | null;
  readonly rewrite: string | null;
  readonly statesMax: number;
  readonly timeZone: string | null;
}

export interface RangeEnds {
  readonly from: string | null;
  readonly includesFrom: boolean;
  readonly to: string | null;
  readonly includesTo: boolean;
}

/** null: the analyzer left nothing of the text. */
export function prefixLeaf(ctx: CompileContext, options: PatternOptions, name: string, text: string): Query | null {
  return ofField(ctx, options, name, (field) => {
    if (field === null) return plainPattern('prefix', name, text);
    checkPattern(ctx, field, 'prefix');
    refuseExpensivePrefix(ctx, field, text);
    if (!isWords(field)) return patternOf(options, 'prefix', field, text);
    const analyzer = searchAnalyzer(ctx, field, options.analyzer);
    return options.analyzesWildcards
      ? analyzedPrefix(options, field, analyzer, text)
      : patternOf(options, 'prefix', field, analyzer.normalize(text));
  });
}

/** Words of a text, of which the last is a prefix. */
function analyzedPrefix(options: PatternOptions, field: FieldMapping, analyzer: Analyzer, text: string): Query | null {
  const positions = termsByPosition(analyzeQueryText(analyzer, text));
  const queries = positions.map((terms, i): Query => {
    const alternatives = terms.map((bytes): Query => {
      const term = Buffer.from(bytes).toString('utf8');
      return i === positions.length - 1
        ? patternOf(options, 'prefix', field, term)
        : { kind: 'term', field: field.path, value: term, isCaseInsensitive: false, ...BASE };
    });
    const [only] = alternatives;
    return alternatives.length === 1 && only ? only : boolOf({ must: [], should: alternatives, mustNot: [] });
  });
  const [only] = queries;
  if (only === undefined) return null;
  if (queries.length === 1) return only;
  return options.isAnd
    ? boolOf({ must: queries, should: [], mustNot: [] })
    : boolOf({ must: [], should: queries, mustNot: [] });
}

/** @param text with `*`, `?` and escapes as written */
export function wildcardLeaf(ctx: CompileContext, options: PatternOptions, name: string, text: string): Query {
  return ofField(ctx, options, name, (field) => {
    if (field === null) return plainPattern('wildcard', name, text);
    checkPattern(ctx, field, 'wildcard');
    refuseExpensive(ctx, 'wildcard');
    const isForced = options.analyzer !== null && (options.analyzesWildcards || isWords(field));
    if (!isForced && !isWords(field)) return patternOf(options, 'wildcard', field, text);
    return patternOf(options, 'wildcard', field, foldedPattern(ctx, field, options.analyzer, text));
  });
}

export function regexpLeaf(ctx: CompileContext, options: PatternOptions, name: string, text: string): Query {
  return ofField(ctx, options, name, (field) => {
    if (field === null) return plainPattern('regexp', name, text);
    checkPattern(ctx, field, 'regexp');
    const { analyzer } = options;
    return patternOf(
      options,
      'regexp',
      field,
      analyzer === null ? text : searchAnalyzer(ctx, field, analyzer).normalize(text),
    );
  });
}

/** @param edits as `fuzziness` writes them */
export function fuzzyLeaf(
  ctx: CompileContext,
  options: PatternOptions,
  name: string,
  text: string,
  edits: number,
): Query {
  return ofField(ctx, options, name, (field) => {
    if (field === null) return MATCH_NONE;
    if (!hasPatterns(field)) throw notForFuzzy(field);
    refuseExpensive(ctx, 'fuzzy');
    const { fuzzyPrefixLength: prefixLength, fuzzyMaxExpansions: maxExpansions } = options;
    checkFuzzyLimits({ prefixLength, maxExpansions });
    return {
      kind: 'fuzzy',
      field: field.path,
      value: searchAnalyzer(ctx, field, options.analyzer).normalize(text),
      fuzziness: String(edits),
      prefixLength,
      maxExpansions,
      hasTranspositions: options.hasFuzzyTranspositions,
      rewrite: options.fuzzyRewrite,
      ...BASE,
    };
  });
}

export function rangeLeaf(ctx: CompileContext, options: PatternOptions, name: string, ends: RangeEnds): Query {
  return ofField(ctx, options, name, (field) => {
    const { timeZone } = options;
    const plain = { format: null, timeZone, relation: 'intersects' } as const;
    if (field === null) return { ...ends, kind: 'range', field: name, ...plain, ...BASE };
    if (fieldType(field.kind).textQueries !== 'none') refuseExpensive(ctx, 'range');
    const analyzer = searchAnalyzer(ctx, field, options.analyzer);
    const end = (text: string | null): string | null => (text === null ? null : analyzer.normalize(text));
    const range = { ...ends, from: end(ends.from), to: end(ends.to), ...plain };
    // Read here, so that an end that does not fit the field is found where errors may be no matches.
    fieldType(field.kind).range(field, range, ctx.clock);
    return { ...range, kind: 'range', field: field.path, ...BASE };
  });
}

/** @param make told null for a field of every document, which has no mapping */
function ofField<T extends Query | null>(
  ctx: CompileContext,
  { isLenient }: PatternOptions,
  name: string,
  make: (field: FieldMapping | null) => T,
): T | Query {
  const field = ctx.mapping.field(name);
  if (field === null && !isMetadataField(name)) return MATCH_NONE;
  try {
    return make(field);
  } catch (error) {
    if (isLenient && isShoalError(error)) return MATCH_NONE;
    throw error;
  }
}

function isWords({ kind }: FieldMapping): boolean {
  return fieldType(kind).textQueries === 'words';
}

function checkPattern(ctx: CompileContext, field: FieldMapping, pattern: PatternQuery['kind']): void {
  if (!hasPatterns(field)) throw notForPattern(ctx, field, pattern);
}

function patternOf(
  options: PatternOptions,
  kind: PatternQuery['kind'],
  { path }: FieldMapping,
  text: string,
): PatternQuery {
  const { rewrite, statesMax } = options;
  return { ...plainPattern(kind, path, text), rewrite, statesMax };
}
