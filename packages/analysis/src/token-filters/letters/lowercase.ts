/**
 * Token filter `lowercase`.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { toLowerCase } from '../../tokens/lower-case.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

export function lowercaseFilter(): TokenFilter {
  return { ...mapLetters('lowercase', toLowerCase), isLowercase: true };
}

export const lowercase: TokenFilterType = { type: 'lowercase', options: [], create: lowercaseFilter };
