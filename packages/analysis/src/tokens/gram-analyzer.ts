/**
 * Analyzer whose tokens are runs of so many words of another one, and the beginnings of these where wanted: what the fields beside a
 * text field index, so that phrases and beginnings of words are single terms.
 */
import { assert } from '@shoal/core';
import type { Analyzer } from './analyzer.ts';
import type { TokenConsumer } from './token-consumer.ts';

export interface GramShape {
  /** Words of a run, at least 1. */
  readonly words: number;
  /** Shorter runs at the end are tokens too, each with a space for every word that it lacks. */
  readonly keepsTrailing: boolean;
  /** Code points of the beginnings of each run, which take its place; null: the run is the token. */
  readonly prefixes: { readonly min: number; readonly max: number } | null;
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function gramAnalyzer(base: Analyzer, shape: GramShape): Analyzer {
  assert(shape.words >= 1, `runs of ${shape.words} words`);
  return {
    name: `${base.name}/${shape.words}${shape.prefixes === null ? '' : '/prefixes'}`,
    positionIncrementGap: base.positionIncrementGap,
    analyze: (text, consume) => {
      const words = wordsOf(base, text);
      const count = shape.keepsTrailing ? words.length : words.length - shape.words + 1;
      for (let first = 0; first < count; first++) emitRun(words, first, shape, consume);
      return 0;
    },
    normalize: (text) => base.normalize(text),
  };
}

/** Words by position; of several at one position the first, and a word of no letters where there is none. */
function wordsOf(base: Analyzer, text: string): readonly Word[] {
  const words: Word[] = [];
  base.analyze(text, (term, start, end, increment) => {
    if (increment === 0 && words.length > 0) return;
    for (let hole = 1; hole < increment && words.length > 0; hole++) words.push({ text: '', start, end: start });
    words.push({ text: term, start, end });
  });
  return words;
}

function emitRun(
  words: readonly Word[],
  first: number,
  { words: size, prefixes }: GramShape,
  consume: TokenConsumer,
): void {
  const run = Array.from({ length: size }, (_, i) => words[first + i]?.text ?? '').join(' ');
  const last = words[Math.min(first + size, words.length) - 1];
  const { start } = words[first] ?? { start: 0 };
  const end = last?.end ?? start;
  if (prefixes === null) {
    consume(run, start, end, 1, 'shingle');
    return;
  }
  const points = [...run];
  let increment = 1;
  for (let length = prefixes.min; length <= Math.min(prefixes.max, points.length); length++) {
    consume(points.slice(0, length).join(''), start, end, increment, 'shingle');
    increment = 0;
  }
}
