/**
 * Span queries: `span_term`, `span_near` and their kin. One node holds the tree of spans.
 */
import { type ItemReader, type JsonNode, ValueReader } from '@shoal/core';
import type { QueryKind } from '../../node/query-kind.ts';
import { LIST_ENTRIES_MAX, type QueryNode, readBase } from '../../node/query-node.ts';
import { parseSpan } from './parse-span.ts';
import { readSpan } from './read-span.ts';
import type { NamedSpan, Span } from './span-tree.ts';

export interface SpanQuery extends QueryNode {
  readonly kind: 'span';
  readonly span: Span;
  /** Those inside `span` that have a name; they match by themselves. */
  readonly named: readonly NamedSpan[];
}

function parseSpanQuery(node: JsonNode, query: string): SpanQuery {
  const named: NamedSpan[] = [];
  return { kind: 'span', ...parseSpan(node, query, { depth: 0, named }), named };
}

const readNamed: ItemReader<NamedSpan> = (value, path) => {
  const r = ValueReader.of(value, path);
  return { name: r.string('name'), span: readSpan(r.object('span')) };
};

export const span: QueryKind<SpanQuery> = {
  kind: 'span',
  parse: parseSpanQuery,
  read: (r) => ({
    kind: 'span',
    span: readSpan(r.object('span')),
    named: r.list('named', readNamed, LIST_ENTRIES_MAX),
    ...readBase(r),
  }),
  inner: ({ named }) => named.map(({ name, span: one }) => ({ kind: 'span', span: one, named: [], boost: 1, name })),
};
