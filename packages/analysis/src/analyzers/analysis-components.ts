/**
 * Tokenizers and token filters by name, built in or declared by an index with a type and options.
 */
import { illegalArgument } from '@shoal/core';
import { ENGLISH_STOP_WORDS } from '../token-filters/stop-words.ts';
import {
  asciiFoldingFilter,
  englishPossessiveFilter,
  lengthFilter,
  lowercaseFilter,
  mapTerms,
  porterStemFilter,
  stopFilter,
} from '../token-filters/token-filters.ts';
import {
  createKeywordTokenizer,
  createLetterTokenizer,
  createLowercaseTokenizer,
  createWhitespaceTokenizer,
} from '../tokenizers/simple-tokenizers.ts';
import { createStandardTokenizer, MAX_TOKEN_LENGTH } from '../tokenizers/standard-tokenizer.ts';
import type { TokenFilter, Tokenizer } from '../tokens/token-stage.ts';

type Options = Readonly<Record<string, string>>;

/** null when `name` is neither declared nor built in. */
export function createTokenizer(name: string, declared: Options | null): Tokenizer | null {
  const type = declared?.type ?? name;
  const maxLength = declared?.max_token_length === undefined ? MAX_TOKEN_LENGTH : Number(declared.max_token_length);
  switch (type) {
    case 'standard':
      return createStandardTokenizer(maxLength);
    case 'keyword':
      return createKeywordTokenizer();
    case 'whitespace':
      return createWhitespaceTokenizer(maxLength);
    case 'letter':
      return createLetterTokenizer(maxLength);
    case 'lowercase':
      return createLowercaseTokenizer(maxLength);
    default:
      if (declared) throw illegalArgument(`Unknown tokenizer type [${type}] for [${name}]`);
      return null;
  }
}

/** null when `name` is neither declared nor built in. */
export function createTokenFilter(name: string, declared: Options | null): TokenFilter | null {
  const type = declared?.type ?? name;
  const filter = builtInFilter(type, declared ?? {});
  if (filter === null && declared) throw illegalArgument(`Unknown filter type [${type}] for [${name}]`);
  return filter && { ...filter, name };
}

function builtInFilter(type: string, options: Options): TokenFilter | null {
  switch (type) {
    case 'lowercase':
      return lowercaseFilter();
    case 'uppercase':
      return mapTerms(type, (term) => term.toUpperCase());
    case 'stop':
      return stopFilter(stopWordsOf(options), options.ignore_case === 'true');
    case 'porter_stem':
      return porterStemFilter();
    case 'stemmer':
      return stemmerOf(options.language ?? options.name ?? 'porter');
    case 'asciifolding':
      return asciiFoldingFilter();
    case 'length':
      return lengthFilter(Number(options.min ?? 0), Number(options.max ?? Number.MAX_SAFE_INTEGER));
    case 'trim':
      return mapTerms(type, (term) => term.trim());
    case 'reverse':
      return mapTerms(type, (term) => [...term].reverse().join(''));
    case 'truncate':
      return mapTerms(type, (term) => [...term].slice(0, Number(options.length ?? 10)).join(''));
    default:
      return null;
  }
}

function stemmerOf(language: string): TokenFilter {
  switch (language.toLowerCase()) {
    case 'porter':
    case 'english':
      return porterStemFilter();
    case 'possessive_english':
      return englishPossessiveFilter();
    default:
      throw illegalArgument(`stemmer language [${language}] is not supported`);
  }
}

function stopWordsOf(options: Options): readonly string[] {
  const words = readList(options, 'stopwords') ?? ['_english_'];
  if (words.length !== 1) return words;
  if (words[0] === '_english_') return ENGLISH_STOP_WORDS;
  return words[0] === '_none_' ? [] : words;
}

/** A list in flat settings: `name.0`, `name.1`, … or one text with commas; null when there is none. */
export function readList(options: Options, name: string): readonly string[] | null {
  const single = options[name];
  if (single !== undefined) {
    return single
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
  const items: string[] = [];
  for (let i = 0; options[`${name}.${i}`] !== undefined; i++) items.push(options[`${name}.${i}`] ?? '');
  return items.length === 0 ? null : items;
}
