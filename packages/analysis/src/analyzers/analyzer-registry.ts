/**
 * The analyzers of one index: the built-in ones and those that its settings declare under `index.analysis`.
 *
 * Built when first asked for, and once: caches of stems and character classes live with their analyzer.
 */
import { illegalArgument } from '@shoal/core';
import { ENGLISH_STOP_WORDS } from '../token-filters/stop-words.ts';
import {
  englishPossessiveFilter,
  lowercaseFilter,
  porterStemFilter,
  stopFilter,
} from '../token-filters/token-filters.ts';
import type { Analyzer } from '../tokens/analyzer.ts';
import type { AsciiWordRules } from '../tokens/ascii-words.ts';
import type { TokenFilter, Tokenizer } from '../tokens/token-stage.ts';
import { createTokenFilter, createTokenizer, readList } from './analysis-components.ts';

/** Positions between two values of one field, unless the field or analyzer says otherwise. */
const POSITION_INCREMENT_GAP = 100;
const PREFIX = 'index.analysis.';

export type FlatSettings = Readonly<Record<string, string>>;

export interface AnalyzerRegistry {
  /** null when no such analyzer is built in or declared. `default` is `standard` unless declared. */
  get(name: string): Analyzer | null;
  tokenizer(name: string): Tokenizer | null;
  tokenFilter(name: string): TokenFilter | null;
}

/** @throws ShoalError illegal_argument_exception when a declared analyzer that is asked for cannot be built */
export function createAnalyzers(settings: FlatSettings): AnalyzerRegistry {
  const known = new Map<string, Analyzer | null>();
  const registry: AnalyzerRegistry = {
    get(name) {
      let found = known.get(name);
      if (found === undefined) {
        found = buildAnalyzer(name, settings, registry);
        known.set(name, found);
      }
      return found;
    },
    tokenizer: (name) => createTokenizer(name, declaration(settings, 'tokenizer', name)),
    tokenFilter: (name) => createTokenFilter(name, declaration(settings, 'filter', name)),
  };
  return registry;
}

/** Settings of one declared component, without their prefix; null when it is not declared. */
function declaration(
  settings: FlatSettings,
  group: 'analyzer' | 'tokenizer' | 'filter',
  name: string,
): FlatSettings | null {
  const prefix = `${PREFIX}${group}.${name}.`;
  const own = Object.entries(settings).filter(([key]) => key.startsWith(prefix));
  return own.length === 0 ? null : Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]));
}

function buildAnalyzer(name: string, settings: FlatSettings, registry: AnalyzerRegistry): Analyzer | null {
  const declared = declaration(settings, 'analyzer', name);
  if (declared) return declaredAnalyzer(name, declared, registry);
  return builtInAnalyzer(name, name, {});
}

/** Puts a tokenizer and filters together. */
export function chainAnalyzer(
  name: string,
  tokenizer: Tokenizer,
  filters: readonly TokenFilter[],
  positionIncrementGap: number = POSITION_INCREMENT_GAP,
): Analyzer {
  return {
    name,
    positionIncrementGap,
    asciiWords: asciiWordsOf(tokenizer, filters),
    analyze(text, consume) {
      let target = consume;
      for (let i = filters.length - 1; i >= 0; i--) target = filters[i]?.into(target) ?? target;
      tokenizer.tokenize(text, target);
    },
  };
}

function asciiWordsOf({ maxWordLength }: Tokenizer, filters: readonly TokenFilter[]): AsciiWordRules | null {
  if (maxWordLength === undefined || !filters.every(({ isLowercase }) => isLowercase === true)) return null;
  return { maxTokenLength: maxWordLength, lowercases: filters.length > 0 };
}

/** `options` are those of a declared analyzer of a built-in type, such as `stopwords`. */
function builtInAnalyzer(type: string, name: string, options: FlatSettings): Analyzer | null {
  const stopWords = (fallback: readonly string[]) => readStopWords(options, fallback);
  const tokenizer = (of: string) => createTokenizer(of, options.max_token_length ? options : null);
  switch (type) {
    case 'default':
    case 'standard':
      return build(name, tokenizer('standard'), [lowercaseFilter(), ...stopFilters(stopWords([]))]);
    case 'simple':
      return build(name, tokenizer('lowercase'), []);
    case 'whitespace':
      return build(name, tokenizer('whitespace'), []);
    case 'keyword':
      return build(name, tokenizer('keyword'), []);
    case 'stop':
      return build(name, tokenizer('lowercase'), stopFilters(stopWords(ENGLISH_STOP_WORDS)));
    case 'english':
      return build(name, tokenizer('standard'), [
        englishPossessiveFilter(),
        lowercaseFilter(),
        ...stopFilters(stopWords(ENGLISH_STOP_WORDS)),
        porterStemFilter(readList(options, 'stem_exclusion') ?? []),
      ]);
    default:
      return null;
  }
}

function build(name: string, tokenizer: Tokenizer | null, filters: readonly TokenFilter[]): Analyzer | null {
  return tokenizer && chainAnalyzer(name, tokenizer, filters);
}

function stopFilters(words: readonly string[]): TokenFilter[] {
  return words.length === 0 ? [] : [stopFilter(words)];
}

function readStopWords(options: FlatSettings, fallback: readonly string[]): readonly string[] {
  const words = readList(options, 'stopwords');
  if (!words) return fallback;
  if (words.length === 1 && words[0] === '_english_') return ENGLISH_STOP_WORDS;
  if (words.length === 1 && words[0] === '_none_') return [];
  return words;
}

function declaredAnalyzer(name: string, declared: FlatSettings, registry: AnalyzerRegistry): Analyzer {
  const type = declared.type ?? 'custom';
  if (type !== 'custom') {
    const analyzer = builtInAnalyzer(type, name, declared);
    if (analyzer) return analyzer;
    throw illegalArgument(`Unknown analyzer type [${type}] for [${name}]`);
  }
  if (declared.tokenizer === undefined)
    throw illegalArgument(`analyzer [${name}] must specify either an analyzer type, or a tokenizer`);
  if ((readList(declared, 'char_filter') ?? []).length > 0) {
    throw illegalArgument(`analyzer [${name}]: char filters are not supported`);
  }
  const tokenizer = registry.tokenizer(declared.tokenizer);
  if (!tokenizer)
    throw illegalArgument(`Custom Analyzer [${name}] failed to find tokenizer under name [${declared.tokenizer}]`);
  const filters = (readList(declared, 'filter') ?? []).map((filterName) => {
    const filter = registry.tokenFilter(filterName);
    if (filter) return filter;
    throw illegalArgument(`Custom Analyzer [${name}] failed to find filter under name [${filterName}]`);
  });
  const gap = declared.position_increment_gap;
  return chainAnalyzer(name, tokenizer, filters, gap === undefined ? POSITION_INCREMENT_GAP : Number(gap));
}
