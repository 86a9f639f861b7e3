/**
 * Fragments of the plain highlighter: value by value, cut behind a word whenever another stretch of the fragment size is
 * full, weighed by how many different words are marked in them, the best first.
 */
import type { HighlightOptions } from '@shoal/query';
import type { Passage } from './choose-passages.ts';
import { type FieldText, type Mark, valueBounds, type Words } from './marked-text.ts';

export function plainPassages(
  content: FieldText,
  words: Words,
  marks: readonly Mark[],
  options: HighlightOptions,
): Passage[] {
  const { numberOfFragments } = options;
  const passages: Passage[] = [];
  const perValue = Math.max(1, numberOfFragments);
  for (const start of content.starts) {
    const value = valueBounds(content, start);
    const cuts = numberOfFragments === 0 ? [] : cutsOf(words, value, options);
    const found = passagesBetween([value.from, ...cuts, value.to], marks);
    passages.push(...found.sort((a, b) => b.score - a.score || a.from - b.from).slice(0, perValue));
  }
  return numberOfFragments === 0 ? passages : passages.slice(0, numberOfFragments);
}

/** Ends of words behind which a new fragment begins. */
function cutsOf(
  words: Words,
  value: { readonly from: number; readonly to: number },
  { fragmentSize: size, fragmenter }: HighlightOptions,
): readonly number[] {
  const leastRest = fragmenter === 'span' ? size >>> 1 : 0;
  const cuts: number[] = [];
  let last = -1;
  for (const [i, start] of words.starts.entries()) {
    if (start < value.from || start >= value.to) continue;
    const end = words.ends[i] ?? start;
    // Words that overlap are not parted.
    if (last >= 0 && start >= last) {
      const isFull = end - value.from >= size * (cuts.length + 1);
      if (isFull && value.to - end >= leastRest) cuts.push(last);
    }
    last = Math.max(last, end);
  }
  return cuts;
}

/** Those with marks in them. */
function passagesBetween(edges: readonly number[], marks: readonly Mark[]): Passage[] {
  const passages: Passage[] = [];
  for (let i = 0; i + 1 < edges.length; i++) {
    const from = edges[i] ?? 0;
    const to = edges[i + 1] ?? from;
    const inside = marks.filter(({ start }) => start >= from && start < to);
    const score = new Set(inside.map(({ term }) => term)).size;
    if (score > 0) passages.push({ from, to, marks: inside, score });
  }
  return passages;
}

/** End of the last word that ends within so many units of the value; 0 without one. */
export function lastWordEnd(words: Words, size: number, value: { readonly from: number; readonly to: number }): number {
  let last = 0;
  for (const [i, start] of words.starts.entries()) {
    if (start < value.from || start >= value.to) continue;
    const end = (words.ends[i] ?? start) - value.from;
    if (end > size) break;
    last = end;
  }
  return last;
}
