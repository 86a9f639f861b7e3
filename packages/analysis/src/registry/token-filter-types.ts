/**
 * Token filters there are, one line each.
 */
import { cjkBigram } from '../token-filters/grams/cjk-bigram.ts';
import { commonGrams } from '../token-filters/grams/common-grams.ts';
import { edgeNgram } from '../token-filters/grams/edge-ngram.ts';
import { fingerprint } from '../token-filters/grams/fingerprint.ts';
import { minHash } from '../token-filters/grams/min-hash.ts';
import { ngram } from '../token-filters/grams/ngram.ts';
import { shingle } from '../token-filters/grams/shingle.ts';
import { flattenGraph } from '../token-filters/graphs/flatten-graph.ts';
import { apostrophe } from '../token-filters/letters/apostrophe.ts';
import { asciifolding } from '../token-filters/letters/asciifolding.ts';
import { cjkWidth } from '../token-filters/letters/cjk-width.ts';
import { classic } from '../token-filters/letters/classic.ts';
import { decimalDigit } from '../token-filters/letters/decimal-digit.ts';
import { elision } from '../token-filters/letters/elision.ts';
import { lowercase } from '../token-filters/letters/lowercase.ts';
import { patternReplace } from '../token-filters/letters/pattern-replace.ts';
import { reverse } from '../token-filters/letters/reverse.ts';
import { trim } from '../token-filters/letters/trim.ts';
import { truncate } from '../token-filters/letters/truncate.ts';
import { uppercase } from '../token-filters/letters/uppercase.ts';
import { arabicNormalization } from '../token-filters/normalization/arabic-normalization.ts';
import { bengaliNormalization } from '../token-filters/normalization/bengali-normalization.ts';
import { germanNormalization } from '../token-filters/normalization/german-normalization.ts';
import { hindiNormalization } from '../token-filters/normalization/hindi-normalization.ts';
import { indicNormalization } from '../token-filters/normalization/indic-normalization.ts';
import { persianNormalization } from '../token-filters/normalization/persian-normalization.ts';
import { scandinavianFolding } from '../token-filters/normalization/scandinavian-folding.ts';
import { scandinavianNormalization } from '../token-filters/normalization/scandinavian-normalization.ts';
import { serbianNormalization } from '../token-filters/normalization/serbian-normalization.ts';
import { soraniNormalization } from '../token-filters/normalization/sorani-normalization.ts';
import { delimitedPayload } from '../token-filters/parts/delimited-payload.ts';
import { dictionaryDecompounder } from '../token-filters/parts/dictionary-decompounder.ts';
import { hyphenationDecompounder } from '../token-filters/parts/hyphenation-decompounder.ts';
import { multiplexer } from '../token-filters/parts/multiplexer.ts';
import { patternCapture } from '../token-filters/parts/pattern-capture.ts';
import { wordDelimiter } from '../token-filters/parts/word-delimiter.ts';
import { wordDelimiterGraph } from '../token-filters/parts/word-delimiter-graph.ts';
import { phonetic } from '../token-filters/phonetic/phonetic.ts';
import { condition } from '../token-filters/scripted/condition.ts';
import { predicateTokenFilter } from '../token-filters/scripted/predicate-token-filter.ts';
import { keep } from '../token-filters/selection/keep.ts';
import { keepTypes } from '../token-filters/selection/keep-types.ts';
import { length } from '../token-filters/selection/length.ts';
import { limit } from '../token-filters/selection/limit.ts';
import { removeDuplicates } from '../token-filters/selection/remove-duplicates.ts';
import { stop } from '../token-filters/selection/stop.ts';
import { unique } from '../token-filters/selection/unique.ts';
import { keywordMarker } from '../token-filters/stemming/keyword-marker.ts';
import { keywordRepeat } from '../token-filters/stemming/keyword-repeat.ts';
import { kstem } from '../token-filters/stemming/kstem.ts';
import { LANGUAGE_STEMS } from '../token-filters/stemming/language-stems.ts';
import { porterStemType } from '../token-filters/stemming/porter-stem.ts';
import { snowball } from '../token-filters/stemming/snowball.ts';
import { stemmer } from '../token-filters/stemming/stemmer.ts';
import { stemmerOverride } from '../token-filters/stemming/stemmer-override.ts';
import { synonym } from '../token-filters/synonyms/synonym.ts';
import { synonymGraph } from '../token-filters/synonyms/synonym-graph.ts';
import { icuFolding } from '../token-filters/unicode/icu-folding.ts';
import { icuNormalizer } from '../token-filters/unicode/icu-normalizer.ts';
import type { TokenFilterType } from '../tokens/component-type.ts';

export const TOKEN_FILTER_TYPES: readonly TokenFilterType[] = [
  apostrophe,
  arabicNormalization,
  asciifolding,
  bengaliNormalization,
  cjkBigram,
  cjkWidth,
  classic,
  commonGrams,
  condition,
  decimalDigit,
  delimitedPayload,
  dictionaryDecompounder,
  edgeNgram,
  elision,
  fingerprint,
  flattenGraph,
  germanNormalization,
  hindiNormalization,
  hyphenationDecompounder,
  icuFolding,
  icuNormalizer,
  indicNormalization,
  keep,
  keepTypes,
  keywordMarker,
  keywordRepeat,
  kstem,
  ...LANGUAGE_STEMS,
  length,
  limit,
  lowercase,
  minHash,
  multiplexer,
  ngram,
  patternCapture,
  patternReplace,
  persianNormalization,
  phonetic,
  porterStemType,
  predicateTokenFilter,
  removeDuplicates,
  reverse,
  scandinavianFolding,
  scandinavianNormalization,
  serbianNormalization,
  shingle,
  snowball,
  soraniNormalization,
  stemmer,
  stemmerOverride,
  stop,
  synonym,
  synonymGraph,
  trim,
  truncate,
  unique,
  uppercase,
  wordDelimiter,
  wordDelimiterGraph,
];
