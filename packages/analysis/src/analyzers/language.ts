/**
 * Analyzers of languages: words in lower case, normalized, without the stop words of the language, stemmed.
 *
 * Words in `stem_exclusion` are not stemmed.
 */
import { cjkBigramFilter } from '../token-filters/grams/cjk-bigram.ts';
import { apostropheFilter } from '../token-filters/letters/apostrophe.ts';
import { cjkWidthFilter } from '../token-filters/letters/cjk-width.ts';
import { decimalDigitFilter } from '../token-filters/letters/decimal-digit.ts';
import { elisionFilter, FRENCH_ARTICLES } from '../token-filters/letters/elision.ts';
import { lowercaseFilter } from '../token-filters/letters/lowercase.ts';
import { arabicNormalizationFilter } from '../token-filters/normalization/arabic-normalization.ts';
import { bengaliNormalizationFilter } from '../token-filters/normalization/bengali-normalization.ts';
import { germanNormalizationFilter } from '../token-filters/normalization/german-normalization.ts';
import { hindiNormalizationFilter } from '../token-filters/normalization/hindi-normalization.ts';
import { indicNormalizationFilter } from '../token-filters/normalization/indic-normalization.ts';
import { persianNormalizationFilter } from '../token-filters/normalization/persian-normalization.ts';
import { soraniNormalizationFilter } from '../token-filters/normalization/sorani-normalization.ts';
import { readStopWords, stopFilters } from '../token-filters/selection/stop.ts';
import { stopWordsOf } from '../token-filters/selection/stop-words.ts';
import { keywordMarkers } from '../token-filters/stemming/keyword-marker.ts';
import { stemmerFilter } from '../token-filters/stemming/stemmer.ts';
import { overriddenStems } from '../token-filters/stemming/stemmer-override.ts';
import { createStandardTokenizer } from '../tokenizers/standard.ts';
import { createThaiTokenizer } from '../tokenizers/thai.ts';
import { readList } from '../tokens/component-options.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';
import { FilteredTextBuilder } from '../tokens/filtered-text-builder.ts';
import { toGreekLowerCase, toIrishLowerCase, toTurkishLowerCase } from '../tokens/letter-case.ts';
import { mapLetters } from '../tokens/term-filters.ts';
import type { CharFilter, TokenFilter, Tokenizer } from '../tokens/token-stage.ts';
import { chainAnalyzer } from './chain-analyzer.ts';

/** What differs from language to language. All parts are made anew for each analyzer. */
interface Language {
  readonly name: string;
  /** Before the stop words go; lower case alone where it is left out. */
  readonly before?: () => readonly TokenFilter[];
  /** Behind the stop words and the words that are not stemmed. */
  readonly behind?: () => readonly TokenFilter[];
  /** Name of the stemmer; that of the language where it is left out, none for null. */
  readonly stemmer?: string | null;
  readonly tokenizer?: () => Tokenizer;
  readonly charFilters?: () => readonly CharFilter[];
  /** False: its option `stem_exclusion` is none. */
  readonly hasStemExclusion?: boolean;
  /** Stop words by default; those of the language where it is left out. */
  readonly stopWords?: readonly string[];
}

const CATALAN_ARTICLES: readonly string[] = ['d', 'l', 'm', 'n', 's', 't'];
const IRISH_ARTICLES: readonly string[] = ['d', 'm', 'b'];
const ITALIAN_ARTICLES: readonly string[] =
  'c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d'.split(' ');
const CJK_STOP_WORDS: readonly string[] =
  'a and are as at be but by for if in into is it no not of on or s such t that the their then there these they this to was will with www'.split(
    ' ',
  );

/** Words that the Snowball algorithm gets wrong, as the analyzer has them. */
const DUTCH_STEMS: ReadonlyMap<string, string> = new Map([
  ['fiets', 'fiets'],
  ['bromfiets', 'bromfiets'],
  ['ei', 'eier'],
  ['kind', 'kinder'],
]);

const LANGUAGES: readonly Language[] = [
  {
    name: 'arabic',
    before: () => [lowercaseFilter(), decimalDigitFilter()],
    behind: () => [arabicNormalizationFilter()],
  },
  { name: 'armenian' },
  { name: 'basque' },
  {
    name: 'bengali',
    before: () => [
      ...[lowercaseFilter(), decimalDigitFilter(), indicNormalizationFilter(), bengaliNormalizationFilter()],
    ],
  },
  { name: 'brazilian' },
  { name: 'bulgarian' },
  { name: 'catalan', before: () => [elisionFilter(CATALAN_ARTICLES, true), lowercaseFilter()] },
  {
    name: 'cjk',
    before: () => [cjkWidthFilter(), lowercaseFilter(), cjkBigramFilter()],
    stemmer: null,
    stopWords: CJK_STOP_WORDS,
  },
  { name: 'czech' },
  { name: 'danish' },
  { name: 'dutch', behind: () => [overriddenStems(DUTCH_STEMS)] },
  { name: 'estonian' },
  { name: 'finnish' },
  {
    name: 'french',
    before: () => [elisionFilter(FRENCH_ARTICLES, true), lowercaseFilter()],
    stemmer: 'light_french',
  },
  { name: 'galician' },
  { name: 'german', behind: () => [germanNormalizationFilter()], stemmer: 'light_german' },
  { name: 'greek', before: () => [mapLetters('lowercase', toGreekLowerCase)], hasStemExclusion: false },
  {
    name: 'hindi',
    before: () => [
      ...[lowercaseFilter(), decimalDigitFilter(), indicNormalizationFilter(), hindiNormalizationFilter()],
    ],
  },
  { name: 'hungarian' },
  { name: 'indonesian' },
  {
    name: 'irish',
    before: () => [
      ...stopFilters(['h', 'n', 't']),
      elisionFilter(IRISH_ARTICLES, true),
      mapLetters('lowercase', toIrishLowerCase),
    ],
  },
  {
    name: 'italian',
    before: () => [elisionFilter(ITALIAN_ARTICLES, true), lowercaseFilter()],
    stemmer: 'light_italian',
  },
  { name: 'latvian' },
  { name: 'lithuanian' },
  { name: 'norwegian' },
  {
    name: 'persian',
    before: () => [
      ...[lowercaseFilter(), decimalDigitFilter(), arabicNormalizationFilter(), persianNormalizationFilter()],
    ],
    stemmer: null,
    charFilters: () => [PERSIAN_CHAR_FILTER],
  },
  { name: 'portuguese', stemmer: 'light_portuguese' },
  { name: 'romanian' },
  { name: 'russian' },
  {
    name: 'sorani',
    before: () => [soraniNormalizationFilter(), lowercaseFilter(), decimalDigitFilter()],
  },
  { name: 'spanish', stemmer: 'light_spanish' },
  { name: 'swedish' },
  {
    name: 'thai',
    before: () => [lowercaseFilter(), decimalDigitFilter()],
    tokenizer: createThaiTokenizer,
    stemmer: null,
  },
  { name: 'turkish', before: () => [apostropheFilter(), mapLetters('lowercase', toTurkishLowerCase)] },
];

/** A zero-width non-joiner parts words in Persian. */
const PERSIAN_CHAR_FILTER: CharFilter = {
  name: 'persian',
  isNormalizing: true,
  apply(text) {
    const out = new FilteredTextBuilder(text);
    for (const { index } of text.matchAll(/\u200c/g)) out.replace(index, index + 1, ' ');
    return out.done();
  },
};

export const LANGUAGE_ANALYZERS: readonly AnalyzerType[] = LANGUAGES.map(languageAnalyzer);

function languageAnalyzer(language: Language): AnalyzerType {
  const {
    name: type,
    stemmer = type,
    stopWords = stopWordsOf(type) ?? [],
    hasStemExclusion = stemmer !== null,
  } = language;
  return {
    type,
    options: hasStemExclusion ? ['stopwords', 'stem_exclusion'] : ['stopwords'],
    create(name, options) {
      const stop = stopFilters(readStopWords(options, stopWords));
      const unstemmed = hasStemExclusion ? keywordMarkers(readList(options, 'stem_exclusion') ?? []) : [];
      const filters = [
        ...(language.before?.() ?? [lowercaseFilter()]),
        ...stop,
        ...unstemmed,
        ...(language.behind?.() ?? []),
        ...(stemmer === null ? [] : [stemmerFilter(stemmer)]),
      ];
      const tokenizer = language.tokenizer?.() ?? createStandardTokenizer();
      return chainAnalyzer(name, tokenizer, filters, { charFilters: language.charFilters?.() ?? [] });
    },
  };
}
