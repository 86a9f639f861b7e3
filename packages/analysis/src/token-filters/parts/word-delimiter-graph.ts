/**
 * Token filter `word_delimiter_graph`: parts of words and what they are joined to, as a graph: a joined term spans its parts.
 */
import { illegalArgument } from '@shoal/core';
import { readFlag } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { TokenConsumer } from '../../tokens/token-consumer.ts';
import {
  type CutWord,
  cutWord,
  joinedRuns,
  partTest,
  readWordDelimiterOptions,
  WORD_DELIMITER_OPTIONS,
  type WordDelimiterOptions,
  type WordPart,
} from './word-parts.ts';

export const wordDelimiterGraph: TokenFilterType = {
  type: 'word_delimiter_graph',
  options: [...WORD_DELIMITER_OPTIONS, 'adjust_offsets', 'ignore_keywords'],
  create: (options) => {
    const parsed = readWordDelimiterOptions(options);
    const adjustsOffsets = readFlag(options, 'adjust_offsets', true);
    const ignoresKeywords = readFlag(options, 'ignore_keywords', false);
    return {
      name: 'word_delimiter_graph',
      inSynonymRules: 'refused',
      shows: ['keyword'],
      into: (next) => partConsumer(next, parsed, { adjustsOffsets, ignoresKeywords }),
    };
  },
};

/** Terms of one word; each part is a position. */
const PARTS_MAX = 1_024;

interface GraphOptions {
  readonly adjustsOffsets: boolean;
  readonly ignoresKeywords: boolean;
}

/** A term of the graph of one word. */
interface Edge {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /** Node where it begins, in positions of the word. */
  readonly from: number;
  readonly to: number;
}

function partConsumer(next: TokenConsumer, options: WordDelimiterOptions, graph: GraphOptions): TokenConsumer {
  let skipped = 0;
  return (term, start, end, increment, type, attributes) => {
    const isKept = (graph.ignoresKeywords && attributes?.isKeyword === true) || options.protectedWords.has(term);
    const cut: CutWord = isKept ? { parts: [], isWhole: true } : cutWord(term, options);
    if (cut.parts.length > PARTS_MAX) throw illegalArgument(`a word of more than ${PARTS_MAX} parts is not cut`);
    if (cut.isWhole) {
      next(term, start, end, increment + skipped, type, attributes);
      skipped = 0;
      return;
    }
    const edges = edgesOf(term, cut.parts, options);
    if (edges.length === 0) {
      skipped += increment;
      return;
    }
    const hasOffsets = graph.adjustsOffsets && term.length === end - start;
    const { isKeyword = false, payload = null } = attributes ?? {};
    let at = -1;
    for (const edge of edges) {
      const distance = at < 0 ? increment + skipped : edge.from - at;
      const from = hasOffsets ? start + edge.start : start;
      const to = hasOffsets ? start + edge.end : end;
      next(edge.term, from, to, distance, type, { positionLength: edge.to - edge.from, isKeyword, payload });
      at = edge.from;
    }
    skipped = 0;
  };
}

/** Terms by the node where they begin, longest first. */
function edgesOf(term: string, parts: readonly WordPart[], options: WordDelimiterOptions): readonly Edge[] {
  const isWanted = partTest(parts, options);
  // A part that is not emitted has no position, unless something joined begins or ends there.
  const joined = joinedParts(parts, options);
  const nodes = nodesOf(parts, joined, isWanted);
  const last = nodes.at(-1) ?? 0;
  const edges: Edge[] = [];
  const textOf = (first: number, count: number): string =>
    parts
      .slice(first, first + count)
      .map((part) => term.slice(part.start, part.end))
      .join('');
  for (const { first, count } of joined) {
    const from = nodes[first] ?? 0;
    const to = nodes[first + count] ?? last;
    const start = parts[first]?.start ?? 0;
    const end = parts[first + count - 1]?.end ?? term.length;
    edges.push({ term: textOf(first, count), start, end, from, to: Math.max(to, from + 1) });
  }
  for (const [i, part] of parts.entries()) {
    if (!isWanted(part) || joined.some(({ first, count }) => count === 1 && first === i)) continue;
    edges.push({ term: textOf(i, 1), start: part.start, end: part.end, from: nodes[i] ?? 0, to: nodes[i + 1] ?? 0 });
  }
  if (options.keepsOriginal) {
    edges.unshift({ term, start: 0, end: term.length, from: 0, to: Math.max(1, last) });
  }
  return edges
    .map((edge, i) => ({ edge, i }))
    .sort((a, b) => a.edge.from - b.edge.from || b.edge.to - a.edge.to || a.i - b.i)
    .map(({ edge }) => edge);
}

interface Joined {
  readonly first: number;
  readonly count: number;
}

function joinedParts(parts: readonly WordPart[], options: WordDelimiterOptions): readonly Joined[] {
  const isWanted = partTest(parts, options);
  const runs = joinedRuns(parts, options).filter(({ first, count }) => {
    const part = parts[first];
    return count > 1 || part === undefined || !isWanted(part);
  });
  const isAll = options.joinsAll && parts.length > 1 && !runs.some(({ count }) => count === parts.length);
  return isAll ? [{ first: 0, count: parts.length }, ...runs] : runs;
}

/** Node before each part, and the one behind the last. */
function nodesOf(
  parts: readonly WordPart[],
  joined: readonly Joined[],
  isWanted: (part: WordPart) => boolean,
): readonly number[] {
  const nodes = [0];
  let node = 0;
  for (const [i, part] of parts.entries()) {
    const endsJoined = joined.some(({ first, count }) => first + count - 1 === i);
    if (isWanted(part) || endsJoined) node++;
    nodes.push(node);
  }
  return nodes;
}
