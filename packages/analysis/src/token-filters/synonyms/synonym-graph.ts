/**
 * Token filter `synonym_graph`: synonyms as a graph, in which each one of several words is a way of its own past the words it
 * stands for. For queries: an index has no graphs.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { Token } from '../../tokens/token.ts';
import { longestMatch, readSynonyms, SYNONYM_OPTIONS, type SynonymMatch, type SynonymNode } from './synonym-rules.ts';

export const synonymGraph: TokenFilterType = {
  type: 'synonym_graph',
  options: SYNONYM_OPTIONS,
  needsOptions: true,
  create: (options, context) => {
    const root = readSynonyms(options, context);
    return {
      name: 'synonym_graph',
      inSynonymRules: 'skipped',
      transform: (tokens) => graphOf([...tokens], root),
    };
  },
};

function* graphOf(tokens: readonly Token[], root: SynonymNode): Iterable<Token> {
  const term = (index: number): string | undefined => tokens[index]?.term;
  /** Node where the token that came out last begins, and node behind all that came out. */
  let last = -1;
  let next = 0;
  for (let at = 0; at < tokens.length; ) {
    const match = longestMatch(root, term, at);
    const token = tokens[at];
    if (match === null || token === undefined) {
      if (token !== undefined) {
        yield token;
        last += token.increment;
        next = last + token.positionLength;
      }
      at++;
      continue;
    }
    const { edges, end } = edgesOf(match, tokens.slice(at, at + match.length), next);
    for (const { from, to, made } of edges) {
      yield { ...made, increment: from - last, positionLength: to - from };
      last = from;
    }
    next = end;
    at += match.length;
  }
}

/** A token from one node of the graph to another. */
interface Edge {
  readonly from: number;
  readonly to: number;
  readonly made: Token;
}

/** Ways past a match, their first words at one node, all the others at nodes of their own. */
function edgesOf(
  match: SynonymMatch,
  matched: readonly Token[],
  start: number,
): { readonly edges: readonly Edge[]; readonly end: number } {
  const [first] = matched;
  const last = matched.at(-1);
  const synonymOf = (term: string): Token => ({
    ...{ term, start: first?.start ?? 0, end: last?.end ?? 0, increment: 1 },
    ...{ type: 'SYNONYM', positionLength: 1, isKeyword: false, payload: null },
  });
  const ways = match.outputs.map((words) => words.map(synonymOf));
  if (match.keepsOriginal) ways.push([...matched]);
  const inner = ways.reduce((sum, way) => sum + way.length - 1, 0);
  const end = start + inner + 1;
  const edges: Edge[] = [];
  const rest: Edge[] = [];
  let node = start;
  for (const way of ways) {
    const [head, ...others] = way;
    if (head === undefined) continue;
    const firstInner = node + 1;
    edges.push({ from: start, to: others.length === 0 ? end : firstInner, made: head });
    for (const [i, made] of others.entries()) {
      const from = firstInner + i;
      rest.push({ from, to: i === others.length - 1 ? end : from + 1, made });
    }
    node += others.length;
  }
  return { edges: [...edges, ...rest], end };
}
