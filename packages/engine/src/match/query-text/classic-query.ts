/**
 * `query_string` and `q=` on a shard: the text is parsed here, since its fields and analyzers are the index's.
 */
import { illegalArgument, isShoalError, ShoalError } from '@shoal/core';
import { MATCH_ALL, type Query, type QueryStringQuery } from '@shoal/query';
import { timeZone, typedIndexSettings } from '@shoal/schema';
import { fieldType } from '../../field-types/field-types.ts';
import { maxEdits } from '../compile/compile-fuzzy.ts';
import { defaultFields } from '../compile/compile-multi-match.ts';
import { checkRegexpLength } from '../compile/compile-patterns.ts';
import { type CompileContext, queryShardError } from '../context/compile-context.ts';
import { parseRewrite } from '../term-sets/rewritten-terms.ts';
import { queryTextError, syntaxError } from './classic-errors.ts';
import { type ClassicLeaves, parseClassic } from './classic-parser.ts';
import {
  fuzzyLeaf,
  type PatternOptions,
  prefixLeaf,
  type RangeEnds,
  rangeLeaf,
  regexpLeaf,
  wildcardLeaf,
} from './pattern-leaves.ts';
import { BASE, type MaybePiece, pieceOf, withMinimum } from './piece.ts';
import { type FieldBoosts, queriesOfFields, resolveField, resolveFields, suffixedFields } from './resolved-fields.ts';
import { bestOf, type TextOptions, textPiece } from './text-leaves.ts';

const EXISTS = '_exists_';

export function classicQuery(ctx: CompileContext, query: QueryStringQuery): Query {
  checkOptions(ctx, query);
  const isAnd = query.operator === 'and';
  const text = query.isEscaped ? query.text.replace(/[\\+\-!():^[\]"{}~*?|&/]/g, '\\$&') : query.text;
  const leaves = new Leaves(ctx, query);
  const options = { operator: query.operator, countsWords: query.minimumShouldMatch !== null };
  try {
    return withMinimum(parseClassic(text, leaves.defaultField, leaves, options), query.minimumShouldMatch, isAnd);
  } catch (error) {
    if (!isShoalError(error) || !SYNTAX_ERRORS.has(error.type)) throw error;
    throw queryTextError(ctx, query.text, text, error);
  }
}

const SYNTAX_ERRORS: ReadonlySet<string> = new Set(['parse_exception', 'token_mgr_error']);

/** @throws ShoalError for options that mean nothing here, whether the text has a use for them or not */
function checkOptions(ctx: CompileContext, query: QueryStringQuery): void {
  const { analyzer, quoteAnalyzer } = query;
  if (analyzer !== null && !ctx.analyzers.get(analyzer)) {
    throw queryShardError(ctx.shard, `[query_string] analyzer [${analyzer}] not found`);
  }
  if (quoteAnalyzer !== null && !ctx.analyzers.get(quoteAnalyzer)) {
    throw queryShardError(ctx.shard, `[query_string] quote_analyzer [${quoteAnalyzer}] not found`);
  }
  if (query.timeZone !== null) timeZone(query.timeZone);
  if (query.rewrite !== null) parseRewrite(query.rewrite);
  if (query.fuzzyRewrite !== null) parseRewrite(query.fuzzyRewrite);
}

class Leaves implements ClassicLeaves {
  /** Field of words without one; null: the listed ones. */
  readonly defaultField: string | null;
  private readonly ctx: CompileContext;
  private readonly query: QueryStringQuery;
  private readonly listed: FieldBoosts;
  private readonly words: TextOptions;
  private readonly patterns: PatternOptions;

  constructor(ctx: CompileContext, query: QueryStringQuery) {
    this.ctx = ctx;
    this.query = query;
    const given = query.fields.length > 0 ? query.fields : defaultFields(ctx);
    const isAll = query.fields.length === 0 && given.length === 1 && given[0]?.pattern === '*';
    this.defaultField = query.defaultField ?? (isAll ? '*' : null);
    this.listed = this.defaultField === null ? resolveFields(ctx, given, null) : new Map();
    const searchesAll =
      this.defaultField === '*' || (query.defaultField === null && given.some((f) => f.pattern === '*'));
    const isLenient = query.isLenient ?? (searchesAll || typedIndexSettings(ctx.settings).isQueryStringLenient);
    const { analyzer, operator, type, phraseSlop: slop, phrasesSynonyms } = query;
    const tieBreaker = query.tieBreaker ?? (type === 'most_fields' || type === 'bool_prefix' ? 1 : 0);
    this.words = { analyzer, operator, type, tieBreaker, slop, isLenient, phrasesSynonyms };
    this.patterns = { ...query, isLenient, isAnd: operator === 'and' };
  }

  text(field: string | null, text: string): MaybePiece {
    if (field === EXISTS) return exists(text);
    const range = field === null ? null : this.comparison(field, text);
    if (range !== null) return this.range(field, range);
    return textPiece(this.ctx, this.words, this.fields(field, false), text);
  }

  /** `>5`, `<=2024-01-01`, and a day in the time zone of the request. */
  private comparison(field: string, text: string): RangeEnds | null {
    if (text.length < 2) return null;
    const [, operator, orEqual, value = ''] = /^([<>])(=(?=[\s\S]))?([\s\S]+)$/.exec(text) ?? [];
    const isIncluded = orEqual !== undefined;
    if (operator === '>') return { from: value, includesFrom: isIncluded, to: null, includesTo: true };
    if (operator === '<') return { from: null, includesFrom: true, to: value, includesTo: isIncluded };
    const mapping = this.ctx.mapping.field(field);
    const isDate = mapping !== null && fieldType(mapping.kind).numbers === 'instant';
    return isDate && this.query.timeZone !== null
      ? { from: text, includesFrom: true, to: text, includesTo: true }
      : null;
  }

  quoted(field: string | null, text: string, slop: number | null): MaybePiece {
    if (field === EXISTS) return exists(text);
    const { words, query } = this;
    const analyzer = query.quoteAnalyzer ?? query.analyzer;
    const options: TextOptions = { ...words, analyzer, type: 'phrase', slop: slop ?? words.slop };
    return textPiece(this.ctx, options, this.fields(field, true), text);
  }

  fuzzy(field: string | null, text: string, similarity: string): MaybePiece {
    const edits = similarity === '' ? maxEdits(this.query.fuzziness, [...text].length) : editsOf(similarity, text);
    return this.each(field, (name) => fuzzyLeaf(this.ctx, this.patterns, name, text, edits));
  }

  prefix(field: string | null, text: string): MaybePiece {
    return this.each(field, (name) => prefixLeaf(this.ctx, this.patterns, name, text));
  }

  wildcard(field: string | null, text: string): MaybePiece {
    if (text === '*' && field !== null) return field === '*' ? pieceOf(MATCH_ALL) : exists(field);
    return this.each(field, (name) => {
      if (text === '*') return { kind: 'exists', field: name, ...BASE };
      if (!this.query.allowsLeadingWildcards && /^[*?]/.test(text) && this.ctx.mapping.field(name) !== null) {
        throw syntaxError("'*' or '?' not allowed as first character in WildcardQuery");
      }
      return wildcardLeaf(this.ctx, this.patterns, name, text);
    });
  }

  regexp(field: string | null, text: string): MaybePiece {
    checkRegexpLength(this.ctx.settings, text, '[query_string]');
    return this.each(field, (name) => regexpLeaf(this.ctx, this.patterns, name, text));
  }

  range(field: string | null, ends: RangeEnds): MaybePiece {
    const open = (end: string | null): string | null => (end === '*' ? null : end);
    const { from, to } = ends;
    return this.each(field, (name) =>
      rangeLeaf(this.ctx, this.patterns, name, { ...ends, from: open(from), to: open(to) }),
    );
  }

  /** The best of what each field makes of it. */
  private each(field: string | null, make: (name: string) => Query | null): MaybePiece {
    const fields = this.fields(field, false);
    const queries = queriesOfFields(fields, make);
    if (queries.length === 0 && fields.size > 0) return null;
    return pieceOf(bestOf(queries, this.words.tieBreaker));
  }

  private fields(field: string | null, isQuoted: boolean): FieldBoosts {
    const suffix = isQuoted ? this.query.quoteFieldSuffix : null;
    if (field !== null) return resolveField(this.ctx, field, suffix);
    return suffix === null ? this.listed : suffixedFields(this.ctx, this.listed, suffix);
  }
}

function exists(field: string): MaybePiece {
  return pieceOf({ kind: 'exists', field, ...BASE });
}

/** Edits that `~` and a text behind it allow; numbers below 1 are no share of the word, as they were once. */
function editsOf(similarity: string, word: string): number {
  const fuzziness = similarity.toUpperCase();
  if (fuzziness.startsWith('AUTO')) return maxEdits(fuzziness, [...word].length);
  const number = Number(fuzziness);
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(fuzziness)) {
    throw new ShoalError('number_format_exception', 400, `For input string: "${fuzziness}"`);
  }
  if (number < 0) throw illegalArgument(`Valid edit distances are [0, 1, 2] but was [${fuzziness}]`);
  return Math.min(2, Math.trunc(number));
}
