/**
 * `match_all`: every document, each with the score of its boost.
 */
import { parseBare } from '../../members/bare-query.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface MatchAllQuery extends QueryNode {
  readonly kind: 'matchAll';
}

/** Query of a request that has none. */
export const MATCH_ALL: MatchAllQuery = { kind: 'matchAll', boost: 1, name: null };

export const matchAll: QueryKind<MatchAllQuery> = {
  kind: 'matchAll',
  parse: (node, name) => ({ kind: 'matchAll', ...parseBare(node, name) }),
  read: (r) => ({ kind: 'matchAll', ...readBase(r) }),
  inner: noInner,
};
