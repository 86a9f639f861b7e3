/**
 * The `_analyze` API: shows which tokens an analyzer makes of a text.
 */
import { illegalArgument } from '@shoal/core';
import { chainAnalyzer } from '../analyzers/chain-analyzer.ts';
import type { Analyzer, TokenType } from '../tokens/analyzer.ts';
import type { TokenFilter } from '../tokens/token-stage.ts';
import { createTokenFilter } from './analysis-components.ts';
import type { AnalyzerRegistry } from './analyzer-registry.ts';
import { checkTokenFilter } from './check-analysis.ts';

/** Analysis components by their API names. Either `analyzer`, or `tokenizer` and `filters`, or nothing (the default analyzer). */
export interface AnalyzeRequest {
  readonly texts: readonly string[];
  readonly analyzer: string | null;
  readonly tokenizer: string | null;
  /** Names, or declarations as in settings: `{type: 'stop', stopwords: 'a,b'}`. */
  readonly filters: readonly (string | Readonly<Record<string, string>>)[];
  readonly explain: boolean;
  /** More tokens than this, in any step, are refused: `index.analyze.max_token_count`. */
  readonly tokensMax: number;
}

export interface AnalyzedToken {
  readonly token: string;
  readonly start_offset: number;
  readonly end_offset: number;
  readonly type: TokenType;
  readonly position: number;
}

/** The body of the answer. */
export function analyzeRequest(registry: AnalyzerRegistry, request: AnalyzeRequest): Record<string, unknown> {
  if (request.texts.length === 0) throw illegalArgument('text is missing');
  if (request.tokenizer === null && request.filters.length === 0) {
    const name = request.analyzer ?? 'default';
    const analyzer = registry.get(name);
    if (!analyzer) throw illegalArgument(`failed to find global analyzer [${name}]`);
    const tokens = tokensOf(analyzer, request);
    if (!request.explain) return { tokens };
    return { detail: { custom_analyzer: false, analyzer: { name, tokens: tokens.map(explained) } } };
  }
  return analyzeCustom(registry, request);
}

function analyzeCustom(registry: AnalyzerRegistry, request: AnalyzeRequest): Record<string, unknown> {
  const name = request.tokenizer ?? 'keyword';
  const tokenizer = registry.tokenizer(name);
  if (!tokenizer) throw illegalArgument(`failed to find global tokenizer under [${name}]`);
  const filters = request.filters.map((given) => filterOf(registry, given));
  const analyzer = chainAnalyzer('custom', tokenizer, filters);
  if (!request.explain) return { tokens: tokensOf(analyzer, request) };
  const stage = (count: number) =>
    tokensOf(chainAnalyzer('custom', tokenizer, filters.slice(0, count)), request).map(explained);
  return {
    detail: {
      custom_analyzer: true,
      charfilters: [],
      tokenizer: { name, tokens: stage(0) },
      tokenfilters: filters.map((filter, i) => ({ name: filter.name, tokens: stage(i + 1) })),
    },
  };
}

function filterOf(registry: AnalyzerRegistry, given: string | Readonly<Record<string, string>>): TokenFilter {
  const anonymous = `_anonymous_tokenfilter_[${typeof given === 'string' ? '' : (given.type ?? '')}]`;
  if (typeof given !== 'string') checkTokenFilter(anonymous, given);
  const filter = typeof given === 'string' ? registry.tokenFilter(given) : createTokenFilter(anonymous, given);
  if (filter) return filter;
  throw illegalArgument(`failed to find global filter under [${String(given)}]`);
}

function tokensOf(analyzer: Analyzer, { texts, tokensMax }: AnalyzeRequest): AnalyzedToken[] {
  const tokens: AnalyzedToken[] = [];
  let position = -1;
  let offset = 0;
  for (const text of texts) {
    analyzer.analyze(text, (token, start, end, increment, type) => {
      if (tokens.length >= tokensMax) {
        throw illegalArgument(
          `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${tokensMax}]. This limit can be set by changing the [index.analyze.max_token_count] index level setting.`,
        );
      }
      position += increment;
      tokens.push({ token, start_offset: offset + start, end_offset: offset + end, type, position });
    });
    offset += text.length + 1;
    position += analyzer.positionIncrementGap;
  }
  return tokens;
}

/** What `explain` shows beside the plain token. */
function explained(token: AnalyzedToken): Record<string, unknown> {
  const bytes = [...Buffer.from(token.token, 'utf8')].map((b) => b.toString(16)).join(' ');
  return { ...token, bytes: `[${bytes}]`, positionLength: 1, termFrequency: 1 };
}
