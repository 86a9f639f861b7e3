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
  /** Start of the last part: offsets never go back, not even where two words stand at one place. */
  let lastStart = 0;
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
      lastStart = Math.max(lastStart, hasOffsets ? start + edge.start : start);
      const to = Math.max(lastStart, hasOffsets ? start + edge.end : end);
      next(edge.term, lastStart, to, distance, type, { positionLength: edge.to - edge.from, isKeyword, payload });
      at = edge.from;
    }
    skipped = 0;
  };
}

/** Terms by the node where they begin, longest first. Parts that do not come out have no node of their own. */
function edgesOf(term: string, parts: readonly WordPart[], options: WordDelimiterOptions): readonly Edge[] {
  const isWanted = partTest(parts, options);
  const edges: Edge[] = [];
  const add = (first: number, count: number, from: number, to: number): void => {
    const run = parts.slice(first, first + count);
    const text = run.map((part) => term.slice(part.start, part.end)).join('');
    edges.push({ term: text, start: run[0]?.start ?? 0, end: run.at(-1)?.end ?? term.length, from, to });
  };
  const runs = joinedRuns(parts, options);
  let node = 0;
  let runNode = 0;
  let joinedCount = 0;
  for (const [i, part] of parts.entries()) {
    const run = runs.find(({ first, count }) => first <= i && i < first + count);
    if (run?.first === i) runNode = node;
    if (isWanted(part)) add(i, 1, node, ++node);
    if (run === undefined || i < run.first + run.count - 1) continue;
    // Joined from parts that do not come out.
    if (node === runNode) node++;
    joinedCount = run.count;
    if (run.count > 1 || !isWanted(part)) add(run.first, run.count, runNode, node);
  }
  if (options.joinsAll && parts.length > 1 && parts.length > joinedCount) {
    node = Math.max(1, node);
    add(0, parts.length, 0, node);
  }
  if (options.keepsOriginal) edges.unshift({ term, start: 0, end: term.length, from: 0, to: Math.max(1, node) });
  return edges.sort((a, b) => a.from - b.from || b.to - a.to || a.start - b.start || b.end - a.end);
}
