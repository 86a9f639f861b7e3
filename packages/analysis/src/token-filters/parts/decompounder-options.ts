/**
 * Options that both decompounders have: which words they look for, and how long words are.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readFlag, readInteger, readList } from '../../tokens/component-options.ts';

export const DECOMPOUNDER_OPTIONS: readonly string[] = [
  ...['word_list', 'min_word_size', 'min_subword_size', 'max_subword_size', 'only_longest_match'],
];

export interface DecompounderOptions {
  /** In lower case where case is ignored. */
  readonly words: ReadonlySet<string>;
  /** Shortest word that is taken apart. */
  readonly wordMin: number;
  readonly subwordMin: number;
  readonly subwordMax: number;
  readonly onlyLongest: boolean;
}

/** @throws ShoalError illegal_argument_exception for a size below 0, or no list */
export function readDecompounderOptions(options: ComponentOptions, name: string): DecompounderOptions {
  const words = readList(options, 'word_list');
  const wordMin = readInteger(options, 'min_word_size', 5);
  const subwordMin = readInteger(options, 'min_subword_size', 2);
  const subwordMax = readInteger(options, 'max_subword_size', 15);
  if (wordMin < 0) throw illegalArgument('minWordSize cannot be negative');
  if (subwordMin < 0) throw illegalArgument('minSubwordSize cannot be negative');
  if (subwordMax < 0) throw illegalArgument('maxSubwordSize cannot be negative');
  const onlyLongest = readFlag(options, 'only_longest_match', false);
  if (words === null) {
    throw illegalArgument(`word_list must be provided for [${name}], either as a path to a file, or directly`);
  }
  return { words: new Set(words), wordMin, subwordMin, subwordMax, onlyLongest };
}
