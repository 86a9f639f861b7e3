/**
 * A part of a parsed query text, and what the parts around it must know of it.
 */
import { type BoolQuery, MATCH_ALL, type Query } from '@shoal/query';

export interface Piece {
  readonly query: Query;
  /**
   * The query as optional clauses, one a position of the text: what `minimum_should_match` counts. null: it counts as one,
   * since it is a single term, a phrase, or its fields are combined by the best of them.
   */
  readonly clauses: (() => readonly Query[]) | null;
}

/** What a text becomes; null: the analyzer left nothing of it, so that it asks for nothing. */
export type MaybePiece = Piece | null;

export const BASE = { boost: 1, name: null } as const;

export function pieceOf(query: Query): Piece {
  return { query, clauses: null };
}

export function boosted(piece: MaybePiece, boost: number): MaybePiece {
  if (piece === null) return null;
  const { query } = piece;
  return { ...piece, query: { ...query, boost: Math.fround(query.boost * boost) } };
}

interface BoolParts {
  readonly must: readonly Query[];
  readonly should: readonly Query[];
  readonly mustNot: readonly Query[];
}

/** Exclusions alone mean all other documents. */
export function boolOf({ must, should, mustNot }: BoolParts): BoolQuery {
  const isNegative = must.length + should.length === 0;
  const filter = isNegative ? [MATCH_ALL] : [];
  return { kind: 'bool', must, filter, should, mustNot, minimumShouldMatch: null, ...BASE };
}

/**
 * The whole text with `minimum_should_match`, which counts the optional clauses of the outermost level and nothing else.
 *
 * @param isAnd whether words without operators are all required, so that none of them is optional
 */
export function withMinimum({ query, clauses }: Piece, minimum: string | null, isAnd: boolean): Query {
  if (minimum === null) return query;
  if (query.kind === 'bool') return { ...query, minimumShouldMatch: minimum };
  if (clauses === null) return query;
  const parts = clauses();
  const bool = isAnd ? { must: parts, should: [] } : { must: [], should: parts };
  return { ...boolOf({ ...bool, mustNot: [] }), minimumShouldMatch: minimum, boost: query.boost };
}
