/**
 * Token filter `stemmer`: the stemmer of a language.
 */
import { illegalArgument } from '@shoal/core';
import { stemsOfLanguage } from '../../stemmers/stems-of-language.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { capitalized } from '../../tokens/letter-case.ts';
import { stemTerms } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';
import { englishPossessiveFilter } from '../letters/english-possessive.ts';

export const stemmer: TokenFilterType = {
  type: 'stemmer',
  options: ['language', 'name'],
  create: (options) => stemmerFilter(options.language ?? options.name ?? 'porter'),
};

/** @throws ShoalError illegal_argument_exception for a language without a stemmer */
export function stemmerFilter(language: string): TokenFilter {
  if (language.toLowerCase().replaceAll('_', '') === 'possessiveenglish') return englishPossessiveFilter();
  const stem = stemsOfLanguage(language);
  if (stem === null) throw illegalArgument(`Invalid stemmer class specified: ${capitalized(language)}`);
  return stemTerms('stemmer', stem);
}
