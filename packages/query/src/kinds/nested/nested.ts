/**
 * `nested`: documents with a nested object that a query matches.
 */
import { illegalArgument, type JsonNode, type ValueReader } from '@shoal/core';
import { type InnerHits, innerHitsReader, parseInnerHits } from '../../hits/inner-hits.ts';
import { readBoolean, readNumber, readObject, readString, unsupported } from '../../members/request-values.ts';
import type { ParseInner, QueryKind, ReadInner } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';

/** The score of a document from those of its nested objects that match; `none`: 0. */
export const SCORE_MODES = ['none', 'min', 'max', 'sum', 'avg'] as const;

export type NestedScoreMode = (typeof SCORE_MODES)[number];

export interface NestedQuery extends QueryNode {
  readonly kind: 'nested';
  readonly path: string;
  readonly query: QueryNode;
  readonly scoreMode: NestedScoreMode;
  /** A path that is no nested object matches nothing, instead of being an error. */
  readonly ignoreUnmapped: boolean;
  /** null: the nested objects that match are not shown. */
  readonly innerHits: InnerHits | null;
}

function parseNested(node: JsonNode, name: string, parseInner: ParseInner): NestedQuery {
  let query: QueryNode | null = null;
  let path: string | null = null;
  let scoreMode: NestedScoreMode = 'avg';
  let ignoreUnmapped = false;
  let boost = 1;
  let innerHits: InnerHits | null = null;
  let queryName: string | null = null;
  for (const member of readObject(node, name).members) {
    if (member.name === 'query' && member.value.kind === 'object') query = parseInner(member.value);
    else if (member.name === 'path') path = readString(member.value, 'path');
    else if (member.name === 'score_mode') scoreMode = readScoreMode(readString(member.value, 'score_mode'));
    else if (member.name === 'ignore_unmapped') ignoreUnmapped = readBoolean(member.value, 'ignore_unmapped');
    else if (member.name === 'boost') boost = readNumber(member.value, 'boost');
    else if (member.name === '_name') queryName = readString(member.value, '_name');
    else if (member.name === 'inner_hits') innerHits = parseInnerHits(member.value, parseInner);
    else if (member.name !== 'query' || member.value.kind !== 'null') throw unsupported(name, member);
  }
  if (path === null) throw illegalArgument("[nested] requires 'path' field");
  if (query === null) throw illegalArgument("[nested] requires 'query' field");
  return { kind: 'nested', path, query, scoreMode, ignoreUnmapped, innerHits, boost, name: queryName };
}

function readScoreMode(text: string): NestedScoreMode {
  const mode = SCORE_MODES.find((candidate) => candidate === text);
  if (mode === undefined) throw illegalArgument(`No score mode for child query [${text}] found`);
  return mode;
}

function readNested(r: ValueReader, readInner: ReadInner): NestedQuery {
  return {
    kind: 'nested',
    path: r.string('path'),
    query: r.item('query', readInner),
    scoreMode: r.oneOf('scoreMode', SCORE_MODES),
    ignoreUnmapped: r.boolean('ignoreUnmapped'),
    innerHits: r.optional('innerHits', innerHitsReader(readInner)),
    ...readBase(r),
  };
}

export const nested: QueryKind<NestedQuery> = {
  kind: 'nested',
  parse: parseNested,
  read: readNested,
  inner: ({ query }) => [query],
};
