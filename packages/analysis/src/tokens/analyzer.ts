/**
 * Text to tokens: what index time and query time share, so that both cut text alike.
 */
import type { AsciiWordRules } from './ascii-words.ts';
import type { TokenConsumer } from './token-consumer.ts';
import type { CharFilter, TokenFilter, Tokenizer } from './token-stage.ts';

/** Parts of an analyzer, for `_analyze` to show the tokens behind each. */
export interface AnalyzerStages {
  readonly charFilters: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly filters: readonly TokenFilter[];
  /** Put together by a user, who knows the parts by their names; false of one that is built in. */
  readonly isCustom: boolean;
}

export interface Analyzer {
  readonly name: string;
  /** Positions added between two values of one field; Elasticsearch's default is 100. */
  readonly positionIncrementGap: number;
  /** What it is made of. */
  readonly stages?: AnalyzerStages;
  /** How it cuts text of plain ASCII, when that is simple enough to do without it. */
  readonly asciiWords?: AsciiWordRules | null;
  /** @returns positions of words that were left out behind the last token: what follows the text stands so much farther on */
  analyze(text: string, consume: TokenConsumer): number;
  /** The text as one term, changed only as every letter is: lower case, folding. For patterns, which are not cut into words. */
  normalize(text: string): string;
}
