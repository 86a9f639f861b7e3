/**
 * German stemmer of the Snowball project in its variant "German2", where ae, oe and ue count as written umlauts.
 *
 * @see Porter, "German stemming algorithm" (2001), and its variant with transliterated umlauts
 */
const NOT_FOUND = -1;
const VOWEL = /[aeiouyäöü]/;

const FIRST = /(?:em|ern?|en|es?|s)$/;
const SECOND = /(?:en|er|e?st)$/;
const THIRD = /(?:end|ung|ig|ik|isch|lich|heit|keit)$/;

export function stemGerman2(word: string): string {
  const marked = withUmlauts(word);
  const r1 = Math.max(3, regionAfter(marked, 0));
  const r2 = regionAfter(marked, regionAfter(marked, 0));
  const stem = marked.length < 3 ? marked : thirdStep(secondStep(firstStep(marked, r1), r1), r1, r2);
  return stem.replace(/[UYäöü]/g, (letter) => PLAIN[letter] ?? letter);
}

const PLAIN: Readonly<Record<string, string>> = { U: 'u', Y: 'y', ä: 'a', ö: 'o', ü: 'u' };
const UMLAUTS: Readonly<Record<string, string>> = { ß: 'ss', ae: 'ä', oe: 'ö', ue: 'ü' };

/** A u or y between vowels is a consonant, written in capitals; the u of qu begins no umlaut. */
function withUmlauts(word: string): string {
  const marked = word.replace(/([aeiouyäöü])([uy])([aeiouyäöü])/g, (_, a, b: string, c) => a + b.toUpperCase() + c);
  return marked.replace(/qu|ß|[aou]e/g, (text) => UMLAUTS[text] ?? text);
}

/** Position behind the first consonant that follows a vowel, from `start` on. */
function regionAfter(word: string, start: number): number {
  const vowel = word.slice(start).search(VOWEL);
  if (vowel === NOT_FOUND) return word.length;
  const consonant = word.slice(start + vowel).search(/[^aeiouyäöü]/);
  return consonant === NOT_FOUND ? word.length : start + vowel + consonant + 1;
}

function firstStep(word: string, r1: number): string {
  const at = word.search(FIRST);
  if (at < r1) return word;
  const ending = word.slice(at);
  if (ending === 's') return /[bdfghklmnrt]s$/.test(word) ? word.slice(0, -1) : word;
  const stem = word.slice(0, at);
  return /^e[ns]?$/.test(ending) && stem.endsWith('niss') ? stem.slice(0, -1) : stem;
}

function secondStep(word: string, r1: number): string {
  const at = word.search(SECOND);
  if (at < r1) return word;
  if (word.slice(at) === 'st') return /...[bdfghklmnt]st$/.test(word) ? word.slice(0, -2) : word;
  return word.slice(0, at);
}

function thirdStep(word: string, r1: number, r2: number): string {
  const at = word.search(THIRD);
  if (at < r2 || at === NOT_FOUND) return word;
  const stem = word.slice(0, at);
  switch (word.slice(at)) {
    case 'end':
    case 'ung':
      return /[^e]ig$/.test(stem) && at - 2 >= r2 ? stem.slice(0, -2) : stem;
    case 'lich':
    case 'heit':
      return /(?:er|en)$/.test(stem) && at - 2 >= r1 ? stem.slice(0, -2) : stem;
    case 'keit': {
      const inner = stem.search(/(?:lich|ig)$/);
      return inner !== NOT_FOUND && inner >= r2 ? stem.slice(0, inner) : stem;
    }
    default:
      return stem.endsWith('e') ? word : stem;
  }
}
