/**
 * Token filter `word_delimiter`: parts of words and what they are joined to. A joined term stands at its first part.
 */
import { illegalArgument } from '@shoal/core';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { TokenConsumer } from '../../tokens/token-consumer.ts';
import {
  cutWord,
  joinedRuns,
  partTest,
  readWordDelimiterOptions,
  WORD_DELIMITER_OPTIONS,
  type WordDelimiterOptions,
  type WordPart,
} from './word-parts.ts';

export const wordDelimiter: TokenFilterType = {
  type: 'word_delimiter',
  options: WORD_DELIMITER_OPTIONS,
  create: (options) => {
    const parsed = readWordDelimiterOptions(options);
    return {
      name: 'word_delimiter',
      inSynonymRules: 'refused',
      shows: ['keyword'],
      into: (next) => partConsumer(next, parsed),
    };
  },
};

/** Terms of one word; each part is a position. */
const PARTS_MAX = 1_024;

function partConsumer(next: TokenConsumer, options: WordDelimiterOptions): TokenConsumer {
  let skipped = 0;
  // A word of nothing but delimiters leaves a gap only before the first token, as Lucene has it.
  let hasEmitted = false;
  return (term, start, end, increment, type, attributes) => {
    const { parts, isWhole } = options.protectedWords.has(term) ? WHOLE : cutWord(term, options);
    if (parts.length > PARTS_MAX) throw illegalArgument(`a word of more than ${PARTS_MAX} parts is not cut`);
    if (isWhole) {
      next(term, start, end, increment + skipped, type, attributes);
      skipped = 0;
      hasEmitted = true;
      return;
    }
    const pieces = piecesOf(term, parts, options);
    if (pieces.length === 0) {
      const leavesNoGap = parts.length === 0 && increment === 1 && hasEmitted;
      skipped += leavesNoGap ? 0 : increment;
      return;
    }
    const hasOffsets = term.length === end - start;
    // Parts take a position of their own, even those of a word that had none; a word that is kept whole does not.
    const first = options.keepsOriginal ? increment + skipped : Math.max(1, increment + skipped);
    for (const [i, piece] of pieces.entries()) {
      const from = hasOffsets ? start + piece.start : start;
      const to = hasOffsets ? start + piece.end : end;
      next(piece.term, from, to, i === 0 ? first : piece.isNext ? 1 : 0, type, attributes);
    }
    skipped = 0;
    hasEmitted = true;
  };
}

const WHOLE = { parts: [], isWhole: true } as const;

interface Piece {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /** It stands at the position behind the piece before it. */
  readonly isNext: boolean;
}

/** Terms by their starts, shorter ones first, the whole word before all. */
function piecesOf(term: string, parts: readonly WordPart[], options: WordDelimiterOptions): readonly Piece[] {
  const spans: { start: number; end: number; term: string; isPart: boolean }[] = [];
  const add = (first: number, count: number, isPart: boolean): void => {
    const run = parts.slice(first, first + count);
    const text = run.map((part) => term.slice(part.start, part.end)).join('');
    spans.push({ start: run[0]?.start ?? 0, end: run.at(-1)?.end ?? 0, term: text, isPart });
  };
  const isWanted = partTest(parts, options);
  for (const [i, part] of parts.entries()) {
    if (isWanted(part)) add(i, 1, true);
  }
  const runs = joinedRuns(parts, options);
  for (const { first, count } of runs) {
    const part = parts[first];
    if (count > 1 || part === undefined || !isWanted(part)) add(first, count, false);
  }
  const isJoinedWhole = runs.some(({ count }) => count === parts.length);
  if (options.joinsAll && parts.length > 1 && !isJoinedWhole) add(0, parts.length, false);
  spans.sort((a, b) => a.start - b.start || a.end - b.end);
  const whole = options.keepsOriginal ? [{ start: 0, end: term.length, term, isPart: false }] : [];
  let lastStart = -1;
  return [...whole, ...spans].map((span, i) => {
    const isNext = i > whole.length && span.start !== lastStart;
    if (i >= whole.length) lastStart = span.start;
    return { term: span.term, start: span.start, end: span.end, isNext };
  });
}
