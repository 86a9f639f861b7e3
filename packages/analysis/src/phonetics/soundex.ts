/**
 * Soundex (Russell and Odell, 1918) and its refined form: letters of one place of articulation share a digit.
 */

/** Digit of each letter, A to Z. Vowels have 0 and part equal digits; H and W do not. */
const SOUNDEX_DIGITS = '01230120022455012623010202';

/** Digit of each letter, A to Z, in classes of fewer letters. */
const REFINED_DIGITS = '01360240043788015936020505';

const CODE_LENGTH = 4;

/** A letter and three digits; null where a letter that counts has no digit, so that the word stays as it is. */
export function soundex(word: string): string | null {
  const letters = upperLetters(word);
  if (letters === '') return '';
  let code = letters.charAt(0);
  let last = digitOf(letters, 0, SOUNDEX_DIGITS);
  for (let i = 1; i < letters.length && last !== null && code.length < CODE_LENGTH; i++) {
    if (letters[i] === 'H' || letters[i] === 'W') continue;
    const digit = digitOf(letters, i, SOUNDEX_DIGITS);
    if (digit !== '0' && digit !== last) code += digit ?? '';
    last = digit;
  }
  return last === null ? null : code.padEnd(CODE_LENGTH, '0');
}

/** The first letter and a digit for each run of letters of one class; null where a letter has no digit. */
export function refinedSoundex(word: string): string | null {
  const letters = upperLetters(word);
  let code = letters.charAt(0);
  let last: string | null = '';
  for (let i = 0; i < letters.length && last !== null; i++) {
    const digit = digitOf(letters, i, REFINED_DIGITS);
    if (digit !== last) code += digit ?? '';
    last = digit;
  }
  return last === null ? null : code;
}

function upperLetters(word: string): string {
  return word.replace(/\P{L}/gu, '').toUpperCase();
}

/** null for a letter that is not among A to Z. */
function digitOf(letters: string, i: number, digits: string): string | null {
  return digits[letters.charCodeAt(i) - 'A'.charCodeAt(0)] ?? null;
}
