/**
 * `has_parent`: children whose parent matches a query.
 */
import { illegalArgument, type JsonNode, type ValueReader } from '@shoal/core';
import { type InnerHits, innerHitsReader, parseInnerHits } from '../../hits/inner-hits.ts';
import { readBoolean, readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import type { ParseInner, QueryKind, ReadInner } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

export interface HasParentQuery extends QueryNode {
  readonly kind: 'hasParent';
  /** Kind of the parents. */
  readonly parentType: string;
  readonly query: QueryNode;
  /** Children have the score of their parent; false: the boost. */
  readonly takesScore: boolean;
  /** An index without such parents matches nothing, instead of being an error. */
  readonly ignoreUnmapped: boolean;
  /** null: the parents that match are not shown. */
  readonly innerHits: InnerHits | null;
}

function parseHasParent(node: JsonNode, name: string, parseInner: ParseInner): HasParentQuery {
  let [parentType, query]: [string | null, QueryNode | null] = [null, null];
  let [takesScore, ignoreUnmapped, boost] = [false, false, 1];
  let innerHits: InnerHits | null = null;
  let queryName: string | null = null;
  for (const member of readObject(node, name).members) {
    const { value } = member;
    if (member.name === 'query') query = parseInner(value);
    else if (member.name === 'parent_type') parentType = readString(value, 'parent_type');
    else if (member.name === 'score') takesScore = readBoolean(value, 'score');
    else if (member.name === 'ignore_unmapped') ignoreUnmapped = readBoolean(value, 'ignore_unmapped');
    else if (member.name === 'inner_hits') innerHits = parseInnerHits(value, parseInner);
    else if (member.name === 'boost') boost = readNumber(value, 'boost');
    else if (member.name === '_name') queryName = readString(value, '_name');
    else throw unsupported(name, member);
  }
  if (parentType === null) throw illegalArgument(`[${name}] requires 'parent_type' field`);
  if (query === null) throw illegalArgument(`[${name}] requires 'query' field`);
  return { kind: 'hasParent', parentType, query, takesScore, ignoreUnmapped, innerHits, boost, name: queryName };
}

function readHasParent(r: ValueReader, readInner: ReadInner): HasParentQuery {
  return {
    kind: 'hasParent',
    parentType: r.string('parentType'),
    query: r.item('query', readInner),
    takesScore: r.boolean('takesScore'),
    ignoreUnmapped: r.boolean('ignoreUnmapped'),
    innerHits: r.optional('innerHits', innerHitsReader(readInner)),
    ...readBase(r),
  };
}

export const hasParent: QueryKind<HasParentQuery> = {
  kind: 'hasParent',
  parse: parseHasParent,
  read: readHasParent,
  inner: ({ query }) => [query],
};
