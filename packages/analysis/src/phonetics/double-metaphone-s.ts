/**
 * Sounds of S for Double Metaphone.
 */
import { heard, heardTwice, type PhoneticWord, type Sounds } from './phonetic-word.ts';

export function soundsOfS(word: PhoneticWord, at: number): Sounds {
  if (word.has(at - 1, 'ISL', 'YSL')) return heard('', 1);
  if (at === 0 && word.has(0, 'SUGAR')) return heardTwice('X', 'S', 1);
  if (word.has(at, 'SH')) return heard(word.has(at + 1, 'HEIM', 'HOEK', 'HOLM', 'HOLZ') ? 'S' : 'X', 2);
  if (word.has(at, 'SIO', 'SIA')) return word.isSlavoGermanic ? heard('S', 3) : heardTwice('S', 'X', 3);
  const isBeforeZ = word.at(at + 1) === 'Z';
  if (isBeforeZ || (at === 0 && word.has(1, 'M', 'N', 'L', 'W'))) return heardTwice('S', 'X', isBeforeZ ? 2 : 1);
  if (word.has(at, 'SC')) return soundsOfSc(word, at);
  const isFrench = word.isLast(at) && word.has(at - 2, 'AI', 'OI');
  return heardTwice(isFrench ? '' : 'S', 'S', word.has(at + 1, 'S', 'Z') ? 2 : 1);
}

function soundsOfSc(word: PhoneticWord, at: number): Sounds {
  if (word.at(at + 2) !== 'H') return heard(word.has(at + 2, 'I', 'E', 'Y') ? 'S' : 'SK', 3);
  if (word.has(at + 3, 'ER', 'EN')) return heardTwice('X', 'SK', 3);
  if (word.has(at + 3, 'OO', 'UY', 'ED', 'EM')) return heard('SK', 3);
  const isAlternate = at === 0 && !word.isVowel(3) && word.at(3) !== 'W';
  return heardTwice('X', isAlternate ? 'S' : 'X', 3);
}
