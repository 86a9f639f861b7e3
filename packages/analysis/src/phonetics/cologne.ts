/**
 * Kölner Phonetik (Postel, 1969): digits for the sounds of German words; C, D, T, P and X depend on the letters beside them.
 */

/** Letters of one digit wherever they stand. J sounds as a vowel. */
const DIGITS: ReadonlyMap<string, string> = new Map(
  (['0AEIJOUY', '1B', '3FVW', '4GKQ', '5L', '6MN', '7R', '8SZ'] as const).flatMap((row) =>
    [...row.slice(1)].map((letter) => [letter, row.charAt(0)] as const),
  ),
);

const UMLAUTS: Readonly<Record<string, string>> = { Ä: 'A', Ö: 'O', Ü: 'U' };

/** Silent, but it parts two equal digits. */
const SILENT = '-';

export function colognePhonetic(word: string): string {
  const letters = word.toUpperCase().replace(/[ÄÖÜ]/g, (letter) => UMLAUTS[letter] ?? letter);
  let code = '';
  let last = '';
  let before = '';
  for (let i = 0; i < letters.length; i++) {
    const letter = letters.charAt(i);
    if (letter < 'A' || letter > 'Z') continue;
    for (const digit of digitsOf(letter, before, letters.charAt(i + 1), code === '')) {
      const isSounded = digit !== SILENT && (digit !== '0' || code === '');
      if (isSounded && digit !== last) code += digit;
      last = digit;
    }
    before = letter;
  }
  return code;
}

function digitsOf(letter: string, before: string, next: string, isFirst: boolean): string {
  switch (letter) {
    case 'H':
      return SILENT;
    case 'P':
      return next === 'H' ? '3' : '1';
    case 'D':
    case 'T':
      return isOneOf(next, 'CSZ') ? '8' : '2';
    case 'X':
      return isOneOf(before, 'CKQ') ? '8' : '48';
    case 'C':
      if (isFirst) return isOneOf(next, 'AHKLOQRUX') ? '4' : '8';
      return isOneOf(before, 'SZ') || !isOneOf(next, 'AHKOQUX') ? '8' : '4';
    default:
      return DIGITS.get(letter) ?? SILENT;
  }
}

function isOneOf(letter: string, letters: string): boolean {
  return letter !== '' && letters.includes(letter);
}
