/**
 * Where in the text of a field the words stand that a query looks for.
 *
 * Offsets are found by analysing the text again, as it was indexed: exact for any analyzer, and nothing need be stored.
 * A phrase marks only words that stand in it.
 */

import type { Analyzer } from '@shoal/analysis';
import { assert } from '@shoal/core';
import { lastAtMost } from '../../../bytes/last-at-most.ts';
import type { MarkedPhrase, MarkedTerms } from '../../../match/marks/marks.ts';

/** Between two values of one field: in no word, and never shown. */
const VALUE_SEPARATOR = '\0';

/** One stretch of the text that is shown between tags. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** Marks of one word, or of one pattern, have the same: what counts as a term when fragments are weighed. */
  readonly term: string;
  /** Place of what was found among the words and phrases of the query, from 0: the vectors' highlighter has tags for each. */
  readonly number: number;
}

/** The values of a field as one text. */
export interface FieldText {
  readonly text: string;
  /** Start of each value in the text. */
  readonly starts: readonly number[];
}

/** Units behind the wanted ones in which the last word may end. */
const WORD_REST_MAX = 256;

/** The text up to the end of the word that has its unit at `length`. */
export function beginningOf(content: FieldText, length: number): FieldText {
  const { text, starts } = content;
  if (text.length <= length) return content;
  const rest = text.slice(length, length + WORD_REST_MAX).search(/[^\p{L}\p{N}]/u);
  const end = length + Math.max(0, rest);
  return { text: text.slice(0, end), starts: starts.filter((start) => start < end) };
}

/** Words of a text in order, as columns. */
export interface Words {
  readonly terms: readonly string[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly positions: readonly number[];
}

export interface MarkOptions {
  /** Whether what is asked of a field is marked here. */
  readonly takesField: (field: string) => boolean;
  /** Words that one pattern finds count as different ones. */
  readonly partsPatterns: boolean;
  /** Words of a phrase that follow each other are one mark. */
  readonly joinsPhrases: boolean;
}

export function joinValues(values: readonly string[]): FieldText {
  const starts: number[] = [];
  let at = 0;
  for (const value of values) {
    starts.push(at);
    at += value.length + VALUE_SEPARATOR.length;
  }
  return { text: values.join(VALUE_SEPARATOR), starts };
}

/** By ascending start; each stretch once. */
export function findMarks(words: Words, terms: MarkedTerms, options: MarkOptions): readonly Mark[] {
  const marks = new Map<string, Mark>();
  const add = (mark: Mark): void => {
    const key = `${mark.start}-${mark.end}`;
    if (mark.end > mark.start && !marks.has(key)) marks.set(key, mark);
  };
  markWords(words, terms, options, add);
  for (const phrase of terms.phrases) {
    if (options.takesField(phrase.field)) markPhrase(words, phrase, options.joinsPhrases, add);
  }
  return [...marks.values()].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Range of the value that the offset is in. */
export function valueBounds({ text, starts }: FieldText, offset: number): { from: number; to: number } {
  const at = lastAtMost(starts, offset);
  const next = starts[at + 1];
  return { from: starts[at] ?? 0, to: next === undefined ? text.length : next - VALUE_SEPARATOR.length };
}

/** Called once a token: offsets are those of the whole text. */
export type TokenVisitor = (
  term: string,
  start: number,
  end: number,
  position: number,
  payload: Uint8Array | null,
) => void;

/** Tokens of all values in their order, `positionIncrementGap` apart from value to value. */
export function walkTokens(
  content: FieldText,
  analyzer: Analyzer,
  positionIncrementGap: number,
  visit: TokenVisitor,
): void {
  let position = -1;
  for (const [i, base] of content.starts.entries()) {
    if (i > 0) position += positionIncrementGap;
    const { from, to } = valueBounds(content, base);
    const trailing = analyzer.analyze(
      content.text.slice(from, to),
      (term, start, end, increment, _type, attributes) => {
        position += increment;
        visit(term, base + start, base + end, position, attributes?.payload ?? null);
      },
    );
    position += trailing;
  }
}

/** Words of all values in their order, `positionIncrementGap` apart from value to value. */
export function analyzeValues(content: FieldText, analyzer: Analyzer, positionIncrementGap: number): Words {
  const terms: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const positions: number[] = [];
  walkTokens(content, analyzer, positionIncrementGap, (term, start, end, position) => {
    terms.push(term);
    starts.push(start);
    ends.push(end);
    positions.push(position);
  });
  const count = terms.length;
  assert(
    starts.length === count && ends.length === count,
    `${count} words, ${starts.length} starts, ${ends.length} ends`,
  );
  return { terms, starts, ends, positions };
}

type AddMark = (mark: Mark) => void;

function markWords(words: Words, terms: MarkedTerms, { takesField, partsPatterns }: MarkOptions, add: AddMark): void {
  const exact = [...terms.words].filter(([field]) => takesField(field)).map(([, numbers]) => numbers);
  const patterns = terms.patterns.filter(({ field }) => takesField(field));
  for (const [i, word] of words.terms.entries()) {
    const start = words.starts[i] ?? 0;
    const end = words.ends[i] ?? 0;
    const number = exact.find((numbers) => numbers.has(word))?.get(word);
    if (number !== undefined) add({ start, end, term: word, number });
    else {
      const position = words.positions[i] ?? 0;
      const pattern = patterns.findIndex(({ test, endMax = Infinity }) => position < endMax && test(word));
      if (pattern < 0) continue;
      const term = partsPatterns ? word : `${VALUE_SEPARATOR}${pattern}`;
      add({ start, end, term, number: patterns[pattern]?.number ?? 0 });
    }
  }
}

/** A word that may stand at one place of a phrase. */
interface Candidate {
  readonly word: number;
  /** Index of the phrase's position that the word fits. */
  readonly slot: number;
  /** Position less the offset in the phrase: all words of an exact phrase have the same. */
  readonly anchor: number;
}

/**
 * Marks the words of every window in which each position of the phrase has one: all anchors in it differ by at most the
 * slop. Each candidate starts one window, so that every word that takes part in a match is in one of them.
 */
function markPhrase(words: Words, phrase: MarkedPhrase, joins: boolean, add: AddMark): void {
  const { positions, slop, number, endMax = Infinity } = phrase;
  const options = { joins, number };
  assert(positions.length > 1, `a phrase of ${positions.length} positions within ${slop}`);
  const candidates: Candidate[] = [];
  for (const [word, term] of words.terms.entries()) {
    const position = words.positions[word] ?? 0;
    if (position >= endMax) continue;
    for (const [slot, { test, offset }] of positions.entries()) {
      if (test(term)) candidates.push({ word, slot, anchor: position - offset });
    }
  }
  candidates.sort((a, b) => a.anchor - b.anchor || a.word - b.word);
  const filled = new Uint32Array(positions.length);
  let missing = positions.length;
  let end = 0;
  for (let from = 0; from < candidates.length; from++) {
    const first = candidates[from] as Candidate;
    for (; end < candidates.length; end++) {
      const next = candidates[end] as Candidate;
      if (next.anchor > first.anchor + slop) break;
      if (filled[next.slot] === 0) missing--;
      filled[next.slot] = (filled[next.slot] ?? 0) + 1;
    }
    if (missing === 0) markWindow(words, candidates.slice(from, end), options, add);
    filled[first.slot] = (filled[first.slot] ?? 1) - 1;
    if (filled[first.slot] === 0) missing++;
  }
}

function markWindow(
  words: Words,
  window: readonly Candidate[],
  { joins, number }: { readonly joins: boolean; readonly number: number },
  add: AddMark,
): void {
  const found = [...new Set(window.map(({ word }) => word))].sort((a, b) => a - b);
  for (let i = 0; i < found.length; i++) {
    const first = found[i] as number;
    let last = first;
    let term = words.terms[first] ?? '';
    while (joins && found[i + 1] === last + 1 && isNextTo(words, last)) {
      last = found[++i] as number;
      term += ` ${words.terms[last] ?? ''}`;
    }
    add({ start: words.starts[first] ?? 0, end: words.ends[last] ?? 0, term, number });
  }
}

function isNextTo({ positions }: Words, word: number): boolean {
  return (positions[word + 1] ?? 0) - (positions[word] ?? 0) <= 1;
}
