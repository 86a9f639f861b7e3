/**
 * Token filter `decimal_digit`: digits of all scripts become those of ASCII.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
const DIGIT = /^\p{Nd}$/u;

export function decimalDigitFilter(): TokenFilter {
  return mapLetters('decimal_digit', (term) => term.replace(OTHER_DIGIT, (digit) => String(digitValue(digit))));
}

/** Unicode puts the ten digits of a script in a row, and no other digit right before a zero but one nine. */
function digitValue(digit: string): number {
  const codePoint = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(codePoint - before - 1))) before++;
  return before % 10;
}

export const decimalDigit: TokenFilterType = { type: 'decimal_digit', options: [], create: decimalDigitFilter };
