/**
 * Token filter `hyphenation_decompounder`: words of a list that stand between the places where a longer word may be broken, at its position.
 */
import { illegalArgument } from '@shoal/core';
import { type HyphenationFile, readHyphenationFile } from '../../hyphenation/hyphenation-file.ts';
import { Hyphenator } from '../../hyphenation/hyphenator.ts';
import { readFlag } from '../../tokens/component-options.ts';
import type { ComponentContext, TokenFilterType } from '../../tokens/component-type.ts';
import { DECOMPOUNDER_OPTIONS, type DecompounderOptions, readDecompounderOptions } from './decompounder-options.ts';

interface Matches extends DecompounderOptions {
  /** Words within a word that was found are none. */
  readonly noSubMatches: boolean;
  readonly noOverlaps: boolean;
}

/** Largest file of patterns. */
const FILE_BYTES_MAX = 32 * 1024 * 1024;

/** Words that one word is taken apart into. */
const SUBWORDS_MAX = 10_000;

export const hyphenationDecompounder: TokenFilterType = {
  type: 'hyphenation_decompounder',
  options: [...DECOMPOUNDER_OPTIONS, 'hyphenation_patterns_path', 'no_sub_matches', 'no_overlapping_matches'],
  needsOptions: true,
  create: (options, context, name) => {
    const { hyphenation_patterns_path: path } = options;
    const noSubMatches = readFlag(options, 'no_sub_matches', false);
    const noOverlaps = readFlag(options, 'no_overlapping_matches', false);
    const matches: Matches = { noSubMatches, noOverlaps, ...readDecompounderOptions(options, name) };
    const hyphenator = new Hyphenator(patternsOf(path, context));
    return {
      name: 'hyphenation_decompounder',
      inSynonymRules: 'refused',
      into: (next) => (term, start, end, increment, type, attributes) => {
        next(term, start, end, increment, type, attributes);
        if (term.length < matches.wordMin) return;
        let left = SUBWORDS_MAX;
        for (const word of subwordsOf(term, hyphenator.points(term) ?? [], matches)) {
          if (--left < 0) throw illegalArgument(`a word is made of more than [${SUBWORDS_MAX}] words`);
          next(word, start, end, 0, type, attributes);
        }
      },
    };
  },
};

function patternsOf(path: string | undefined, { files }: ComponentContext): HyphenationFile {
  if (path === undefined) throw illegalArgument('hyphenation_patterns_path is a required setting.');
  const file = files.read(path, FILE_BYTES_MAX);
  if (file.kind === 'read') return readHyphenationFile(file.bytes);
  throw illegalArgument(
    file.kind === 'outside'
      ? `Access denied trying to read file hyphenation_patterns_path: ${file.path}`
      : 'Exception while reading hyphenation_patterns_path.',
  );
}

/** At each point the words to later ones, the longest first; also those that lack their last letter, which may only bind two words. */
function* subwordsOf(term: string, points: readonly number[], options: Matches): Iterable<string> {
  const { words, subwordMin, noSubMatches, noOverlaps, onlyLongest } = options;
  const subwordMax = Math.min(options.subwordMax, term.length - 1);
  const takesOne = onlyLongest || noSubMatches || noOverlaps;
  // A word of the list is whole, but where all words in it are wanted.
  if (takesOne && (words.has(term) || (term.length > 1 && words.has(term.slice(0, -1))))) return;
  let consumed = -1;
  for (let from = 0; from < points.length; from++) {
    if (noOverlaps) from = Math.max(from, consumed);
    const start = points[from] ?? 0;
    const until = noSubMatches ? Math.max(consumed, from) : from;
    for (let to = points.length - 1; to > until; to--) {
      const length = (points[to] ?? 0) - start;
      if (length > subwordMax) continue;
      if (length < subwordMin) break;
      const word = [length, length - 1].map((size) => term.slice(start, start + size)).find((part) => words.has(part));
      if (word === undefined) continue;
      yield word;
      consumed = to;
      if (takesOne) break;
    }
  }
}
