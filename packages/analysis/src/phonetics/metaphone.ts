/**
 * Metaphone (Philips, 1990): English words as consonants; 0 stands for TH, X for SH.
 */

const CODE_LENGTH = 4;

const VOWELS = 'AEIOU';
const FRONT_VOWELS = 'EIY';

/** An H behind one of these belongs to it. */
const WITH_H = 'CSPTG';

const STARTS: readonly (readonly [RegExp, string])[] = [
  [/^[KGP]N/, 'N'],
  [/^AE/, 'E'],
  [/^WR/, 'R'],
  [/^WH/, 'W'],
  [/^X/, 'S'],
];

/** What a letter sounds as, and how many letters it takes. */
interface Sound {
  readonly code: string;
  readonly length: number;
}

export function metaphone(word: string): string {
  const upper = word.toUpperCase();
  if (word.length < 2) return upper;
  const start = STARTS.find(([pattern]) => pattern.test(upper));
  const letters = start === undefined ? upper : upper.replace(...start);
  let code = '';
  for (let i = 0; i < letters.length && code.length < CODE_LENGTH; ) {
    const isDouble = letters[i] !== 'C' && letters[i] === letters[i - 1];
    const sound = isDouble ? { code: '', length: 1 } : soundAt(letters, i);
    code += sound.code;
    i += sound.length;
  }
  return code.slice(0, CODE_LENGTH);
}

function soundAt(letters: string, i: number): Sound {
  if (letters[i] === 'D' && /^DG[EIY]/.test(letters.slice(i, i + 3))) return { code: 'J', length: 3 };
  return { code: codeAt(letters, i), length: 1 };
}

function codeAt(letters: string, i: number): string {
  const letter = letters.charAt(i);
  const before = letters.charAt(i - 1);
  const next = letters.charAt(i + 1);
  const isLast = i === letters.length - 1;
  const starts = (text: string): boolean => letters.startsWith(text, i);
  switch (letter) {
    case 'B':
      return before === 'M' && isLast ? '' : 'B';
    case 'C':
      return codeOfC(letters, i);
    case 'D':
      return 'T';
    case 'G':
      return codeOfG(letters, i);
    case 'H':
      return isOneOf(before, WITH_H) || !isOneOf(next, VOWELS) ? '' : 'H';
    case 'K':
      return before === 'C' ? '' : 'K';
    case 'P':
      return next === 'H' ? 'F' : 'P';
    case 'Q':
      return 'K';
    case 'S':
      return starts('SH') || starts('SIO') || starts('SIA') ? 'X' : 'S';
    case 'T':
      if (starts('TIA') || starts('TIO')) return 'X';
      if (starts('TCH')) return '';
      return starts('TH') ? '0' : 'T';
    case 'V':
      return 'F';
    case 'W':
    case 'Y':
      return isOneOf(next, VOWELS) ? letter : '';
    case 'X':
      return 'KS';
    case 'Z':
      return 'S';
    default:
      if (isOneOf(letter, VOWELS)) return i === 0 ? letter : '';
      return isOneOf(letter, 'FJLMNR') ? letter : '';
  }
}

function codeOfC(letters: string, i: number): string {
  const before = letters.charAt(i - 1);
  const next = letters.charAt(i + 1);
  if (before === 'S' && isOneOf(next, FRONT_VOWELS)) return '';
  if (letters.startsWith('CIA', i)) return 'X';
  if (isOneOf(next, FRONT_VOWELS)) return 'S';
  if (next !== 'H' || before === 'S') return 'K';
  return i === 0 && isOneOf(letters.charAt(2), VOWELS) ? 'K' : 'X';
}

function codeOfG(letters: string, i: number): string {
  const next = letters.charAt(i + 1);
  if (next === 'H' && !isOneOf(letters.charAt(i + 2), VOWELS)) return '';
  if (i > 0 && next === 'N') return '';
  return isOneOf(next, FRONT_VOWELS) && letters[i - 1] !== 'G' ? 'J' : 'K';
}

function isOneOf(letter: string, letters: string): boolean {
  return letter !== '' && letters.includes(letter);
}
