/**
 * `has_child`: parents of which so many children match a query.
 */
import { illegalArgument, type JsonNode, type ValueReader } from '@shoal/core';
import { type InnerHits, innerHitsReader, parseInnerHits } from '../../hits/inner-hits.ts';
import {
  readBoolean,
  readInteger,
  readNumber,
  readObject,
  readString,
  unsupported,
} from '../../members/request-values.ts';
import type { Mutable } from '../../node/mutable.ts';
import type { ParseInner, QueryKind, ReadInner } from '../../node/query-kind.ts';
import { type QueryNode, readBase } from '../../node/query-node.ts';
import { type NestedScoreMode, SCORE_MODES } from '../nested/nested.ts';

/** Greatest "max_children": the default, which means all. */
const CHILDREN_MAX = 0x7fff_ffff;

export interface HasChildQuery extends QueryNode {
  readonly kind: 'hasChild';
  /** Kind of the children. */
  readonly type: string;
  readonly query: QueryNode;
  /** The score of a parent from those of its children; `none`: the boost. */
  readonly scoreMode: NestedScoreMode;
  /** Matching children that a parent must have; 0 as 1: without any it does not match. */
  readonly minChildren: number;
  /** Matching children that a parent may have. */
  readonly maxChildren: number;
  /** An index without such children matches nothing, instead of being an error. */
  readonly ignoreUnmapped: boolean;
  /** null: the children that match are not shown. */
  readonly innerHits: InnerHits | null;
}

function parseHasChild(node: JsonNode, name: string, parseInner: ParseInner): HasChildQuery {
  let [type, query]: [string | null, QueryNode | null] = [null, null];
  const given: Mutable<Omit<HasChildQuery, 'type' | 'query'>> = {
    kind: 'hasChild',
    scoreMode: 'none',
    minChildren: 1,
    maxChildren: CHILDREN_MAX,
    ignoreUnmapped: false,
    innerHits: null,
    boost: 1,
    name: null,
  };
  for (const member of readObject(node, name).members) {
    const { value } = member;
    if (member.name === 'query') query = parseInner(value);
    else if (member.name === 'type') type = readString(value, 'type');
    else if (member.name === 'score_mode') given.scoreMode = readScoreMode(readString(value, 'score_mode'));
    else if (member.name === 'min_children')
      given.minChildren = notNegative('min_children', readInteger(value, 'min_children'));
    else if (member.name === 'max_children')
      given.maxChildren = notNegative('max_children', readInteger(value, 'max_children'));
    else if (member.name === 'ignore_unmapped') given.ignoreUnmapped = readBoolean(value, 'ignore_unmapped');
    else if (member.name === 'inner_hits') given.innerHits = parseInnerHits(value, parseInner);
    else if (member.name === 'boost') given.boost = readNumber(value, 'boost');
    else if (member.name === '_name') given.name = readString(value, '_name');
    else throw unsupported(name, member);
  }
  if (type === null) throw illegalArgument(`[${name}] requires 'type' field`);
  if (query === null) throw illegalArgument(`[${name}] requires 'query' field`);
  if (given.maxChildren < given.minChildren) {
    throw illegalArgument(`[${name}] 'max_children' is less than 'min_children'`);
  }
  return { ...given, type, query };
}

function notNegative(name: string, count: number): number {
  if (count < 0) throw illegalArgument(`[has_child] requires non-negative '${name}' field`);
  return Math.min(count, CHILDREN_MAX);
}

function readScoreMode(text: string): NestedScoreMode {
  const mode = SCORE_MODES.find((candidate) => candidate === text);
  if (mode === undefined) throw illegalArgument(`No score mode for child query [${text}] found`);
  return mode;
}

function readHasChild(r: ValueReader, readInner: ReadInner): HasChildQuery {
  const minChildren = r.integer('minChildren', 0, CHILDREN_MAX);
  return {
    kind: 'hasChild',
    type: r.string('type'),
    query: r.item('query', readInner),
    scoreMode: r.oneOf('scoreMode', SCORE_MODES),
    minChildren,
    maxChildren: r.integer('maxChildren', minChildren, CHILDREN_MAX),
    ignoreUnmapped: r.boolean('ignoreUnmapped'),
    innerHits: r.optional('innerHits', innerHitsReader(readInner)),
    ...readBase(r),
  };
}

export const hasChild: QueryKind<HasChildQuery> = {
  kind: 'hasChild',
  parse: parseHasChild,
  read: readHasChild,
  inner: ({ query }) => [query],
};
