/**
 * The `_analyze` API: shows which tokens an analyzer makes of a text.
 */
import { illegalArgument } from '@shoal/core';
import { chainAnalyzer, filterText } from '../analyzers/chain-analyzer.ts';
import type { Analyzer } from '../tokens/analyzer.ts';
import type { ComponentOptions } from '../tokens/component-options.ts';
import type { PrecedingStages } from '../tokens/component-type.ts';
import type { TokenAttributes, TokenType } from '../tokens/token-consumer.ts';
import type { CharFilter, ShownAttribute, TokenFilter, Tokenizer } from '../tokens/token-stage.ts';
import { createCharFilter, createTokenFilter, createTokenizer, typeNamed } from './analysis-components.ts';
import type { AnalyzerRegistry } from './analyzer-registry.ts';
import { checkInlineComponent, inlineName } from './check-analysis.ts';
import { TOKEN_FILTER_TYPES } from './token-filter-types.ts';

/** A name, or a declaration as in settings: `{type: 'stop', 'stopwords.0': 'a'}`. */
export type RequestedComponent = string | ComponentOptions;

/** At most one of `analyzer` and `normalizer`, or a chain, or nothing (the default analyzer). */
export interface AnalyzeRequest {
  readonly texts: readonly string[];
  readonly analyzer: string | null;
  readonly normalizer: string | null;
  readonly tokenizer: RequestedComponent | null;
  readonly charFilters: readonly RequestedComponent[];
  readonly filters: readonly RequestedComponent[];
  readonly explain: boolean;
  /** More tokens than this, in any step, are refused: `index.analyze.max_token_count`. */
  readonly tokensMax: number;
  /** The components of one index are meant, not only the built-in ones. */
  readonly hasIndex: boolean;
}

export interface AnalyzedToken {
  readonly token: string;
  readonly start_offset: number;
  readonly end_offset: number;
  readonly type: TokenType;
  readonly position: number;
  readonly positionLength?: number;
}

/** The body of the answer. @throws ShoalError illegal_argument_exception for components that there are not */
export function analyzeRequest(registry: AnalyzerRegistry, request: AnalyzeRequest): Record<string, unknown> {
  if (request.texts.length === 0) throw illegalArgument('text is missing');
  const analyzer = requestedAnalyzer(registry, request);
  if (!request.explain) return { tokens: tokensOf(analyzer, request).map(({ plain }) => plain) };
  const { stages } = analyzer;
  if (stages?.isCustom === true) return { detail: { custom_analyzer: true, ...explainedStages(stages, request) } };
  const shown = stages?.filters.flatMap((filter) => filter.shows ?? []) ?? [];
  const tokens = tokensOf(analyzer, request).map((token) => explained(token, shown));
  return { detail: { custom_analyzer: false, analyzer: { name: analyzer.name, tokens } } };
}

function requestedAnalyzer(registry: AnalyzerRegistry, request: AnalyzeRequest): Analyzer {
  const { normalizer, tokenizer, filters, charFilters } = request;
  if (normalizer !== null) {
    const found = registry.normalizer(normalizer);
    if (found) return found;
    throw illegalArgument(`failed to find normalizer under [${normalizer}]`);
  }
  if (tokenizer !== null || filters.length > 0 || charFilters.length > 0) return customChain(registry, request);
  const name = request.analyzer ?? 'default';
  const found = registry.get(name);
  // Only analyzers of an index have the gap of its fields between their texts.
  if (found) return request.hasIndex ? found : { ...found, positionIncrementGap: 0 };
  throw illegalArgument(`failed to find ${request.hasIndex ? '' : 'global '}analyzer [${name}]`);
}

/** A chain of the request; one without a tokenizer is a normalizer. */
function customChain(registry: AnalyzerRegistry, request: AnalyzeRequest): Analyzer {
  const isNormalizer = request.tokenizer === null;
  const charFilters = request.charFilters.map((given) => charFilterOf(registry, given, request));
  const tokenizer = tokenizerOf(registry, request.tokenizer ?? 'keyword', request);
  const filters: TokenFilter[] = [];
  for (const given of request.filters) {
    const filter = filterOf(registry, given, { charFilters, tokenizer, filters: [...filters] }, request);
    if (isNormalizer && filter.normalize === undefined) {
      throw illegalArgument(`Custom normalizer may not use filter [${filter.name}]`);
    }
    filters.push(filter);
  }
  return chainAnalyzer('custom', tokenizer, filters, { charFilters, isCustom: true });
}

type Origin = Pick<AnalyzeRequest, 'hasIndex'>;

function charFilterOf(registry: AnalyzerRegistry, given: RequestedComponent, origin: Origin): CharFilter {
  const found =
    typeof given === 'string'
      ? registry.charFilter(given)
      : createCharFilter(inlineName(checkInlineComponent('char_filter', given)), given, registry.context(null).files);
  return found ?? notFound('char_filter', given, origin);
}

function tokenizerOf(registry: AnalyzerRegistry, given: RequestedComponent, origin: Origin): Tokenizer {
  const found =
    typeof given === 'string'
      ? registry.tokenizer(given)
      : createTokenizer(inlineName(checkInlineComponent('tokenizer', given)), given, registry.context(null));
  return found ?? notFound('tokenizer', given, origin);
}

function filterOf(
  registry: AnalyzerRegistry,
  given: RequestedComponent,
  preceding: PrecedingStages,
  origin: Origin,
): TokenFilter {
  const found =
    typeof given === 'string'
      ? namedFilter(registry, given, preceding, origin)
      : createTokenFilter(inlineName(checkInlineComponent('filter', given)), given, registry.context(preceding));
  return found ?? notFound('filter', given, origin);
}

/** To a request about an index, a name that the index does not declare is a type without options: chains of the index may have another. */
function namedFilter(
  registry: AnalyzerRegistry,
  name: string,
  preceding: PrecedingStages,
  { hasIndex }: Origin,
): TokenFilter | null {
  const isBareType = hasIndex && !registry.declaresTokenFilter(name) && typeNamed(TOKEN_FILTER_TYPES, name) !== null;
  return isBareType ? createTokenFilter(name, {}, registry.context(preceding)) : registry.tokenFilter(name, preceding);
}

function notFound(group: string, given: RequestedComponent, { hasIndex }: Origin): never {
  throw illegalArgument(`failed to find ${hasIndex ? '' : 'global '}${group} under [${String(given)}]`);
}

type Stages = PrecedingStages;

function explainedStages(
  { charFilters, tokenizer, filters }: Stages,
  request: AnalyzeRequest,
): Record<string, unknown> {
  const stage = (count: number) => {
    const used = filters.slice(0, count);
    const shown = used.flatMap((filter) => filter.shows ?? []);
    // Texts follow one another without a gap here, unlike in the plain answer.
    const chain = chainAnalyzer('custom', tokenizer, used, { charFilters, positionIncrementGap: 0 });
    return tokensOf(chain, request).map((token) => explained(token, shown));
  };
  return {
    charfilters: charFilters.map(({ name }, i) => ({
      name,
      filtered_text: request.texts.map((text) => filterText(text, charFilters.slice(0, i + 1)).text),
    })),
    tokenizer: { name: tokenizer.name, tokens: stage(0) },
    tokenfilters: filters.map(({ name }, i) => ({ name, tokens: stage(i + 1) })),
  };
}

interface FoundToken {
  readonly plain: AnalyzedToken;
  readonly attributes: TokenAttributes | undefined;
}

function tokensOf(analyzer: Analyzer, { texts, tokensMax }: AnalyzeRequest): FoundToken[] {
  const tokens: FoundToken[] = [];
  let position = -1;
  let offset = 0;
  for (const text of texts) {
    const trailing = analyzer.analyze(text, (token, start, end, increment, type, attributes) => {
      if (tokens.length >= tokensMax) {
        throw illegalArgument(
          `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${tokensMax}]. This limit can be set by changing the [index.analyze.max_token_count] index level setting.`,
        );
      }
      position += increment;
      const length = attributes?.positionLength ?? 1;
      const plain = { token, start_offset: offset + start, end_offset: offset + end, type, position };
      tokens.push({ plain: length > 1 ? { ...plain, positionLength: length } : plain, attributes });
    });
    offset += text.length + 1;
    position += trailing + analyzer.positionIncrementGap;
  }
  return tokens;
}

/** What `explain` shows beside the plain token. */
function explained({ plain, attributes }: FoundToken, shown: readonly ShownAttribute[]): Record<string, unknown> {
  const payload = attributes?.payload ?? null;
  return {
    ...plain,
    bytes: hexBytes(Buffer.from(plain.token, 'utf8')),
    ...(shown.includes('keyword') ? { keyword: attributes?.isKeyword === true } : {}),
    ...(shown.includes('payload') ? { payload: payload === null ? null : hexBytes(payload) } : {}),
    positionLength: attributes?.positionLength ?? 1,
    termFrequency: 1,
  };
}

function hexBytes(bytes: Uint8Array): string {
  return `[${[...bytes].map((b) => b.toString(16)).join(' ')}]`;
}
