/**
 * How char filters, tokenizers and token filters fit together: a tokenizer feeds a consumer, a filter is a consumer that feeds another.
 */

import type { OffsetCorrections } from './offset-corrections.ts';
import type { Token } from './token.ts';
import type { TokenConsumer } from './token-consumer.ts';

/** Text after a char filter. */
export interface FilteredText {
  readonly text: string;
  /** From offsets in `text` to those in the text before the filter; null when none moved. */
  readonly corrections: OffsetCorrections | null;
}

/** Changes a text before it is cut. */
export interface CharFilter {
  readonly name: string;
  apply(text: string): FilteredText;
  /** It may stand in a normalizer: what it does fits single values and parts of words. */
  readonly isNormalizing: boolean;
}

export interface Tokenizer {
  readonly name: string;
  /** Longest token, of one that cuts text by the rules of `AsciiWords`. */
  readonly maxWordLength?: number;
  tokenize(text: string, consume: TokenConsumer): void;
  /** What it does to every letter; left out of one that only cuts. */
  normalize?(text: string): string;
}

export type ShownAttribute = 'keyword' | 'payload';

interface FilterCommon {
  readonly name: string;
  /** It lowers the case of letters and does nothing else. */
  readonly isLowercase?: boolean;
  /** What it does to every letter, so that it fits parts of words too; left out of one that needs whole words. */
  normalize?(text: string): string;
  /** How the rules of a synonym filter that stands behind it are read: `refused` where its tokens make no sense in a rule. */
  readonly inSynonymRules?: 'applied' | 'skipped' | 'refused';
  /** Attributes that `_analyze` shows of tokens behind it. */
  readonly shows?: readonly ShownAttribute[];
}

/** Makes one consumer for one text: a filter that counts may keep its counts in the closure. */
export interface ConsumerFilter extends FilterCommon {
  into(next: TokenConsumer): TokenConsumer;
}

/** What is behind the last token of a text. Set by the stages before when a filter has read all tokens. */
export interface StreamEnd {
  /** Length of the text before char filters. */
  offset: number;
  /** Positions of tokens that were removed behind the last one. */
  increment: number;
}

/** A filter that looks ahead, or has something to add behind the last token: it gets all tokens of a text. */
export interface StreamFilter extends FilterCommon {
  transform(tokens: Iterable<Token>, end: StreamEnd): Iterable<Token>;
}

export type TokenFilter = ConsumerFilter | StreamFilter;

export function isStreamFilter(filter: TokenFilter): filter is StreamFilter {
  return 'transform' in filter;
}
