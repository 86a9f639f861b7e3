/**
 * The contract of a kind of query on a shard: how it is compiled, told in a profile, and marked in a highlight.
 */
import type { QueryNode } from '@shoal/query';
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
  /** @param textOf text of a query inside, with its boost */
  describe(query: N, textOf: (inner: QueryNode) => string): QueryDescription;
  /** Tells the sink the words that the query looks for; what must not match is not marked. */
  mark(query: N, sink: MarkSink, markInner: (inner: QueryNode) => void): void;
}

/** Use of a clause that only says which documents match. */
export const UNSCORED: ClauseUse = { boost: 1, isScored: false };

/** `mark` of kinds that look at no words. */
export function markNothing(): void {}
