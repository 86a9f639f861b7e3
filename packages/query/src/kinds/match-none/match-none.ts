/**
 * `match_none`: no document.
 */
import { parseBare } from '../../members/bare-query.ts';
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface MatchNoneQuery extends QueryNode {
  readonly kind: 'matchNone';
}

export const MATCH_NONE: MatchNoneQuery = { kind: 'matchNone', boost: 1, name: null };

export const matchNone: QueryKind<MatchNoneQuery> = {
  kind: 'matchNone',
  parse: (node, name) => ({ kind: 'matchNone', ...parseBare(node, name) }),
  read: (r) => ({ kind: 'matchNone', ...readBase(r) }),
  inner: noInner,
};
