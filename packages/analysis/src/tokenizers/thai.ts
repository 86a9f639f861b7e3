/**
 * Tokenizer `thai`: words of Thai by the dictionary of the platform's segmenter; words of other scripts by its rules.
 */
import type { TokenizerType } from '../tokens/component-type.ts';
import type { Tokenizer } from '../tokens/token-stage.ts';

export function createThaiTokenizer(): Tokenizer {
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
  return {
    name: 'thai',
    tokenize(text, consume) {
      for (const { segment, index, isWordLike } of segmenter.segment(text)) {
        if (isWordLike !== true) continue;
        // The segmenter joins words at underscores.
        for (const { 0: word, index: start } of segment.matchAll(/[^_]+/g)) {
          consume(word, index + start, index + start + word.length, 1, 'word');
        }
      }
    },
  };
}

export const thaiTokenizer: TokenizerType = { type: 'thai', options: [], create: createThaiTokenizer };
