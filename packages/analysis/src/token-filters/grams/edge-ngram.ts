/**
 * Token filter `edge_ngram`: the first (or last) `min_gram` to `max_gram` code points of each term, shortest first.
 *
 * All grams of a term stand at its position and have its offsets. A term shorter than `min_gram` is dropped, one longer than
 * `max_gram` is only there as its grams, unless `preserve_original` keeps both.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readFlag } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { readGramLengths } from '../../tokens/gram-lengths.ts';
import type { TokenConsumer } from '../../tokens/token-consumer.ts';

interface EdgeNgramOptions {
  /** Shortest gram, in code points; at least 1. */
  readonly min: number;
  /** Longest gram, in code points; at least `min`. */
  readonly max: number;
  readonly preservesOriginal: boolean;
  readonly fromEnd: boolean;
}

export const edgeNgram: TokenFilterType = {
  type: 'edge_ngram',
  aliases: ['edgeNGram'],
  options: ['min_gram', 'max_gram', 'side', 'preserve_original'],
  undeclared: { min_gram: '1', max_gram: '1' },
  create: (options) => {
    const parsed = parseOptions(options);
    return { name: 'edge_ngram', inSynonymRules: 'refused', into: (next) => gramConsumer(next, parsed) };
  },
};

function parseOptions(options: ComponentOptions): EdgeNgramOptions {
  const { min, max } = readGramLengths(options);
  const side = options.side ?? 'front';
  if (side !== 'front' && side !== 'back') throw illegalArgument(`invalid side: ${side}`);
  return { min, max, preservesOriginal: readFlag(options, 'preserve_original', false), fromEnd: side === 'back' };
}

function gramConsumer(next: TokenConsumer, { min, max, preservesOriginal, fromEnd }: EdgeNgramOptions): TokenConsumer {
  // Positions of dropped terms: the next gram keeps its distance to the one before.
  let skipped = 0;
  return (term, start, end, increment, type, attributes) => {
    const codePoints = [...term];
    const count = codePoints.length;
    let distance = skipped + increment;
    const emit = (gram: string): void => {
      next(gram, start, end, distance, type, attributes);
      distance = 0;
    };
    for (let length = min; length <= Math.min(max, count); length++) {
      emit((fromEnd ? codePoints.slice(count - length) : codePoints.slice(0, length)).join(''));
    }
    if (preservesOriginal && (count < min || count > max)) emit(term);
    skipped = distance;
  };
}
