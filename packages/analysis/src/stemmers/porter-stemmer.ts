/**
 * Porter's stemmer for English, with the two departures of Lucene's PorterStemFilter (`bli` and `logi` in step 2).
 *
 * After M. F. Porter, "An algorithm for suffix stripping" (1980), and the author's notes on departures. Written here
 * because stems must equal Lucene's and the Snowball library's `porter` has neither departure.
 */

/** Stem of a lower-case word. Words of one or two letters stay as they are. */
export function porterStem(word: string): string {
  if (word.length <= 2) return word;
  let w = step1a(word);
  w = step1b(w);
  w = step1c(w);
  w = replaceSuffix(w, STEP_2, 0);
  w = replaceSuffix(w, STEP_3, 0);
  w = step4(w);
  return step5(w);
}

/** Letter `i` is a consonant; y is one at the start and behind a vowel. */
function isConsonant(w: string, i: number): boolean {
  switch (w.charCodeAt(i)) {
    case 0x61:
    case 0x65:
    case 0x69:
    case 0x6f:
    case 0x75:
      return false;
    case 0x79:
      return i === 0 || !isConsonant(w, i - 1);
    default:
      return true;
  }
}

/** Porter's m: how often a vowel run is followed by a consonant run in the first `end` letters. */
function measure(w: string, end: number): number {
  let count = 0;
  let i = 0;
  while (i < end && isConsonant(w, i)) i++;
  for (;;) {
    while (i < end && !isConsonant(w, i)) i++;
    if (i >= end) return count;
    while (i < end && isConsonant(w, i)) i++;
    count++;
    if (i >= end) return count;
  }
}

function hasVowel(w: string, end: number): boolean {
  for (let i = 0; i < end; i++) if (!isConsonant(w, i)) return true;
  return false;
}

function endsDouble(w: string): boolean {
  const i = w.length - 1;
  return i >= 1 && w[i] === w[i - 1] && isConsonant(w, i);
}

/** Consonant, vowel, consonant at the end, the last not w, x or y: a short syllable that may have lost an e. */
function endsShort(w: string, end: number): boolean {
  const i = end - 1;
  if (i < 2 || !isConsonant(w, i) || isConsonant(w, i - 1) || !isConsonant(w, i - 2)) return false;
  const c = w[i];
  return c !== 'w' && c !== 'x' && c !== 'y';
}

function step1a(w: string): string {
  if (!w.endsWith('s')) return w;
  if (w.endsWith('sses') || w.endsWith('ies')) return w.slice(0, -2);
  return w.endsWith('ss') ? w : w.slice(0, -1);
}

function step1b(w: string): string {
  if (w.endsWith('eed')) return measure(w, w.length - 3) > 0 ? w.slice(0, -1) : w;
  const cut = w.endsWith('ed') ? 2 : w.endsWith('ing') ? 3 : 0;
  if (cut === 0 || !hasVowel(w, w.length - cut)) return w;
  const stem = w.slice(0, -cut);
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`;
  if (endsDouble(stem)) {
    const last = stem[stem.length - 1];
    return last === 'l' || last === 's' || last === 'z' ? stem : stem.slice(0, -1);
  }
  return measure(stem, stem.length) === 1 && endsShort(stem, stem.length) ? `${stem}e` : stem;
}

function step1c(w: string): string {
  return w.endsWith('y') && hasVowel(w, w.length - 1) ? `${w.slice(0, -1)}i` : w;
}

type SuffixRule = readonly [suffix: string, replacement: string];

/** The first suffix that fits decides, whether or not the measure allows its replacement. */
const STEP_2: readonly SuffixRule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];

const STEP_3: readonly SuffixRule[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

function replaceSuffix(w: string, rules: readonly SuffixRule[], above: number): string {
  for (const [suffix, replacement] of rules) {
    if (!w.endsWith(suffix)) continue;
    const end = w.length - suffix.length;
    return measure(w, end) > above ? w.slice(0, end) + replacement : w;
  }
  return w;
}

const STEP_4: readonly string[] =
  'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'.split(' ');

function step4(w: string): string {
  for (const suffix of STEP_4) {
    if (!w.endsWith(suffix)) continue;
    const end = w.length - suffix.length;
    if (suffix === 'ion' && w[end - 1] !== 's' && w[end - 1] !== 't') continue;
    return measure(w, end) > 1 ? w.slice(0, end) : w;
  }
  return w;
}

function step5(w: string): string {
  let stem = w;
  if (stem.endsWith('e')) {
    const m = measure(stem, stem.length - 1);
    if (m > 1 || (m === 1 && !endsShort(stem, stem.length - 1))) stem = stem.slice(0, -1);
  }
  return stem.endsWith('ll') && measure(stem, stem.length - 1) > 1 ? stem.slice(0, -1) : stem;
}
