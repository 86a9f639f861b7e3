/**
 * Span queries: `span_term`, `span_near` and their kin. One node holds the tree of spans.
 */
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';
import { parseSpan } from './parse-span.ts';
import { readSpan } from './read-span.ts';
import type { Span } from './span-tree.ts';

export interface SpanQuery extends QueryNode {
  readonly kind: 'span';
  readonly span: Span;
}

export const span: QueryKind<SpanQuery> = {
  kind: 'span',
  parse: (node, query) => ({ kind: 'span', ...parseSpan(node, query, 0) }),
  read: (r) => ({ kind: 'span', span: readSpan(r.object('span')), ...readBase(r) }),
  inner: noInner,
};
