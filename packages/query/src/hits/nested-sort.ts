/**
 * `nested` of a sort: documents are ordered by values of the nested objects inside them.
 */
import {
  type ItemReader,
  illegalArgument,
  isShoalError,
  type JsonNode,
  parsingException,
  ValueReader,
} from '@shoal/core';
import { readInteger, readString } from '../members/request-values.ts';
import type { ParseInner, ReadInner } from '../node/query-kind.ts';
import type { QueryNode } from '../node/query-node.ts';

export interface NestedSort {
  readonly path: string;
  /** Objects that count; null: all. */
  readonly filter: QueryNode | null;
  /** Objects with a value that are looked at in each document, the first ones; null: all. */
  readonly maxChildren: number | null;
  /** Objects inside these, whose values are meant; null: these themselves. */
  readonly nested: NestedSort | null;
}

/** Objects within objects. */
const DEPTH_MAX = 20;
/** Greatest "max_children": the default, which means all. */
const CHILDREN_MAX = 0x7fff_ffff;

export function parseNestedSort(node: JsonNode, parseInner: ParseInner, depth = 0): NestedSort {
  if (node.kind !== 'object') throw illegalArgument('malformed nested sort format, must start with an object');
  if (depth > DEPTH_MAX) throw illegalArgument(`nested sorts nest deeper than [${DEPTH_MAX}]`);
  let path: string | null = null;
  let filter: QueryNode | null = null;
  let maxChildren: number | null = null;
  let nested: NestedSort | null = null;
  for (const { name, value } of node.members) {
    if (name === 'path') path = readString(value, name);
    else if (name === 'filter') filter = filterOf(value, parseInner);
    else if (name === 'max_children') maxChildren = maxChildrenOf(readInteger(value, name));
    else if (name === 'nested') nested = parseNestedSort(value, parseInner, depth + 1);
    else throw illegalArgument(`malformed nested sort format, unknown field name [${name}]`);
  }
  if (path === null) throw illegalArgument('malformed nested sort format, [path] is missing');
  return { path, filter, maxChildren, nested };
}

function filterOf(node: JsonNode, parseInner: ParseInner): QueryNode {
  try {
    return parseInner(node);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw parsingException('Expected nested_filter element.', node.at, error);
  }
}

function maxChildrenOf(count: number): number | null {
  return count === CHILDREN_MAX ? null : Math.max(0, count);
}

export function nestedSortReader(readInner: ReadInner): ItemReader<NestedSort> {
  const read = (value: unknown, path: string, depth: number): NestedSort => {
    const r = ValueReader.of(value, path);
    if (depth > DEPTH_MAX) r.refuse('nested', `a sort nested at most ${DEPTH_MAX} deep`);
    return {
      path: r.string('path'),
      filter: r.optional('filter', readInner),
      maxChildren: r.optionalInteger('maxChildren', 0, CHILDREN_MAX),
      nested: r.optional('nested', (inner, at) => read(inner, at, depth + 1)),
    };
  };
  return (value, path) => read(value, path, 0);
}
