/**
 * Token filter `flatten_graph`: a graph of tokens as positions that an index can hold: ways of different length past the same words
 * are laid beside each other, from the start of each.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { Token } from '../../tokens/token.ts';

export const flattenGraph: TokenFilterType = {
  type: 'flatten_graph',
  options: [],
  create: () => ({ name: 'flatten_graph', inSynonymRules: 'skipped', transform: flattened }),
};

/** A token between two nodes of the graph, which are numbered as its ways pass them. */
interface Edge {
  readonly token: Token;
  readonly from: number;
  readonly to: number;
}

function* flattened(tokens: Iterable<Token>): Iterable<Token> {
  const edges: Edge[] = [];
  let from = -1;
  for (const token of tokens) {
    from += token.increment;
    edges.push({ token, from, to: from + token.positionLength });
  }
  const positions = positionsOf(edges);
  const placed = edges.map(({ token, from, to }) => {
    const position = positions.get(from) ?? from;
    return { token, position, end: positions.get(to) ?? position + 1 };
  });
  const starts = new Map<number, number>();
  const ends = new Map<number, number>();
  for (const { token, position, end } of placed) {
    starts.set(position, Math.max(token.start, starts.get(position) ?? 0));
    ends.set(end, Math.min(token.end, ends.get(end) ?? Number.POSITIVE_INFINITY));
  }
  placed.sort((a, b) => a.position - b.position);
  let last = -1;
  // Offsets never go back.
  let startMin = 0;
  for (const { token, position, end } of placed) {
    startMin = Math.max(startMin, starts.get(position) ?? token.start);
    const offsets = { start: startMin, end: ends.get(end) ?? token.end };
    yield { ...token, ...offsets, increment: position - last, positionLength: Math.max(1, end - position) };
    last = position;
  }
}

/** Position of each node: behind all that lead to it; a gap before it stays as wide as it was. */
function positionsOf(edges: readonly Edge[]): ReadonlyMap<number, number> {
  const nodes = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const incoming = new Map<number, number[]>();
  for (const { from, to } of edges) incoming.set(to, [...(incoming.get(to) ?? []), from]);
  const positions = new Map<number, number>();
  let previous: number | null = null;
  for (const node of nodes) {
    const sources = incoming.get(node);
    const before = previous === null ? node : (positions.get(previous) ?? 0) + (node - previous);
    const position =
      sources === undefined ? before : Math.max(...sources.map((from) => (positions.get(from) ?? 0) + 1));
    positions.set(node, position);
    previous = node;
  }
  return positions;
}
