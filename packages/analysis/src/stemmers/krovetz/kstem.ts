/**
 * Stemmer `kstem`: endings of English words are taken off where what is left is a word of a list.
 *
 * A word goes through the endings in their order. Each has forms that the word may come from, which are looked up one after the
 * other; the first that is a word is the stem. Where none is, the word goes on as it was, or as the ending would mostly have it.
 *
 * @see Krovetz, "Viewing morphology as an inference process" (1993)
 */
import { lazy } from '@shoal/core';
import { KSTEM_CONFLATIONS, KSTEM_EXCEPTIONS } from './kstem-tables.ts';
import { KSTEM_WORDS } from './kstem-words.ts';

const WORD_MIN = 3;
const WORD_MAX = 49;

interface Dictionary {
  readonly words: ReadonlySet<string>;
  readonly exceptions: ReadonlySet<string>;
  /** Stems of forms that no rule finds. */
  readonly stems: ReadonlyMap<string, string>;
}

const dictionary = lazy((): Dictionary => {
  const exceptions = new Set(KSTEM_EXCEPTIONS);
  const stems = new Map(KSTEM_CONFLATIONS.map((text) => text.split('>') as [string, string]));
  const words = new Set([...exceptions, ...stems.keys()]);
  let last = '';
  for (const [, shared = 'A', rest = ''] of KSTEM_WORDS.matchAll(/([A-Z])([a-z]*)/g)) {
    last = last.slice(0, shared.charCodeAt(0) - 0x41) + rest;
    words.add(last);
  }
  return { words, exceptions, stems };
});

/** What an ending makes of a word. */
interface Attempt {
  /** Forms to look up, in order. */
  readonly forms: readonly string[];
  /** What goes on where none of them is a word. */
  readonly otherwise: string;
  /** The first form must not be one of the exceptions. */
  readonly isStrict?: boolean;
}

/** null for a word without the ending. */
type Ending = (word: string) => Attempt | null;

const CONSONANT = /[^aeiou]/;

function isConsonant(word: string, at: number): boolean {
  if (word[at] === 'y') return at === 0 || !isConsonant(word, at - 1);
  return CONSONANT.test(word.charAt(at));
}

function hasVowel(stem: string): boolean {
  for (let at = 0; at < stem.length; at++) if (!isConsonant(stem, at)) return true;
  return false;
}

function endsInDouble(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last);
}

/** The word without its last letter where that is a doubled consonant; nothing else. */
function undoubled(word: string): readonly string[] {
  return endsInDouble(word) ? [word.slice(0, -1)] : [];
}

/** The word before an ending; null where it has another, or nothing before it. */
function before(word: string, ending: string): string | null {
  return word.length > ending.length && word.endsWith(ending) ? word.slice(0, -ending.length) : null;
}

const plural: Ending = (word) => {
  if (!word.endsWith('s')) return null;
  const ies = before(word, 'ies');
  if (ies !== null) return { forms: [`${ies}ie`, `${ies}y`], otherwise: `${ies}y` };
  const es = before(word, 'es');
  if (es !== null) {
    const prefersE = es.length > 1 && !es.endsWith('ss');
    return { forms: prefersE ? [`${es}e`, es] : [es, `${es}e`], otherwise: `${es}e` };
  }
  if (word.length <= 3 || word.endsWith('ss') || word.endsWith('ous')) return null;
  const single = word.slice(0, -1);
  return { forms: [single], otherwise: single };
};

const past: Ending = (word) => {
  if (word.length <= 4) return null;
  const ied = before(word, 'ied');
  if (ied !== null) return { forms: [`${ied}ie`, `${ied}y`], otherwise: `${ied}y` };
  const stem = before(word, 'ed');
  if (stem === null || !hasVowel(stem)) return null;
  const forms = [`${stem}e`, stem, ...undoubled(stem)];
  if (endsInDouble(stem)) return { forms, otherwise: stem, isStrict: true };
  return { forms, otherwise: stem.startsWith('un') ? word : `${stem}e`, isStrict: true };
};

const progressive: Ending = (word) => {
  if (word.length <= 5) return null;
  const stem = before(word, 'ing');
  if (stem === null || !hasVowel(stem)) return null;
  const forms = [`${stem}e`, stem, ...undoubled(stem)];
  const last = stem.length - 1;
  const endsInConsonants = last > 0 && isConsonant(stem, last) && isConsonant(stem, last - 1);
  return { forms, otherwise: endsInConsonants || endsInDouble(stem) ? stem : `${stem}e`, isStrict: true };
};

const ity: Ending = (word) => {
  const stem = before(word, 'ity');
  if (stem === null) return null;
  const forms = [stem, `${stem}e`];
  if (stem.endsWith('il')) {
    const able = `${stem.slice(0, -2)}le`;
    return { forms: [...forms, able], otherwise: able };
  }
  if (stem.endsWith('iv')) return { forms, otherwise: `${stem}e` };
  if (stem.endsWith('al')) return { forms, otherwise: stem };
  return { forms: [...forms, word], otherwise: stem };
};

const ness: Ending = (word) => {
  const stem = before(word, 'ness')?.replace(/i$/, 'y') ?? null;
  return stem === null ? null : { forms: [stem], otherwise: stem };
};

const ion: Ending = (word) => {
  const stem = before(word, 'ion');
  if (stem === null) return null;
  const ization = before(word, 'ization');
  if (ization !== null) return { forms: [`${ization}ize`], otherwise: `${ization}ize` };
  const ition = before(word, 'ition');
  const ation = before(word, 'ation');
  const ication = before(word, 'ication');
  const forms = [
    ...(ition === null ? [] : [`${ition}e`]),
    ...(ation === null ? [] : [`${ation}ate`, `${ation}e`, ation]),
    ...(ication === null ? [] : [`${ication}y`]),
  ];
  return { forms: [...forms, `${stem}e`, stem], otherwise: word };
};

const agent: Ending = (word) => {
  const izer = before(word, 'izer');
  if (izer !== null) return { forms: [`${izer}ize`], otherwise: `${izer}ize` };
  const stem = before(word, 'er') ?? before(word, 'or');
  if (stem === null) return null;
  const forms = [
    ...undoubled(stem),
    ...(stem.endsWith('i') ? [`${stem.slice(0, -1)}y`] : []),
    ...(stem.endsWith('e') ? [stem.slice(0, -1)] : []),
    // `-ior` is looked up as `-ier` would be.
    ...[stem.endsWith('i') ? `${stem}e` : word.slice(0, -1), stem, `${stem}e`],
  ];
  return { forms, otherwise: word };
};

const ly: Ending = (word) => {
  const stem = before(word, 'ly');
  if (stem === null) return null;
  const forms = [`${stem}le`, stem];
  if (stem.endsWith('al')) return { forms, otherwise: stem };
  if (stem.endsWith('ab')) return { forms, otherwise: `${stem}le` };
  return { forms: stem.endsWith('i') ? [...forms, `${stem.slice(0, -1)}y`] : forms, otherwise: stem };
};

const al: Ending = (word) => {
  const stem = word.length < 4 ? null : before(word, 'al');
  if (stem === null) return null;
  const forms = [stem, ...undoubled(stem), `${stem}e`, `${stem}um`];
  const ic = before(stem, 'ic');
  if (ic !== null) return { forms: [...forms, ic, `${ic}y`, stem], otherwise: stem };
  return { forms: stem.endsWith('i') ? [...forms, stem.slice(0, -1), word] : forms, otherwise: word };
};

const ive: Ending = (word) => {
  const stem = before(word, 'ive');
  if (stem === null) return null;
  const at = before(stem, 'at');
  const forms = [stem, `${stem}e`, ...(at === null ? [] : [`${at}e`, at]), `${stem}ion`];
  return { forms, otherwise: word };
};

const ize: Ending = (word) => {
  const stem = before(word, 'ize');
  return stem === null ? null : { forms: [stem, ...undoubled(stem), `${stem}e`], otherwise: word };
};

const ment: Ending = (word) => {
  const stem = before(word, 'ment');
  return stem === null ? null : { forms: [stem], otherwise: word };
};

const able: Ending = (word) => {
  const stem = before(word, 'able') ?? before(word, 'ible');
  if (stem === null) return null;
  return { forms: [stem, ...undoubled(stem), `${stem}e`, `${stem}ate`], otherwise: word };
};

const ism: Ending = (word) => {
  const stem = before(word, 'ism');
  return stem === null ? null : { forms: [stem], otherwise: stem };
};

const ic: Ending = (word) => {
  const stem = before(word, 'ic');
  return stem === null ? null : { forms: [`${word}al`, `${stem}y`, `${stem}e`, stem], otherwise: word };
};

const ncy: Ending = (word) => {
  const stem = before(word, 'cy');
  if (stem === null || !/[ae]n$/.test(stem)) return null;
  return { forms: [`${stem}t`, `${stem}ce`], otherwise: `${stem}ce` };
};

const nce: Ending = (word) => {
  const stem = before(word, 'ance') ?? before(word, 'ence');
  return stem === null ? null : { forms: [`${stem}e`, stem], otherwise: word };
};

/** Endings in the order in which they are tried. */
const ENDINGS: readonly Ending[] = [
  ...[plural, past, progressive, ity, ness, ion, agent, ly, al],
  ...[ive, ize, ment, able, ism, ic, ncy, nce],
];

export function stemKrovetz(word: string): string {
  if (word.length < WORD_MIN || word.length > WORD_MAX) return word;
  const { words, exceptions, stems } = dictionary();
  if (words.has(word)) return stems.get(word) ?? word;
  if (!/^[a-z]+$/.test(word)) return word;
  let stem = word;
  for (const ending of ENDINGS) {
    const attempt = ending(stem);
    if (attempt === null) continue;
    const { forms, otherwise, isStrict = false } = attempt;
    const found = forms.find((form, i) => words.has(form) && !(isStrict && i === 0 && exceptions.has(form)));
    if (found !== undefined) return stems.get(found) ?? found;
    stem = otherwise;
  }
  return stem;
}
