/**
 * The contract of a kind of query on a shard: how it is compiled, told in a profile, and marked in a highlight.
 */
import type { InnerHits, QueryNode } from '@shoal/query';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import type { ClauseUse } from '../context/clause-use.ts';
import type { CompileContext } from '../context/compile-context.ts';
import type { MarkSink } from '../marks/marks.ts';
import type { Weight } from '../weight/weight.ts';

/** Compiles a query inside the one that is being compiled; its own boost is applied here. */
export type CompileInner = (ctx: CompileContext, query: QueryNode, use: ClauseUse) => Weight;

export interface QueryDescription {
  /** Name of the kind, as Lucene's classes are called. */
  readonly type: string;
  /** The query in the notation of query strings, without its boost. */
  readonly text: string;
}

/** Documents that a query finds inside its matches, or related to them. */
export interface InnerDocs {
  /** Hands on those of one match, segment by segment, ascending in each. Scores are 0 where none are wanted. */
  visit(view: SegmentView, doc: number, take: (view: SegmentView, doc: number, score: number) => void): void;
}

/** Inner hits of a query on a shard. */
export interface InnerHitsSource {
  /** Under which they are shown. */
  readonly name: string;
  readonly hits: InnerHits;
  /** What they match. */
  readonly query: QueryNode;
  /** Context in which that query is compiled. */
  readonly ctx: CompileContext;
  readonly docs: InnerDocs;
}

export interface QueryBehaviour<N extends QueryNode> {
  /**
   * @param use has the boost of the query in it already
   * @throws ShoalError what is wrong with the query on this shard; the caller names the index
   */
  compile(ctx: CompileContext, query: N, use: ClauseUse, compileInner: CompileInner): Weight;
  /**
   * False where the shard rules out every match by what it knows without a look at its documents: names, mapping, and the least
   * and greatest value of a column. Left out by kinds that always may match.
   */
  canMatch?(ctx: CompileContext, query: N, canInnerMatch: (inner: QueryNode) => boolean): boolean;
  /**
   * Documents that the query shows with its matches; null where it shows none. Left out by kinds that never show any, in which
   * queries inside may.
   */
  innerHits?(ctx: CompileContext, query: N, compileInner: CompileInner): InnerHitsSource | null;
  /** @param textOf text of a query inside, with its boost */
  describe(query: N, textOf: (inner: QueryNode) => string): QueryDescription;
  /** Tells the sink the words that the query looks for; what must not match is not marked. */
  mark(query: N, sink: MarkSink, markInner: (inner: QueryNode) => void): void;
}

/** Inner hits are ordered by their scores, or show them. */
export function showsScores({ sort, tracksScores }: InnerHits): boolean {
  return sort.length === 0 || tracksScores || sort.some(({ kind }) => kind === 'score');
}

/** Use of a clause that only says which documents match. */
export const UNSCORED: ClauseUse = { boost: 1, isScored: false };

/** `mark` of kinds that look at no words. */
export function markNothing(): void {}
