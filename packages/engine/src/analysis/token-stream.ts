/**
 * How tokenizers and filters fit together: a tokenizer feeds a consumer, a filter is a consumer that feeds another.
 */
import type { TokenConsumer } from './analyzer.ts';

export interface Tokenizer {
  readonly name: string;
  tokenize(text: string, consume: TokenConsumer): void;
}

/** Makes one consumer for one text: a filter that counts may keep its counts in the closure. */
export interface TokenFilter {
  readonly name: string;
  into(next: TokenConsumer): TokenConsumer;
}
