/**
 * Lengths of grams, which the tokenizers and token filters `ngram` and `edge_ngram` share.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readInteger } from './component-options.ts';

export interface GramLengths {
  /** Shortest gram, in code points; at least 1. */
  readonly min: number;
  /** Longest gram, in code points; at least `min`. */
  readonly max: number;
}

/** Lengths of grams by default: `ngram`, `edge_ngram`, tokenizers and filters alike. */
const MIN_GRAM_DEFAULT = 1;
const MAX_GRAM_DEFAULT = 2;

/** @throws ShoalError illegal_argument_exception for lengths that make no grams */
export function readGramLengths(options: ComponentOptions): GramLengths {
  const min = readInteger(options, 'min_gram', MIN_GRAM_DEFAULT);
  const max = readInteger(options, 'max_gram', MAX_GRAM_DEFAULT);
  if (min < 1) throw illegalArgument('minGram must be greater than zero');
  if (min > max) throw illegalArgument('minGram must not be greater than maxGram');
  return { min, max };
}

const MAX_NGRAM_DIFF = 'index.max_ngram_diff';

/** Default of `index.max_ngram_diff`. */
const MAX_NGRAM_DIFF_DEFAULT = 1;

/** @throws ShoalError illegal_argument_exception when grams have more lengths than the index allows */
export function checkGramDifference({ min, max }: GramLengths, settings: ComponentOptions): void {
  const allowed = readInteger(settings, MAX_NGRAM_DIFF, MAX_NGRAM_DIFF_DEFAULT);
  if (max - min <= allowed) return;
  throw illegalArgument(
    `The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: [${allowed}] but was [${max - min}]. This limit can be set by changing the [${MAX_NGRAM_DIFF}] index level setting.`,
  );
}
