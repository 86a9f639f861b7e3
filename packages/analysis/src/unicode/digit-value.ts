/**
 * Values of decimal digits of any script.
 */

const DIGIT = /^\p{Nd}$/u;

/**
 * 0 to 9. Unicode puts the ten digits of a script in a row, and no other digit right before a zero but one nine.
 *
 * @param digit of the class `Nd`
 */
export function digitValue(digit: string): number {
  const codePoint = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(codePoint - before - 1))) before++;
  return before % 10;
}
