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
import { type CharFilter, isStreamFilter, type TokenFilter, type Tokenizer } from '../tokens/token-stage.ts';
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
  return {
    name,
    positionIncrementGap,
    stages: { charFilters, tokenizer, filters, isCustom },
    asciiWords: charFilters.length === 0 ? asciiWordsOf(tokenizer, filters) : null,
    analyze(text, consume) {
      if (needsStreams) {
        analyzeInStreams(text, charFilters, tokenizer, filters, consume);
        return;
      }
      let target = consume;
      for (let i = filters.length - 1; i >= 0; i--) {
        const filter = filters[i];
        if (filter !== undefined && !isStreamFilter(filter)) target = filter.into(target);
      }
      tokenize(text, charFilters, tokenizer, target);
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
): void {
  const tokens = collectTokens((next) => tokenize(text, charFilters, tokenizer, next));
  for (const token of applyFilters(filters, tokens, text.length)) passToken(token, consume);
}

function asciiWordsOf({ maxWordLength }: Tokenizer, filters: readonly TokenFilter[]): AsciiWordRules | null {
  if (maxWordLength === undefined || !filters.every(({ isLowercase }) => isLowercase === true)) return null;
  return { maxTokenLength: maxWordLength, lowercases: filters.length > 0 };
}
