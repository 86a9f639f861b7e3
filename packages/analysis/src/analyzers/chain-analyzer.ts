/**
 * An analyzer as char filters, a tokenizer and a chain of token filters.
 *
 * A chain without a filter that looks ahead works token by token, and makes no object a token.
 */
import type { Analyzer } from '../tokens/analyzer.ts';
import type { AsciiWordRules } from '../tokens/ascii-words.ts';
import type { OffsetCorrections } from '../tokens/offset-corrections.ts';
import { passToken } from '../tokens/token.ts';
import type { TokenConsumer } from '../tokens/token-consumer.ts';
import {
  type CharFilter,
  isStreamFilter,
  type StreamEnd,
  type TokenFilter,
  type Tokenizer,
} from '../tokens/token-stage.ts';
import { applyFilters, collectTokens } from '../tokens/token-stream.ts';

/** Positions between two values of one field, unless the field or analyzer says otherwise. */
export const POSITION_INCREMENT_GAP = 100;

export interface ChainOptions {
  /** Applied to the text in this order, before the tokenizer. */
  readonly charFilters?: readonly CharFilter[];
  readonly positionIncrementGap?: number;
  /** Put together by a user. */
  readonly isCustom?: boolean;
}

/** Puts char filters, a tokenizer and filters together. */
export function chainAnalyzer(
  name: string,
  tokenizer: Tokenizer,
  filters: readonly TokenFilter[],
  { charFilters = [], positionIncrementGap = POSITION_INCREMENT_GAP, isCustom = false }: ChainOptions = {},
): Analyzer {
  const needsStreams = filters.some(isStreamFilter);
  const mayLeaveOut = filters.some(({ isLowercase }) => isLowercase !== true);
  return {
    name,
    positionIncrementGap,
    stages: { charFilters, tokenizer, filters, isCustom },
    asciiWords: charFilters.length === 0 ? asciiWordsOf(tokenizer, filters) : null,
    analyze(text, consume) {
      if (needsStreams) return analyzeInStreams(text, charFilters, tokenizer, filters, consume);
      const counter = mayLeaveOut ? new LeftOutPositions(consume) : null;
      let target = counter?.came ?? consume;
      for (let i = filters.length - 1; i >= 0; i--) {
        const filter = filters[i];
        if (filter !== undefined && !isStreamFilter(filter)) target = filter.into(target);
      }
      tokenize(text, charFilters, tokenizer, counter?.counted(target) ?? target);
      return counter?.trailing ?? 0;
    },
    normalize(text) {
      let value = text;
      for (const filter of charFilters) if (filter.isNormalizing) value = filter.apply(value).text;
      const folded = tokenizer.normalize?.(value) ?? value;
      return filters.reduce((term, filter) => filter.normalize?.(term) ?? term, folded);
    },
  };
}

/** Text behind all char filters, and the way back to offsets of the text before them. */
export function filterText(text: string, charFilters: readonly CharFilter[]): { text: string; correct: CorrectOffset } {
  let filtered = text;
  const corrections: OffsetCorrections[] = [];
  for (const filter of charFilters) {
    const step = filter.apply(filtered);
    filtered = step.text;
    if (step.corrections !== null) corrections.push(step.corrections);
  }
  return { text: filtered, correct: (offset) => corrections.reduceRight((at, step) => step.correct(at), offset) };
}

type CorrectOffset = (offset: number) => number;

function tokenize(text: string, charFilters: readonly CharFilter[], tokenizer: Tokenizer, target: TokenConsumer): void {
  if (charFilters.length === 0) {
    tokenizer.tokenize(text, target);
    return;
  }
  const { text: filtered, correct } = filterText(text, charFilters);
  tokenizer.tokenize(filtered, (term, start, end, increment, type, attributes) =>
    target(term, correct(start), correct(end), increment, type, attributes),
  );
}

function analyzeInStreams(
  text: string,
  charFilters: readonly CharFilter[],
  tokenizer: Tokenizer,
  filters: readonly TokenFilter[],
  consume: TokenConsumer,
): number {
  const tokens = collectTokens((next) => tokenize(text, charFilters, tokenizer, next));
  const end: StreamEnd = { offset: text.length, increment: 0 };
  for (const token of applyFilters(filters, tokens, end)) passToken(token, consume);
  return end.increment;
}

/** Counts positions that go into a chain of filters since a token last came out of it. */
class LeftOutPositions {
  /** Positions behind the last token that came out. */
  trailing = 0;
  /** Takes what comes out of the chain. */
  readonly came: TokenConsumer;

  constructor(consume: TokenConsumer) {
    this.came = (term, start, end, increment, type, attributes) => {
      this.trailing = 0;
      consume(term, start, end, increment, type, attributes);
    };
  }

  /** Takes what goes into the chain; a token that comes out of it sets the count back. */
  counted(chain: TokenConsumer): TokenConsumer {
    return (term, start, end, increment, type, attributes) => {
      this.trailing += increment;
      chain(term, start, end, increment, type, attributes);
    };
  }
}

function asciiWordsOf({ maxWordLength }: Tokenizer, filters: readonly TokenFilter[]): AsciiWordRules | null {
  if (maxWordLength === undefined || !filters.every(({ isLowercase }) => isLowercase === true)) return null;
  return { maxTokenLength: maxWordLength, lowercases: filters.length > 0 };
}
