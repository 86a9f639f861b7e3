/**
 * Light Latvian stemmer: cases of nouns and adjectives, consonants changed back.
 *
 * @see Kreslins, "A stemming algorithm for Latvian" (1996)
 */
const VOWEL = /[aeiouāīēū]/g;

/** Ending, vowels that the stem needs, and whether it softens the consonant before it. */
type Ending = readonly [ending: string, vowels: number, softens: boolean];

const ENDINGS: readonly Ending[] = [
  ['ajiem', 3, false],
  ['ajai', 3, false],
  ['ajam', 2, false],
  ['ajām', 2, false],
  ['ajos', 2, false],
  ['ajās', 2, false],
  ['iem', 2, true],
  ['ajā', 2, false],
  ['ais', 2, false],
  ['ai', 2, false],
  ['ei', 2, false],
  ['ām', 1, false],
  ['am', 1, false],
  ['ēm', 1, false],
  ['īm', 1, false],
  ['im', 1, false],
  ['um', 1, false],
  ['us', 1, true],
  ['as', 1, false],
  ['ās', 1, false],
  ['es', 1, false],
  ['os', 1, true],
  ['ij', 1, false],
  ['īs', 1, false],
  ['ēs', 1, false],
  ['is', 1, false],
  ['ie', 1, false],
  ['u', 1, true],
  ['a', 1, true],
  ['i', 1, true],
  ['e', 1, false],
  ['ā', 1, false],
  ['ē', 1, false],
  ['ī', 1, false],
  ['ū', 1, false],
  ['o', 1, false],
  ['s', 0, false],
  ['š', 0, false],
];

export function stemLatvian(word: string): string {
  const vowels = word.match(VOWEL)?.length ?? 0;
  for (const [ending, needed, softens] of ENDINGS) {
    if (vowels > needed && word.length >= ending.length + 3 && word.endsWith(ending)) {
      const stem = word.slice(0, -ending.length);
      return softens ? hardened(stem, word) : stem;
    }
  }
  return word;
}

/** Consonants that soften in front of an ending, and what they were. */
const HARD: readonly (readonly [string, string])[] = [
  ['pj', 'p'],
  ['bj', 'b'],
  ['mj', 'm'],
  ['vj', 'v'],
  ['šņ', 'sn'],
  ['žņ', 'zn'],
  ['šļ', 'sl'],
  ['žļ', 'zl'],
  ['ļņ', 'ln'],
  ['ļļ', 'll'],
];

const SINGLE: ReadonlyMap<string, string> = new Map([
  ['č', 'c'],
  ['ļ', 'l'],
  ['ņ', 'n'],
]);

function hardened(stem: string, word: string): string {
  if (word.endsWith('u') && word.length - stem.length === 1) {
    if (stem.endsWith('kš')) return `${stem.slice(0, -2)}kst`;
    if (stem.endsWith('ņņ')) return `${stem.slice(0, -2)}nn`;
  }
  const pair = HARD.find(([soft]) => stem.endsWith(soft));
  if (pair !== undefined) return stem.slice(0, -pair[0].length) + pair[1];
  const single = SINGLE.get(stem.slice(-1));
  return single === undefined ? stem : stem.slice(0, -1) + single;
}
