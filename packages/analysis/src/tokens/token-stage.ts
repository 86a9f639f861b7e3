/**
 * How tokenizers and filters fit together: a tokenizer feeds a consumer, a filter is a consumer that feeds another.
 */
import type { TokenConsumer } from './analyzer.ts';

export interface Tokenizer {
  readonly name: string;
  /** Longest token, of one that cuts text by the rules of `AsciiWords`. */
  readonly maxWordLength?: number;
  tokenize(text: string, consume: TokenConsumer): void;
  /** What it does to every letter; left out of one that only cuts. */
  normalize?(text: string): string;
}

/** Makes one consumer for one text: a filter that counts may keep its counts in the closure. */
export interface TokenFilter {
  readonly name: string;
  /** It lowers the case of letters and does nothing else. */
  readonly isLowercase?: boolean;
  into(next: TokenConsumer): TokenConsumer;
  /** What it does to every letter, so that it fits parts of words too; left out of one that needs whole words. */
  normalize?(text: string): string;
}
