/**
 * Token filter `shingle`: runs of neighbouring words as one term.
 *
 * A place whose word was removed before it counts as a filler, so that a shingle never joins words that are apart.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readFlag, readInteger } from '../../tokens/component-options.ts';
import type { ComponentContext, TokenFilterType } from '../../tokens/component-type.ts';
import type { Token } from '../../tokens/token.ts';
import type { StreamEnd } from '../../tokens/token-stage.ts';

const SHINGLE_SIZE_DEFAULT = 2;
const MAX_SHINGLE_DIFF = 'index.max_shingle_diff';
/** Default of `index.max_shingle_diff`. */
const MAX_SHINGLE_DIFF_DEFAULT = 3;

interface ShingleOptions {
  /** Fewest words of a shingle; at least 2. */
  readonly min: number;
  /** Most words of a shingle. */
  readonly max: number;
  readonly hasUnigrams: boolean;
  /** Words come out alone where a text has too few for a shingle. */
  readonly hasUnigramsAlone: boolean;
  readonly separator: string;
  readonly filler: string;
}

export const shingle: TokenFilterType = {
  type: 'shingle',
  options: [
    ...['min_shingle_size', 'max_shingle_size', 'output_unigrams', 'output_unigrams_if_no_shingles'],
    ...['token_separator', 'filler_token'],
  ],
  create: (options, context) => {
    const parsed = readOptions(options, context);
    return { name: 'shingle', inSynonymRules: 'refused', transform: (tokens, end) => shingles(tokens, end, parsed) };
  },
};

function readOptions(options: ComponentOptions, { settings }: ComponentContext): ShingleOptions {
  const max = readInteger(options, 'max_shingle_size', SHINGLE_SIZE_DEFAULT);
  const min = readInteger(options, 'min_shingle_size', SHINGLE_SIZE_DEFAULT);
  const hasUnigrams = readFlag(options, 'output_unigrams', true);
  const allowed = readInteger(settings, MAX_SHINGLE_DIFF, MAX_SHINGLE_DIFF_DEFAULT);
  const difference = max - min + (hasUnigrams ? 1 : 0);
  if (difference > allowed) {
    throw illegalArgument(
      `In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and +1 if outputting unigrams) must be less than or equal to: [${allowed}] but was [${difference}]. This limit can be set by changing the [${MAX_SHINGLE_DIFF}] index level setting.`,
    );
  }
  if (max < 2) throw illegalArgument('Max shingle size must be >= 2');
  if (min < 2) throw illegalArgument('Min shingle size must be >= 2');
  if (min > max) throw illegalArgument('Min shingle size must be <= max shingle size');
  return {
    min,
    max,
    hasUnigrams,
    hasUnigramsAlone: readFlag(options, 'output_unigrams_if_no_shingles', false),
    separator: options.token_separator ?? ' ',
    filler: options.filler_token ?? '_',
  };
}

/** A word, or the place of one that was removed. */
interface Place extends Token {
  readonly isFiller: boolean;
}

function* places(tokens: Iterable<Token>, end: Readonly<StreamEnd>, { max, filler }: ShingleOptions): Iterable<Place> {
  let last: Token | null = null;
  for (const token of tokens) {
    // A token at the place of the one before is the next word.
    const missing = Math.max(0, Math.min(token.increment - 1, max - 1));
    for (let i = 0; i < missing; i++) {
      yield { ...token, term: filler, end: token.start, increment: 1, positionLength: 1, isFiller: true };
    }
    yield { ...token, increment: 1, isFiller: false };
    last = token;
  }
  if (last === null) return;
  for (let i = 0; i < Math.min(end.increment, max - 1); i++) {
    yield {
      ...last,
      term: filler,
      start: end.offset,
      end: end.offset,
      increment: 1,
      positionLength: 1,
      isFiller: true,
    };
  }
}

function* shingles(tokens: Iterable<Token>, end: Readonly<StreamEnd>, options: ShingleOptions): Iterable<Token> {
  const { max, hasUnigrams, hasUnigramsAlone } = options;
  const window: Place[] = [];
  const source = places(tokens, end, options)[Symbol.iterator]();
  let hasShingle = false;
  let skipped = 0;
  let first: Place | null = null;
  for (;;) {
    while (window.length < max) {
      const { value, done } = source.next();
      if (done === true) break;
      window.push(value);
    }
    const [head] = window;
    if (head === undefined) break;
    first ??= head;
    let increment = skipped + head.increment;
    const unigram = hasUnigrams && !head.isFiller;
    if (unigram) {
      const { isFiller: _, ...token } = head;
      yield { ...token, increment };
      increment = 0;
    }
    for (const made of shinglesOf(window, options)) {
      hasShingle = true;
      yield { ...made, increment };
      increment = 0;
    }
    skipped = increment;
    window.shift();
  }
  if (!hasUnigrams && hasUnigramsAlone && !hasShingle && first !== null && !first.isFiller) {
    const { isFiller: _, ...token } = first;
    yield token;
  }
}

/** Shingles that begin with the first place, shortest first; one of fillers alone is none. */
function* shinglesOf(window: readonly Place[], { min, max, separator, hasUnigrams }: ShingleOptions): Iterable<Token> {
  const [head] = window;
  for (let size = min; size <= Math.min(max, window.length); size++) {
    const parts = window.slice(0, size);
    const last = parts.at(-1);
    if (head === undefined || last === undefined || parts.every(({ isFiller }) => isFiller)) continue;
    yield {
      term: parts.map(({ term }) => term).join(separator),
      start: head.start,
      end: last.end,
      increment: 0,
      type: 'shingle',
      positionLength: hasUnigrams ? size : Math.max(1, size - min + 1),
      isKeyword: false,
      payload: null,
    };
  }
}
