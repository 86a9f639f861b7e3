/**
 * Token filter `decimal_digit`: digits of all scripts become those of ASCII.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';
import { digitValue } from '../../unicode/digit-value.ts';

const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;

export function decimalDigitFilter(): TokenFilter {
  return mapLetters('decimal_digit', (term) => term.replace(OTHER_DIGIT, (digit) => String(digitValue(digit))));
}

export const decimalDigit: TokenFilterType = { type: 'decimal_digit', options: [], create: decimalDigitFilter };
