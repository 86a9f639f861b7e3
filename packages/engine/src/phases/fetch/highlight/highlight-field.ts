/**
 * The fragments of one field of one document: found by its marks, cut at the boundaries asked for, the best of them.
 */
import { illegalArgument } from '@shoal/core';
import type { HighlightOptions } from '@shoal/query';
import { characterPassages } from './character-passages.ts';
import { choosePassages, type Passage } from './choose-passages.ts';
import { breakEdges, characterEdges, FragmentSource } from './fragment-source.ts';
import { type FieldText, type Mark, valueBounds, type Words } from './marked-text.ts';
import {
  boundedBreaks,
  type PassageBreaks,
  type SplitText,
  segmenterSplit,
  unboundedBreaks,
  wholeText,
} from './passage-breaks.ts';
import { lastWordEnd, plainPassages } from './plain-passages.ts';
import { printPassage } from './print-passages.ts';
import { splitSentences } from './sentence-breaks.ts';
import { splitWords } from './word-breaks.ts';

/** Languages whose words only a dictionary tells apart; all others have the same rules. */
const WITHOUT_SPACES: ReadonlySet<string> = new Set(['km', 'lo', 'my', 'th']);

/** Segmenters are dear to make: one of each language a request. */
export class Splitters {
  private readonly known = new Map<string, SplitText>();

  get(granularity: 'sentence' | 'word', locale: string | null): SplitText {
    if (granularity === 'sentence') return splitSentences;
    if (locale === null || !WITHOUT_SPACES.has(locale.split('-')[0] ?? '')) return splitWords;
    const found = this.known.get(locale) ?? segmenterSplit(locale);
    this.known.set(locale, found);
    return found;
  }
}

export interface HighlightedField {
  readonly content: FieldText;
  /** Terms of the text as the field analyses it. */
  readonly words: Words;
  readonly marks: readonly Mark[];
  readonly options: HighlightOptions;
  readonly splitters: Splitters;
}

/** Fragments as shown; empty when there is nothing to show. */
export function highlightField(field: HighlightedField): readonly string[] {
  const { content, marks, options } = field;
  if (marks.length === 0) return noMatchFragment(field);
  const passages = passagesOf(field);
  if (options.isOrderedByScore) passages.sort((a, b) => b.score - a.score || a.from - b.from);
  if (options.type !== 'fvh') return passages.map((passage) => printPassage(content.text, passage, options));
  const source = sourceOf(field);
  return passages.map((passage) => printPassage(source.text, source.resolve(passage), options));
}

function passagesOf(field: HighlightedField): Passage[] {
  const { content, words, marks, options } = field;
  const { type, numberOfFragments, boundaryScanner } = options;
  if (type === 'plain') return plainPassages(content, words, marks, options);
  if (type === 'fvh') return characterPassages(content, marks, options);
  if (boundaryScanner === 'chars' && numberOfFragments > 0) {
    throw illegalArgument('Invalid boundary scanner type: chars');
  }
  return unifiedPassages(field);
}

function unifiedPassages(field: HighlightedField): Passage[] {
  const { content, marks, options } = field;
  const { text } = content;
  let value = { from: 0, to: -1 };
  let breaks: PassageBreaks | null = null;
  const around = (offset: number): { from: number; to: number } => {
    if (breaks === null || offset >= value.to) {
      value = valueBounds(content, offset);
      breaks = breaksOf(text.slice(value.from, value.to), field);
    }
    const { from, to } = breaks.around(offset - value.from);
    return { from: from + value.from, to: to + value.from };
  };
  return choosePassages(marks, around, text.length, options.numberOfFragments || Number.POSITIVE_INFINITY);
}

function breaksOf(value: string, { options, splitters }: HighlightedField): PassageBreaks {
  const { boundaryScanner, boundaryLocale, fragmentSize, numberOfFragments } = options;
  if (numberOfFragments === 0) return wholeText(value);
  const words = splitters.get('word', boundaryLocale);
  if (boundaryScanner === 'word') return unboundedBreaks(value, words);
  const sentences = splitters.get('sentence', boundaryLocale);
  return fragmentSize === 0 ? unboundedBreaks(value, sentences) : boundedBreaks(value, sentences, words, fragmentSize);
}

function sourceOf({ content, options, splitters }: HighlightedField): FragmentSource {
  const { boundaryScanner, boundaryLocale, boundaryChars, boundaryMaxScan } = options;
  const edges =
    boundaryScanner === null || boundaryScanner === 'chars'
      ? characterEdges(boundaryChars, boundaryMaxScan)
      : breakEdges(splitters.get(boundaryScanner, boundaryLocale));
  return new FragmentSource(content, edges);
}

/** The beginning of the first value that is not empty, up to an end of a word near the size asked for. */
function noMatchFragment(field: HighlightedField): readonly string[] {
  const { content, words, options, splitters } = field;
  const { noMatchSize, type, boundaryLocale } = options;
  const { text, starts } = content;
  const bounds = starts.map((start) => valueBounds(content, start)).find(({ from, to }) => to > from);
  if (noMatchSize === 0 || bounds === undefined) return [];
  let value = text.slice(bounds.from, bounds.to);
  let to = value.length;
  if (type === 'plain') to = lastWordEnd(words, noMatchSize, bounds);
  else if (type === 'fvh') {
    // It asks for a range of that size, which of several values is of none where the first one ends before.
    if (starts.length > 1 && (bounds.from > 0 || noMatchSize > to + 1)) return [];
    const source = sourceOf(field);
    value = source.text;
    to = source.end(noMatchSize);
  } else if (noMatchSize < to) {
    const next = splitters.get('word', boundaryLocale)(value).following(noMatchSize);
    if (next >= 0) to = next;
  }
  const passage = { from: 0, to, marks: [], score: 0 };
  // The plain highlighter cuts it out of the text as it is, whatever the encoder.
  const shown = printPassage(value, passage, type === 'plain' ? { ...options, escapesHtml: false } : options);
  return shown === '' ? [] : [shown];
}
