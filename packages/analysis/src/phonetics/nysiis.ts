/**
 * NYSIIS (New York State Identification and Intelligence System, 1970): words as they sound, in letters.
 */

const CODE_LENGTH = 6;

const STARTS: readonly (readonly [RegExp, string])[] = [
  [/^MAC/, 'MCC'],
  [/^KN/, 'NN'],
  [/^K/, 'C'],
  [/^P[HF]/, 'FF'],
  [/^SCH/, 'SSS'],
];

const ENDS: readonly (readonly [RegExp, string])[] = [
  [/[EI]E$/, 'Y'],
  [/(?:[DRN]T|[RN]D)$/, 'D'],
];

const SIMPLE: Readonly<Record<string, string>> = { Q: 'G', Z: 'S', M: 'N' };

export function nysiis(word: string): string {
  const letters = word.replace(/\P{L}/gu, '').toUpperCase();
  if (letters === '') return '';
  const whole = [...STARTS, ...ENDS].reduce((text, [pattern, by]) => text.replace(pattern, by), letters);
  const sounds = [...whole];
  let code = sounds[0] ?? '';
  for (let i = 1; i < sounds.length; i++) {
    // What a letter becomes stands before the next one, and may take its place.
    const sound = soundAt(sounds, i);
    for (let k = 0; k < sound.length; k++) sounds[i + k] = sound.charAt(k);
    if (sounds[i] !== sounds[i - 1]) code += sounds[i];
  }
  return ending(code).slice(0, CODE_LENGTH);
}

function soundAt(sounds: readonly string[], i: number): string {
  const [before = '', letter = '', next = '', second = ''] = sounds.slice(i - 1, i + 3);
  if (letter === 'E' && next === 'V') return 'AF';
  if (isVowel(letter)) return 'A';
  const simple = SIMPLE[letter];
  if (simple !== undefined) return simple;
  if (letter === 'K') return next === 'N' ? 'NN' : 'C';
  if (letter === 'S' && next === 'C' && second === 'H') return 'SSS';
  if (letter === 'P' && next === 'H') return 'FF';
  if (letter === 'H' && !(isVowel(before) && isVowel(next))) return before;
  return letter === 'W' && isVowel(before) ? before : letter;
}

function ending(code: string): string {
  if (code.length < 2) return code;
  const withoutS = code.endsWith('S') ? code.slice(0, -1) : code;
  const y = withoutS.length > 2 && withoutS.endsWith('AY') ? `${withoutS.slice(0, -2)}Y` : withoutS;
  return y.endsWith('A') ? y.slice(0, -1) : y;
}

function isVowel(letter: string): boolean {
  return letter !== '' && 'AEIOU'.includes(letter);
}
