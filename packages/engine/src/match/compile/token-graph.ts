/**
 * A query's tokens as a graph: where synonyms of several words stand beside others, each way through them is one of its own.
 *
 * Nodes are positions; a token is an edge from its position to the one behind its length. Between two nodes that every way
 * passes there is either one word, with others in its place, or several ways.
 */
import { illegalArgument } from '@shoal/core';
import { CLAUSES_MAX } from '../term-sets/clause-limits.ts';

/** A token as far as the graph needs it. */
export interface GraphToken {
  readonly term: Uint8Array;
  readonly position: number;
  /** Positions that it spans, at least 1. */
  readonly positionLength: number;
}

/** What stands between two nodes that every way through the text passes. */
export type GraphPart =
  | { readonly kind: 'words'; readonly terms: readonly Uint8Array[] }
  | { readonly kind: 'ways'; readonly ways: readonly (readonly Uint8Array[])[] };

/** Whether a token spans several positions: else a text is a list of positions and needs no graph. */
export function isGraph(tokens: readonly GraphToken[]): boolean {
  return tokens.some(({ positionLength }) => positionLength > 1);
}

/** Parts of the text from left to right. @throws ShoalError for more ways than a query may have clauses */
export function graphParts(tokens: readonly GraphToken[]): readonly GraphPart[] {
  const parts: GraphPart[] = [];
  let group: GraphToken[] = [];
  let end = -1;
  for (const token of [...tokens].sort((a, b) => a.position - b.position)) {
    if (token.position >= end && group.length > 0) {
      parts.push(partOf(group));
      group = [];
    }
    group.push(token);
    end = Math.max(end, token.position + token.positionLength);
  }
  if (group.length > 0) parts.push(partOf(group));
  return parts;
}

/** All ways through the whole text. @throws ShoalError for more ways than a query may have clauses */
export function graphWays(tokens: readonly GraphToken[]): readonly (readonly Uint8Array[])[] {
  return waysThrough(tokens);
}

function partOf(group: readonly GraphToken[]): GraphPart {
  const [first] = group;
  const isOnePosition = group.every(
    ({ position, positionLength }) => position === first?.position && positionLength === first.positionLength,
  );
  if (!isOnePosition) return { kind: 'ways', ways: waysThrough(group) };
  const distinct = new Map(group.map(({ term }) => [Buffer.from(term).toString('latin1'), term]));
  return { kind: 'words', terms: [...distinct.values()] };
}

function waysThrough(tokens: readonly GraphToken[]): readonly (readonly Uint8Array[])[] {
  const byPosition = new Map<number, GraphToken[]>();
  for (const token of tokens) {
    const others = byPosition.get(token.position);
    if (others === undefined) byPosition.set(token.position, [token]);
    else others.push(token);
  }
  const positions = [...byPosition.keys()].sort((a, b) => a - b);
  // Where a word was removed nothing begins: a way goes on at the next node.
  const nodeFrom = (position: number): number | null => positions.find((at) => at >= position) ?? null;
  const ways: Uint8Array[][] = [];
  const pending: { readonly node: number | null; readonly terms: readonly Uint8Array[] }[] = [];
  pending.push({ node: positions[0] ?? null, terms: [] });
  for (let way = pending.pop(); way !== undefined; way = pending.pop()) {
    if (way.node === null) {
      if (ways.length >= CLAUSES_MAX) throw illegalArgument(`maxClauseCount is set to ${CLAUSES_MAX}`);
      ways.push([...way.terms]);
      continue;
    }
    for (const token of [...(byPosition.get(way.node) ?? [])].reverse()) {
      pending.push({ node: nodeFrom(token.position + token.positionLength), terms: [...way.terms, token.term] });
    }
  }
  return ways;
}
