/**
 * Token filters there are, one line each.
 */
import { asciifolding } from '../token-filters/asciifolding.ts';
import { edgeNgram } from '../token-filters/edge-ngram.ts';
import { length } from '../token-filters/length.ts';
import { lowercase } from '../token-filters/lowercase.ts';
import { ngram } from '../token-filters/ngram.ts';
import { porterStemType } from '../token-filters/porter-stem.ts';
import { reverse } from '../token-filters/reverse.ts';
import { stemmer } from '../token-filters/stemmer.ts';
import { stop } from '../token-filters/stop.ts';
import { trim } from '../token-filters/trim.ts';
import { truncate } from '../token-filters/truncate.ts';
import { uppercase } from '../token-filters/uppercase.ts';
import type { TokenFilterType } from '../tokens/component-type.ts';

export const TOKEN_FILTER_TYPES: readonly TokenFilterType[] = [
  asciifolding,
  edgeNgram,
  length,
  lowercase,
  ngram,
  porterStemType,
  reverse,
  stemmer,
  stop,
  trim,
  truncate,
  uppercase,
];
