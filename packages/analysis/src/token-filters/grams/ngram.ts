/**
 * Token filter `ngram`: every part of a term that is `min_gram` to `max_gram` code points long.
 *
 * All grams of a term stand at its position and have its offsets, for a filter before may have changed the letters.
 */
import { readFlag } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { checkGramDifference, type GramLengths, readGramLengths } from '../../tokens/gram-lengths.ts';
import type { TokenConsumer } from '../../tokens/token-consumer.ts';

export const ngram: TokenFilterType = {
  type: 'ngram',
  aliases: ['nGram'],
  options: ['min_gram', 'max_gram', 'preserve_original'],
  create: (options, { settings }) => {
    const lengths = readGramLengths(options);
    checkGramDifference(lengths, settings);
    const preservesOriginal = readFlag(options, 'preserve_original', false);
    return {
      name: 'ngram',
      inSynonymRules: 'refused',
      into: (next) => gramConsumer(next, lengths, preservesOriginal),
    };
  },
};

function gramConsumer(next: TokenConsumer, { min, max }: GramLengths, preservesOriginal: boolean): TokenConsumer {
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
    for (let from = 0; from + min <= count; from++) {
      for (let length = min; length <= max && from + length <= count; length++) {
        emit(codePoints.slice(from, from + length).join(''));
      }
    }
    if (preservesOriginal && (count < min || count > max)) emit(term);
    skipped = distance;
  };
}
