/**
 * Dutch stemmer of Kraaij and Pohlmann: endings in four steps, then the prefix and the infix ge of participles.
 *
 * R1 and R2 are regions as in Porter's algorithms; ij counts as a vowel. A vowel that stood in an open syllable is doubled
 * where the ending behind it goes.
 *
 * @see Kraaij & Pohlmann, "Porter's stemming algorithm for Dutch" (1994)
 */
interface Regions {
  readonly r1: number;
  readonly r2: number;
}

/** What a rule makes of a word: null where it does not hold. */
type Rule = (stem: string, regions: Regions) => string | null;
type Step = readonly (readonly [ending: string, rule: Rule])[];

const VOWEL = /[aeiouy]/;
const SYLLABLES = /^[^aeiouy]*(?:ij|[aeiouy])+[^aeiouy]/s;

export function stemDutchKp(word: string): string {
  const marked = withConsonantY(word);
  const regions = regionsOf(marked);
  let changed = false;
  let stem = marked;
  for (const step of [FIRST, SECOND, THIRD]) {
    const next = applyStep(stem, step, regions);
    changed ||= next !== null;
    stem = next ?? stem;
  }
  const fourth = applyStep(stem, FOURTH, regions) ?? applyStep(stem, FOURTH_LAST, regions);
  changed ||= fourth !== null;
  stem = fourth ?? stem;
  for (const from of [0, 1]) {
    const bare = withoutGe(stem, from);
    if (bare === null) continue;
    // The prefix alone does not call for the last step, as published.
    changed ||= from === 1;
    stem = applyStep(bare, PARTICIPLES, regionsOf(bare)) ?? bare;
  }
  const seventh = applyStep(stem, SEVENTH, regions);
  changed ||= seventh !== null;
  stem = seventh ?? stem;
  return (changed ? withoutDoubles(stem) : stem).replaceAll('Y', 'y');
}

/** A y at the start or behind a vowel is a consonant, written as a capital. */
function withConsonantY(word: string): string {
  return word.replace(/^y/, 'Y').replace(/(?<=[aeiouy])y/g, 'Y');
}

function regionsOf(word: string): Regions {
  const first = SYLLABLES.exec(word)?.[0].length;
  if (first === undefined) return { r1: word.length, r2: word.length };
  const second = SYLLABLES.exec(word.slice(first))?.[0].length;
  return { r1: first, r2: second === undefined ? word.length : first + second };
}

/** The longest ending of the step decides alone. */
function applyStep(word: string, step: Step, regions: Regions): string | null {
  let longest: Step[number] | null = null;
  for (const entry of step) {
    if (entry[0].length > (longest?.[0].length ?? 0) && word.endsWith(entry[0])) longest = entry;
  }
  return longest === null ? null : longest[1](word.slice(0, -longest[0].length), regions);
}

const inR1 = (stem: string, { r1 }: Regions): boolean => r1 <= stem.length;
const endsInVowel = (stem: string): boolean => /(?:[aeiouy]|ij)$/.test(stem);
const endsInConsonant = (stem: string): boolean => /[^aeiouy]$/s.test(stem) && !stem.endsWith('ij');
/** A vowel, or ij, before the last letter. */
const hasVowelBeforeLast = (stem: string): boolean => /(?:[aeiouy]|ij).$/s.test(stem);

/** A long vowel in an open syllable is written once, in a closed one twice: tak-en, but taak. */
function lengthened(stem: string): string {
  const last = stem.slice(0, -1);
  if (!/[^aeiouywx]$/s.test(stem)) return stem;
  const vowel = last.at(-1) ?? '';
  const before = last.slice(0, -1);
  const isOpen =
    (/[aou]/.test(vowel) && /(?:^|[^aeiouy])$/s.test(before)) ||
    (vowel === 'e' &&
      (before === '' || (/[^aeiouy]$/s.test(before) && !/(?:[aiou]|[^aeiouy][aiou].)[^aeiouy]$/s.test(before))));
  return isOpen ? last + vowel + stem.slice(-1) : stem;
}

const always =
  (replacement: string): Rule =>
  (stem) =>
    stem + replacement;
const r1 =
  (replacement: string): Rule =>
  (stem, regions) =>
    inR1(stem, regions) ? stem + replacement : null;
const r1Vowel =
  (replacement: string): Rule =>
  (stem, regions) =>
    inR1(stem, regions) && endsInVowel(stem) ? stem + replacement : null;
const r1Consonant =
  (replacement: string): Rule =>
  (stem, regions) =>
    inR1(stem, regions) && endsInConsonant(stem) ? stem + replacement : null;
const r1Long =
  (attached: string): Rule =>
  (stem, regions) =>
    inR1(stem, regions) ? lengthened(stem + attached) : null;
const r2Long =
  (attached: string): Rule =>
  (stem, regions) =>
    regions.r2 <= stem.length ? lengthened(stem + attached) : null;
const r1ConsonantLong =
  (attached: string): Rule =>
  (stem, regions) =>
    inR1(stem, regions) && endsInConsonant(stem) ? lengthened(stem + attached) : null;

const FIRST: Step = [
  ["'s", always('')],
  [
    's',
    (stem, regions) => {
      if (!inR1(stem, regions) || !endsInConsonant(stem)) return null;
      return stem.endsWith('t') && inR1(stem.slice(0, -1), regions) ? null : stem;
    },
  ],
  ['ies', r1('ie')],
  [
    'es',
    (stem, regions) => {
      const inner = stem.slice(0, -2);
      const isInner = inR1(inner, regions) && endsInConsonant(inner);
      if (stem.endsWith('ar') && isInner) return lengthened(inner);
      if (stem.endsWith('er') && isInner) return inner;
      return r1Consonant('e')(stem, regions);
    },
  ],
  ['aus', r1Vowel('au')],
  ['en', withoutEn],
  ['nde', always('nd')],
];

function withoutEn(stem: string, regions: Regions): string | null {
  if (stem.endsWith('hed') && inR1(stem.slice(0, -3), regions)) return `${stem.slice(0, -3)}heid`;
  if (stem.endsWith('nd')) return stem;
  if (stem.endsWith('d')) {
    const inner = stem.slice(0, -1);
    if (inR1(inner, regions) && endsInConsonant(inner)) return inner;
  }
  if (/[ij]$/.test(stem) && endsInVowel(stem.slice(0, -1))) return stem;
  return r1ConsonantLong('')(stem, regions);
}

const SECOND: Step = [
  ['je', withoutJe],
  ['ge', r1('g')],
  ['lijke', r1('lijk')],
  ['ische', r1('isch')],
  ['de', r1Consonant('')],
  ['te', r1('t')],
  ['se', r1('s')],
  ['re', r1('r')],
  ['le', r1Long('l')],
  ['ene', r1ConsonantLong('en')],
  ['ieve', r1Consonant('ief')],
];

/** Diminutives. */
function withoutJe(stem: string, regions: Regions): string | null {
  if (stem.endsWith("'t")) return stem.slice(0, -2);
  if (stem.endsWith('et')) {
    const inner = stem.slice(0, -2);
    if (inR1(inner, regions) && endsInConsonant(inner)) return inner;
  }
  if (stem.endsWith('rnt')) return `${stem.slice(0, -3)}rn`;
  if (stem.endsWith('t')) {
    const inner = stem.slice(0, -1);
    if (inR1(inner, regions) && hasVowelBeforeLast(inner)) return inner;
  }
  if (stem.endsWith('ink')) return `${stem.slice(0, -3)}ing`;
  if (stem.endsWith('mp')) return `${stem.slice(0, -2)}m`;
  if (stem.endsWith("'") && inR1(stem.slice(0, -1), regions)) return stem.slice(0, -1);
  return r1Consonant('')(stem, regions);
}

const THIRD: Step = [
  ['atie', r1('eer')],
  ['iteit', r1Long('')],
  ['heid', r1('')],
  ['sel', r1('')],
  ['ster', r1('')],
  ['rder', always('r')],
  ['ing', r1Long('')],
  ['isme', r1Long('')],
  ['erij', r1Long('')],
  ['arij', r1Consonant('aar')],
  ['fie', r2Long('f')],
  ['gie', r2Long('g')],
  ['tst', r1Consonant('t')],
  ['dst', r1Consonant('d')],
];

const FOURTH: Step = [
  ['ioneel', r1('ie')],
  ['atief', r1('eer')],
  ['baar', r1('')],
  ['naar', r1Vowel('n')],
  ['laar', r1Vowel('l')],
  ['raar', r1Vowel('r')],
  ['tant', r1('teer')],
  ['lijker', r1('lijk')],
  ['lijkst', r1('lijk')],
  ...['achtig', 'achtiger', 'achtigst'].map((ending) => [ending, r1('')] as const),
  ...['eriger', 'erigst', 'erig', 'end'].map((ending) => [ending, r1ConsonantLong('')] as const),
];

const FOURTH_LAST: Step = ['iger', 'igst', 'ig'].map((ending) => [ending, r1ConsonantLong('')] as const);

const SEVENTH: Step = [
  ['kt', always('k')],
  ['ft', always('f')],
  ['pt', always('p')],
];

/** Participles end in d or t. */
const PARTICIPLES: Step = [
  [
    'd',
    (stem, regions) => {
      if (!inR1(stem, regions) || !endsInConsonant(stem)) return null;
      return stem.endsWith('n') && inR1(stem.slice(0, -1), regions) ? null : stem;
    },
  ],
  [
    't',
    (stem, regions) => {
      if (!inR1(stem, regions) || !endsInConsonant(stem)) return null;
      return stem.endsWith('h') && inR1(stem.slice(0, -1), regions) ? null : stem;
    },
  ],
];

/** A ge from position `from` on goes (at 0: only there) where three letters or more with a vowel and a consonant follow. */
function withoutGe(word: string, from: number): string | null {
  const at = from === 0 ? (word.startsWith('ge') ? 0 : -1) : word.indexOf('ge', from);
  if (at < 0) return null;
  const rest = word.slice(at + 2);
  const vowel = rest.search(VOWEL);
  if (rest.length < 3 || vowel < 0 || !/[^aeiouy]/.test(rest.slice(vowel))) return null;
  return word.slice(0, at) + rest;
}

/** One letter of a double consonant; a voiced v and z become f and s. */
function withoutDoubles(word: string): string {
  if (/([bcdfghjklmnpqrstvwxz])\1$/.test(word)) return word.slice(0, -1);
  if (word.endsWith('v')) return `${word.slice(0, -1)}f`;
  return word.endsWith('z') ? `${word.slice(0, -1)}s` : word;
}
