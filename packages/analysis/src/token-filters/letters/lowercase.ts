/**
 * Token filter `lowercase`, for some languages by their own rules.
 */
import { illegalArgument } from '@shoal/core';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { toGreekLowerCase, toIrishLowerCase, toLowerCase, toTurkishLowerCase } from '../../tokens/letter-case.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

export function lowercaseFilter(): TokenFilter {
  return { ...mapLetters('lowercase', toLowerCase), isLowercase: true };
}

const LANGUAGES: ReadonlyMap<string, (text: string) => string> = new Map([
  ['greek', toGreekLowerCase],
  ['irish', toIrishLowerCase],
  ['turkish', toTurkishLowerCase],
]);

export const lowercase: TokenFilterType = {
  type: 'lowercase',
  options: ['language'],
  create: ({ language }) => {
    if (language === undefined) return lowercaseFilter();
    const toLower = LANGUAGES.get(language.toLowerCase());
    if (toLower !== undefined) return mapLetters('lowercase', toLower);
    throw illegalArgument(`language [${language}] not support for lower case`);
  },
};
