/**
 * Token filter `stemmer`: the stemmer of a language.
 */
import { illegalArgument } from '@shoal/core';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';
import { englishPossessiveFilter } from '../letters/english-possessive.ts';
import { porterStemFilter } from './porter-stem.ts';

export const stemmer: TokenFilterType = {
  type: 'stemmer',
  options: ['language', 'name'],
  create: (options) => stemmerOf(options.language ?? options.name ?? 'porter'),
};

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
