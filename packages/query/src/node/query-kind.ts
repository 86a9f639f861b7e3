/**
 * The contract of a kind of query: how its node is parsed from request JSON, read from a decoded message, and walked.
 */
import type { ItemReader, JsonNode, ValueReader } from '@shoal/core';
import type { QueryNode } from './query-node.ts';

/** Parses a query inside the one that is being parsed, one level deeper. */
export type ParseInner = (node: JsonNode) => QueryNode;

/** Reads a query inside the one that is being read, one level deeper. */
export type ReadInner = ItemReader<QueryNode>;

export interface QueryKind<N extends QueryNode> {
  /** `kind` of its nodes. */
  readonly kind: N['kind'];
  /** @param name the name in the request, for errors and for kinds that have several */
  parse(node: JsonNode, name: string, parseInner: ParseInner): N;
  /** Trusts nothing: the value was sent by another node. Its inverse is the identity, since nodes are plain data. */
  read(r: ValueReader, readInner: ReadInner): N;
  /** Queries directly inside `query`, in the order of the request. */
  inner(query: N): readonly QueryNode[];
}

/** A name in requests that makes no node of its own: it stands for the query inside it. */
export interface QueryAlias {
  readonly kind: null;
  parse(node: JsonNode, name: string, parseInner: ParseInner): QueryNode;
}

/** `inner` of kinds that hold no queries. */
export function noInner(): readonly QueryNode[] {
  return [];
}
