/**
 * Light Czech stemmer: cases and possessives.
 *
 * @see Dolamic and Savoy, "Indexing and stemming approaches for the Czech language" (2009)
 */
import { applyFirst, endingRules } from './suffixes/ending-rules.ts';

const CASES = [
  ...endingRules(7, 'atech'),
  ...endingRules(6, 'ětem etem atům'),
  ...endingRules(
    5,
    'ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami ové ovi ými',
  ),
  ...endingRules(4, 'em es ém ím ům at ám os us ým mi ou'),
  ...endingRules(3, 'a e i o u ů y á é í ý ě'),
];

const POSSESSIVES = endingRules(5, 'ov in ův');

export function stemCzech(word: string): string {
  const s = applyFirst(word, CASES) ?? word;
  const bare = applyFirst(s, POSSESSIVES) ?? s;
  return bare.length > 0 ? normalize(bare) : bare;
}

/** Consonants that inflection softened. */
function normalize(word: string): string {
  if (word.endsWith('čt')) return `${word.slice(0, -2)}ck`;
  if (word.endsWith('št')) return `${word.slice(0, -2)}sk`;
  if (/[cč]$/.test(word)) return `${word.slice(0, -1)}k`;
  if (/[zž]$/.test(word)) return `${word.slice(0, -1)}h`;
  const { length } = word;
  if (length > 1 && word[length - 2] === 'e') return word.slice(0, -2) + word.slice(-1);
  if (length > 2 && word[length - 2] === 'ů') return `${word.slice(0, -2)}o${word.slice(-1)}`;
  return word;
}
