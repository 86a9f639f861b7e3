/**
 * Token filter `word_delimiter`: parts of words and what they are joined to. A joined term stands at its first part.
 */
import { illegalArgument } from '@shoal/core';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { TokenConsumer } from '../../tokens/token-consumer.ts';
import {
  cutWord,
  isJoinedSort,
  isSameSort,
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
  /** Positions since the last token that came out. */
  let skipped = 0;
  let isFirst = true;
  return (term, start, end, increment, type, attributes) => {
    skipped += increment;
    const { parts, isWhole } = options.protectedWords.has(term) ? WHOLE : cutWord(term, options);
    if (parts.length > PARTS_MAX) throw illegalArgument(`a word of more than ${PARTS_MAX} parts is not cut`);
    if (isWhole) {
      next(term, start, end, skipped, type, attributes);
      skipped = 0;
      isFirst = false;
      return;
    }
    if (parts.length === 0 && !options.keepsOriginal) {
      // A word of nothing but delimiters leaves a gap only before the first token, as Lucene has it.
      if (increment === 1 && !isFirst) skipped--;
      return;
    }
    const pieces = piecesOf(term, parts, skipped, options);
    const hasOffsets = term.length === end - start;
    for (const piece of pieces) {
      // The only part of a word begins behind what stood before it, even where offsets are those of a longer text.
      const isOnly = parts.length === 1 && !piece.isWhole && start + piece.start <= end;
      const from = hasOffsets || isOnly ? start + piece.start : start;
      const to = hasOffsets ? start + piece.end : end;
      // A word that is kept whole may have no position of its own; what comes out first of all has one otherwise.
      const increments = isFirst && !options.keepsOriginal ? Math.max(1, piece.increment) : piece.increment;
      // Parts are new tokens: they are no keywords and have no payload.
      next(piece.term, from, to, increments, type, piece.isWhole ? attributes : undefined);
      isFirst = false;
    }
    if (pieces.length > 0) skipped = 0;
  };
}

const WHOLE = { parts: [], isWhole: true } as const;

interface Piece {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly increment: number;
  /** The word itself, uncut. */
  readonly isWhole: boolean;
}

/**
 * Increments in the order in which terms of a word are found, a joined one behind its last part; sorted by their starts they come only
 * afterwards. A joined term whose first part does not come out so stands at the position before it, as Lucene has it.
 */
class Increments {
  /** Increment of the next term that opens a position. */
  private opening: number;
  /** A term came out that a joined one stands beside. */
  hasTerm = false;
  /** The next part stands beside the whole word, which came out before it. */
  private isBesideWhole: boolean;

  /** @param opening positions since the last token; `isBesideWhole` where the whole word has taken them */
  constructor(opening: number, isBesideWhole: boolean) {
    this.opening = opening;
    this.isBesideWhole = isBesideWhole;
  }

  next(isJoined: boolean): number {
    const opening = this.opening;
    if (this.hasTerm) {
      this.opening = 0;
      return isJoined ? 0 : Math.max(1, opening);
    }
    this.hasTerm = true;
    if (!this.isBesideWhole || isJoined) this.opening = 0;
    const isBeside = this.isBesideWhole;
    this.isBesideWhole = false;
    return isBeside ? 0 : Math.max(1, opening);
  }
}

/** Terms by their starts, those that open a position before those beside them; the whole word before all. */
function piecesOf(term: string, parts: readonly WordPart[], opening: number, options: WordDelimiterOptions): Piece[] {
  const pieces: Piece[] = [];
  const increments = new Increments(options.keepsOriginal ? 0 : opening, options.keepsOriginal);
  const add = (first: number, count: number, isJoined: boolean): void => {
    const run = parts.slice(first, first + count);
    const text = run.map((part) => term.slice(part.start, part.end)).join('');
    const [start, end] = [run[0]?.start ?? 0, run.at(-1)?.end ?? 0];
    pieces.push({ term: text, start, end, increment: increments.next(isJoined), isWhole: false });
  };
  const isWanted = partTest(parts, options);
  let lastJoined = 0;
  let first = 0;
  for (const [at, part] of parts.entries()) {
    if (isWanted(part)) add(at, 1, false);
    const following = parts[at + 1];
    const opened = parts[first] ?? part;
    if (following !== undefined && isSameSort(opened, following)) continue;
    // A word of one part is that part, joined or not.
    if (parts.length > 1 && isJoinedSort(opened, options)) {
      lastJoined = at + 1 - first;
      if (lastJoined !== 1 || !isWanted(opened)) add(first, lastJoined, true);
      if (following !== undefined) increments.hasTerm = false;
    }
    first = at + 1;
  }
  if (options.joinsAll && parts.length > 1 && parts.length > lastJoined) add(0, parts.length, true);
  pieces.sort((a, b) => a.start - b.start || b.increment - a.increment);
  const whole = { term, start: 0, end: term.length, increment: opening, isWhole: true };
  return options.keepsOriginal ? [whole, ...pieces] : pieces;
}
