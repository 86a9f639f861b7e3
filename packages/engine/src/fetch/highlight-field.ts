/**
 * The fragments of one field of one document: found by its marks, cut at the boundaries asked for, the best of them.
 */
import { illegalArgument } from '@shoal/core';
import type { HighlightOptions } from '@shoal/query';
import { choosePassages, type Passage } from './choose-passages.ts';
import { type FieldText, type Mark, valueBounds } from './marked-text.ts';
import {
  boundedBreaks,
  characterEdges,
  type PassageBreaks,
  type SplitText,
  segmenterSplit,
  unboundedBreaks,
  wholeText,
} from './passage-breaks.ts';
import { printPassage } from './print-passages.ts';

/** Segmenters are dear to make: one of each kind and language a request. */
export class Splitters {
  private readonly known = new Map<string, SplitText>();

  get(granularity: 'sentence' | 'word', locale: string | null): SplitText {
    const key = `${granularity} ${locale}`;
    const found = this.known.get(key) ?? segmenterSplit(granularity, locale);
    this.known.set(key, found);
    return found;
  }
}

/** Fragments as shown; empty when there is nothing to show. */
export function highlightField(
  content: FieldText,
  marks: readonly Mark[],
  options: HighlightOptions,
  splitters: Splitters,
): readonly string[] {
  if (marks.length === 0) return noMatchFragment(content, options, splitters);
  const passages = passagesOf(content, marks, options, splitters);
  if (options.isOrderedByScore) passages.sort((a, b) => b.score - a.score || a.from - b.from);
  return passages.map((passage) => printPassage(content.text, passage, options));
}

function passagesOf(
  content: FieldText,
  marks: readonly Mark[],
  options: HighlightOptions,
  splitters: Splitters,
): Passage[] {
  const count = options.numberOfFragments;
  const isWhole = count === 0;
  const scanner = options.boundaryScanner ?? (options.type === 'fvh' ? 'chars' : 'sentence');
  if (!isWhole && scanner === 'chars') {
    if (options.type === 'unified') throw illegalArgument('Invalid boundary scanner type: CHARS');
    return characterPassages(content, marks, options);
  }
  const { text } = content;
  let value = { from: 0, to: -1 };
  let breaks: PassageBreaks | null = null;
  const around = (offset: number): { from: number; to: number } => {
    if (breaks === null || offset >= value.to) {
      value = valueBounds(content, offset);
      breaks = breaksOf(text.slice(value.from, value.to), isWhole, options, splitters);
    }
    const { from, to } = breaks.around(offset - value.from);
    return { from: from + value.from, to: to + value.from };
  };
  return choosePassages(marks, around, text.length, isWhole ? Number.POSITIVE_INFINITY : count);
}

function breaksOf(value: string, isWhole: boolean, options: HighlightOptions, splitters: Splitters): PassageBreaks {
  if (isWhole) return wholeText(value);
  const { boundaryScanner, boundaryLocale, fragmentSize } = options;
  const words = splitters.get('word', boundaryLocale);
  if (boundaryScanner === 'word') return unboundedBreaks(value, words);
  const sentences = splitters.get('sentence', boundaryLocale);
  return fragmentSize === 0 ? unboundedBreaks(value, sentences) : boundedBreaks(value, sentences, words, fragmentSize);
}

/** Kept before a mark while it is not known what follows it. */
const MARGIN = 6;

/**
 * Stretches of the fragment size with the marks in their middle, from one boundary character to another. Weighed by how
 * much of them is marked; without an order the first ones of the text are shown.
 */
function characterPassages(content: FieldText, marks: readonly Mark[], options: HighlightOptions): Passage[] {
  const { fragmentSize, numberOfFragments, isOrderedByScore } = options;
  const passages: Passage[] = [];
  let least = 0;
  for (let i = 0; i < marks.length; ) {
    const first = marks[i] as Mark;
    const value = valueBounds(content, first.start);
    least = Math.max(least, value.from);
    const limit = Math.max(first.end, Math.max(first.start - MARGIN, least) + fragmentSize);
    const inside: Mark[] = [];
    for (; i < marks.length; i++) {
      const mark = marks[i] as Mark;
      if (inside.length > 0 && (mark.end > limit || mark.start >= value.to)) break;
      inside.push(mark);
    }
    const matchEnd = Math.max(...inside.map(({ end }) => end));
    const matched = matchEnd - first.start;
    const from = Math.max(least, first.start - Math.max(0, Math.floor((fragmentSize - matched) / 2)));
    const to = Math.min(value.to, from + Math.max(matched, fragmentSize));
    const edges = characterEdges(
      content.text.slice(value.from, value.to),
      options.boundaryChars,
      options.boundaryMaxScan,
    );
    const start = Math.min(first.start, Math.max(least, value.from + edges.start(from - value.from)));
    const end = Math.max(matchEnd, value.from + edges.end(to - value.from));
    passages.push({ from: start, to: end, marks: inside, score: inside.length });
    least = end;
    while (i < marks.length && (marks[i] as Mark).start < least) i++;
    if (!isOrderedByScore && passages.length === numberOfFragments) break;
  }
  const best = passages.sort((a, b) => b.score - a.score || a.from - b.from).slice(0, numberOfFragments);
  return best.sort((a, b) => a.from - b.from);
}

/** The beginning of the first value that is not empty, up to the first end of a word behind the size asked for. */
function noMatchFragment(content: FieldText, options: HighlightOptions, splitters: Splitters): readonly string[] {
  const { noMatchSize } = options;
  if (noMatchSize === 0) return [];
  const { text, starts } = content;
  const bounds = starts.map((start) => valueBounds(content, start)).find(({ from, to }) => to > from);
  if (bounds === undefined) return [];
  const value = text.slice(bounds.from, bounds.to);
  let to = value.length;
  if (noMatchSize < to) {
    const next = splitters.get('word', options.boundaryLocale)(value).following(noMatchSize);
    if (next >= 0) to = next;
  }
  const shown = printPassage(value, { from: 0, to, marks: [], score: 0 }, options);
  return shown === '' ? [] : [shown];
}
