/**
 * Token filter `snowball`: stems by the Snowball algorithm of a language.
 */
import { illegalArgument } from '@shoal/core';
import { snowballStems } from '../../stemmers/snowball-stems.ts';
import { cachedStems } from '../../stemmers/stems-of-language.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { capitalized } from '../../tokens/letter-case.ts';
import { stemTerms } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

export const snowball: TokenFilterType = {
  type: 'snowball',
  options: ['language', 'name'],
  create: ({ language, name }) => snowballFilter(capitalized(language ?? name ?? 'English')),
};

/** @param language as Elasticsearch writes it: with a capital letter */
export function snowballFilter(language: string): TokenFilter {
  const stem = /^[A-Z][a-z]+2?$/.test(language) ? snowballStems(language.toLowerCase()) : null;
  if (stem === null) throw illegalArgument(`Invalid stemmer class specified: ${language}`);
  return stemTerms('snowball', cachedStems(stem));
}
