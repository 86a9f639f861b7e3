/**
 * Stemmer of the token filter `german_stem`: endings of German words, by length alone.
 *
 * @see Caumanns, "A Fast and Simple Stemming Algorithm for German Words" (1999)
 */

/** Groups of letters that count as one, each by a sign that no word has. */
const GROUPS: readonly (readonly [string, string])[] = [
  ['sch', '$'],
  ['ch', '§'],
  ['ei', '%'],
  ['ie', '&'],
  ['ig', '#'],
  ['st', '!'],
];
const SIGN = new RegExp(`[${GROUPS.map(([, sign]) => sign).join('')}]`, 'g');
const UMLAUTS: ReadonlyMap<string, string> = new Map([
  ['ä', 'a'],
  ['ö', 'o'],
  ['ü', 'u'],
]);
const LETTERS: ReadonlyMap<string, string> = new Map(GROUPS.map(([letters, sign]) => [sign, letters]));

export function stemGermanCaumanns(word: string): string {
  const lower = word.toLowerCase();
  if (!/^\p{L}*$/u.test(lower)) return lower;
  const { text, saved } = grouped(lower.replaceAll('ß', 'ss'));
  return withoutParticiple(restored(optimized(stripped(text, saved), saved)));
}

interface GroupedWord {
  readonly text: string;
  /** Letters that the groups count less. */
  readonly saved: number;
}

/** Groups become their signs, umlauts plain letters, the second of two like letters `*`. */
function grouped(word: string): GroupedWord {
  let text = '';
  let saved = 0;
  for (let at = 0; at < word.length; at++) {
    const letter = word.charAt(at);
    const group = GROUPS.find(([letters]) => word.startsWith(letters, at));
    if (letter === text.at(-1)) text += '*';
    else if (group === undefined) text += UMLAUTS.get(letter) ?? letter;
    else {
      text += group[1];
      saved += group[0].length - 1;
      at += group[0].length - 1;
    }
  }
  return { text, saved };
}

function stripped(text: string, saved: number): string {
  let stem = text;
  while (stem.length > 3) {
    if ((stem.length + saved > 5 && stem.endsWith('nd')) || (stem.length + saved > 4 && /e[mr]$/.test(stem))) {
      stem = stem.slice(0, -2);
    } else if (/[esnt]$/.test(stem)) stem = stem.slice(0, -1);
    else break;
  }
  return stem;
}

/** Plurals of women (`Lehrerinnen`), and `z` as it sounds in other forms. */
function optimized(text: string, saved: number): string {
  const stem = text.length > 5 && text.endsWith('erin*') ? stripped(text.slice(0, -1), saved) : text;
  return stem.endsWith('z') ? `${stem.slice(0, -1)}x` : stem;
}

function restored(text: string): string {
  let out = '';
  for (const letter of text) out += letter === '*' ? (out.at(-1) ?? '') : letter;
  return out.replace(SIGN, (sign) => LETTERS.get(sign) ?? sign);
}

/** `gege` of participles becomes `ge`. */
function withoutParticiple(stem: string): string {
  const at = stem.length > 4 ? stem.slice(0, -1).indexOf('gege') : -1;
  return at < 0 ? stem : stem.slice(0, at) + stem.slice(at + 2);
}
