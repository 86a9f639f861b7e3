/**
 * Fragments of the fast vector highlighter: ranges of the fragment size with what is marked in their middle. Where they begin and end
 * is found when they are shown (`fragment-source.ts`).
 *
 * Weighed by how much of them is marked; without an order the first ones of the text are shown.
 */
import { illegalArgument } from '@shoal/core';
import type { HighlightOptions } from '@shoal/query';
import type { Passage } from './choose-passages.ts';
import { type FieldText, type Mark, valueBounds } from './marked-text.ts';

/** Least fragment size, in margins: room for a word and the margins around it. */
const MARGINS_PER_FRAGMENT = 3;

/** @throws ShoalError for fragments in which a word and its margins have no room */
export function checkFragmentSize({ fragmentSize, fragmentOffset }: HighlightOptions): void {
  const least = Math.max(1, MARGINS_PER_FRAGMENT * fragmentOffset);
  if (fragmentSize >= least) return;
  throw illegalArgument(`fragCharSize(${fragmentSize}) is too small. It must be ${least} or higher.`);
}

/** At most `numberOfFragments`, in the order of the text; 0: every value with marks in it, whole. */
export function characterPassages(
  content: FieldText,
  marks: readonly Mark[],
  { fragmentSize, fragmentOffset, numberOfFragments, isOrderedByScore }: HighlightOptions,
): Passage[] {
  if (numberOfFragments === 0) return partsOf(content, { from: 0, to: Number.MAX_SAFE_INTEGER }, marks);
  const passages: Passage[] = [];
  let least = 0;
  for (let i = 0; i < marks.length; ) {
    const first = marks[i] as Mark;
    if (first.start < least) {
      i++;
      continue;
    }
    const limit = Math.max(first.end, Math.max(first.start - fragmentOffset, least) + fragmentSize);
    const inside: Mark[] = [];
    for (; i < marks.length; i++) {
      const mark = marks[i] as Mark;
      if (inside.length > 0 && mark.end > limit) break;
      inside.push(mark);
    }
    const matchEnd = Math.max(...inside.map(({ end }) => end));
    const matched = matchEnd - first.start;
    const from = Math.max(least, first.start - Math.max(0, Math.floor((fragmentSize - matched) / 2)));
    least = from + Math.max(matched, fragmentSize);
    passages.push(...partsOf(content, { from, to: least }, inside));
    if (!isOrderedByScore && passages.length >= numberOfFragments) break;
  }
  const best = passages.sort((a, b) => b.score - a.score || a.from - b.from).slice(0, numberOfFragments);
  return best.sort((a, b) => a.from - b.from);
}

/** A range that reaches over several values is one fragment in each of them; it may hold the separator behind its value. */
function partsOf(
  content: FieldText,
  range: { readonly from: number; readonly to: number },
  marks: readonly Mark[],
): Passage[] {
  const parts: Passage[] = [];
  for (let i = 0; i < marks.length; ) {
    const value = valueBounds(content, (marks[i] as Mark).start);
    const inside = marks.slice(i).filter(({ start }) => start < value.to);
    i += inside.length;
    const from = Math.max(range.from, value.from);
    parts.push({ from, to: Math.min(range.to, value.to + 1), marks: inside, score: inside.length });
  }
  return parts;
}
