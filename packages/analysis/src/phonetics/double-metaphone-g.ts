/**
 * Sounds of G for Double Metaphone.
 */
import { heard, heardTwice, type PhoneticWord, type Sounds } from './phonetic-word.ts';

/** Behind a G at the start: it may be said as in "get" or as in "gem". */
const HARD_OR_SOFT = ['Y', 'ES', 'EP', 'EB', 'EL', 'EY', 'IB', 'IL', 'IN', 'IE', 'EI', 'ER'];

export function soundsOfG(word: PhoneticWord, at: number): Sounds {
  const next = word.at(at + 1);
  if (next === 'H') return soundsOfGh(word, at);
  if (next === 'N') return soundsOfGn(word, at);
  if (word.has(at + 1, 'LI') && !word.isSlavoGermanic) return heardTwice('KL', 'L', 2);
  if (at === 0 && word.has(1, ...HARD_OR_SOFT)) return heardTwice('K', 'J', 2);
  if (isHardOrSoftInside(word, at)) return heardTwice('K', 'J', 2);
  if (word.has(at + 1, 'E', 'I', 'Y') || word.has(at - 1, 'AGGI', 'OGGI')) {
    if (word.isGermanic || word.has(at + 1, 'ET')) return heard('K', 2);
    return word.has(at + 1, 'IER') ? heard('J', 2) : heardTwice('J', 'K', 2);
  }
  return heard('K', next === 'G' ? 2 : 1);
}

function isHardOrSoftInside(word: PhoneticWord, at: number): boolean {
  if (!word.has(at + 1, 'ER', 'Y') || word.has(0, 'DANGER', 'RANGER', 'MANGER')) return false;
  return !word.has(at - 1, 'E', 'I', 'RGY', 'OGY');
}

function soundsOfGn(word: PhoneticWord, at: number): Sounds {
  if (word.isSlavoGermanic) return heard('KN', 2);
  if (at === 1 && word.isVowel(0)) return heardTwice('KN', 'N', 2);
  return word.has(at + 2, 'EY') || word.at(at + 1) === 'Y' ? heard('KN', 2) : heardTwice('N', 'KN', 2);
}

function soundsOfGh(word: PhoneticWord, at: number): Sounds {
  if (at === 0) return heard(word.at(2) === 'I' ? 'J' : 'K', 2);
  if (!word.isVowel(at - 1)) return heard('K', 2);
  // Parker's rule: bough, broughton, hugh.
  const isSilent =
    (at > 1 && word.has(at - 2, 'B', 'H', 'D')) ||
    (at > 2 && word.has(at - 3, 'B', 'H', 'D')) ||
    (at > 3 && word.has(at - 4, 'B', 'H'));
  if (isSilent) return heard('', 2);
  if (at > 2 && word.at(at - 1) === 'U' && word.has(at - 3, 'C', 'G', 'L', 'R', 'T')) return heard('F', 2);
  return heard(word.at(at - 1) === 'I' ? '' : 'K', 2);
}
