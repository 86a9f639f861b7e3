/**
 * Which fragments of a text are shown: each weighed as if it were a document of its own, the best ones kept.
 *
 * The weight is BM25 with the fragment's length against a usual one, a word worth more the rarer it is in the text, and
 * fragments near the beginning worth a little more: Lucene's PassageScorer, figure for figure.
 */
import { assert } from '@shoal/core';
import type { Mark } from './marked-text.ts';

export interface Passage {
  readonly from: number;
  readonly to: number;
  /** By ascending start; may reach beyond the end. */
  readonly marks: readonly Mark[];
  readonly score: number;
}

/** Length of a usual fragment, in UTF-16 units. */
const PIVOT = 87;
const K1 = 1.2;
const B = 0.75;

/** Best passages of a text, in its order. */
export function choosePassages(
  marks: readonly Mark[],
  around: (offset: number) => { readonly from: number; readonly to: number },
  textLength: number,
  passagesMax: number,
): Passage[] {
  const [first, last] = [marks[0], marks.at(-1)];
  assert((first?.start ?? 0) <= (last?.start ?? 0), `marks from ${first?.start} to ${last?.start} do not ascend`);
  const freqs = termFreqs(marks);
  const kept: Passage[] = [];
  let open: { from: number; to: number; marks: Mark[] } | null = null;
  const close = (): void => {
    if (open === null) return;
    keepBest(kept, { ...open, score: scoreOf(open, freqs, textLength) }, passagesMax);
  };
  for (const mark of marks) {
    if (open === null || mark.start >= open.to) {
      close();
      open = { ...around(mark.start), marks: [] };
    }
    open.marks.push(mark);
  }
  close();
  assert(kept.length <= passagesMax, `${kept.length} fragments of at most ${passagesMax}`);
  return kept.sort((a, b) => a.from - b.from);
}

function termFreqs(marks: readonly Mark[]): ReadonlyMap<string, number> {
  const freqs = new Map<string, number>();
  for (const { term } of marks) freqs.set(term, (freqs.get(term) ?? 0) + 1);
  return freqs;
}

/** Among the worst the one that begins first gives way. */
function keepBest(kept: Passage[], passage: Passage, passagesMax: number): void {
  kept.push(passage);
  if (kept.length <= passagesMax) return;
  let worst = 0;
  for (let i = 1; i < kept.length; i++) {
    const a = kept[i] as Passage;
    const b = kept[worst] as Passage;
    if (a.score < b.score || (a.score === b.score && a.from < b.from)) worst = i;
  }
  kept.splice(worst, 1);
}

function scoreOf(
  { from, to, marks }: { readonly from: number; readonly to: number; readonly marks: readonly Mark[] },
  freqs: ReadonlyMap<string, number>,
  textLength: number,
): number {
  let score = 0;
  for (const [term, freq] of termFreqs(marks)) {
    score += tf(freq, to - from) * weight(textLength, freqs.get(term) ?? freq);
  }
  return score * (1 + 1 / Math.log(PIVOT + from));
}

function tf(freq: number, length: number): number {
  return freq / (freq + K1 * (1 - B + B * (length / PIVOT)));
}

/** The text as a collection of usual fragments, each of which holds the word at most once. */
function weight(textLength: number, freqInText: number): number {
  const count = 1 + textLength / PIVOT;
  return (K1 + 1) * Math.log(1 + (count + 0.5) / (freqInText + 0.5));
}
