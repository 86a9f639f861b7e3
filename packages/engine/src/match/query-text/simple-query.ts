/**
 * `simple_query_string` on a shard: the text is parsed here, since its fields and analyzers are the index's.
 */
import { REGEXP_STATES_DEFAULT } from '@shoal/automata';
import type { Query, SimpleQueryStringQuery } from '@shoal/query';
import { defaultFields } from '../compile/compile-multi-match.ts';
import { type CompileContext, queryShardError } from '../context/compile-context.ts';
import { fuzzyLeaf, type PatternOptions, prefixLeaf } from './pattern-leaves.ts';
import { type MaybePiece, pieceOf, withMinimum } from './piece.ts';
import { type FieldBoosts, queriesOfFields, resolveFields, suffixedFields } from './resolved-fields.ts';
import { parseSimple, type SimpleLeaves } from './simple-parser.ts';
import { bestOf, type TextOptions, textPiece } from './text-leaves.ts';

export function simpleQuery(ctx: CompileContext, query: SimpleQueryStringQuery): Query {
  const { analyzer, operator, minimumShouldMatch } = query;
  if (analyzer !== null && !ctx.analyzers.get(analyzer)) {
    throw queryShardError(ctx.shard, `[simple_query_string] analyzer [${analyzer}] not found`);
  }
  const piece = parseSimple(query.text, query.operators, operator, new Leaves(ctx, query));
  // A boost of the field covers its words, and so hides them.
  const counted = piece.query.boost === 1 ? piece : pieceOf(piece.query);
  return withMinimum(counted, minimumShouldMatch, operator === 'and');
}

class Leaves implements SimpleLeaves {
  private readonly ctx: CompileContext;
  private readonly query: SimpleQueryStringQuery;
  private readonly fields: FieldBoosts;
  private readonly words: TextOptions;
  private readonly patterns: PatternOptions;

  constructor(ctx: CompileContext, query: SimpleQueryStringQuery) {
    this.ctx = ctx;
    this.query = query;
    const given = query.fields.length > 0 ? query.fields : defaultFields(ctx);
    this.fields = resolveFields(ctx, given, null);
    const searchesAll = given.some(({ pattern }) => pattern === '*');
    const isLenient = query.isLenient ?? searchesAll;
    const { analyzer, operator, phrasesSynonyms } = query;
    this.words = { analyzer, operator, type: 'most_fields', tieBreaker: 1, slop: 0, isLenient, phrasesSynonyms };
    const unused = { fuzzyRewrite: null, rewrite: null, statesMax: REGEXP_STATES_DEFAULT, timeZone: null };
    this.patterns = { ...query, ...unused, isLenient, isAnd: operator === 'and' };
  }

  text(text: string): MaybePiece {
    return textPiece(this.ctx, this.words, this.fields, text);
  }

  phrase(text: string, slop: number): MaybePiece {
    const { quoteFieldSuffix } = this.query;
    const fields = quoteFieldSuffix === null ? this.fields : suffixedFields(this.ctx, this.fields, quoteFieldSuffix);
    return textPiece(this.ctx, { ...this.words, type: 'phrase', tieBreaker: 0, slop }, fields, text);
  }

  fuzzy(text: string, edits: number): MaybePiece {
    return this.each((name) => fuzzyLeaf(this.ctx, this.patterns, name, text, edits));
  }

  prefix(text: string): MaybePiece {
    return this.each((name) => prefixLeaf(this.ctx, this.patterns, name, text));
  }

  /** The fields together: each one adds to the score. */
  private each(make: (name: string) => Query | null): MaybePiece {
    return pieceOf(bestOf(queriesOfFields(this.fields, make), 1));
  }
}
