/**
 * Sounds of C for Double Metaphone: of words of Italian, Greek, German and Slavic origin too.
 */
import { heard, heardTwice, type PhoneticWord, type Sounds } from './phonetic-word.ts';

export function soundsOfC(word: PhoneticWord, at: number): Sounds {
  if (isHard(word, at)) return heard('K', 2);
  if (at === 0 && word.has(0, 'CAESAR')) return heard('S', 2);
  if (word.has(at, 'CH')) return soundsOfCh(word, at);
  if (word.has(at, 'CZ') && !word.has(at - 2, 'WICZ')) return heardTwice('S', 'X', 2);
  if (word.has(at + 1, 'CIA')) return heard('X', 3);
  if (word.has(at, 'CC') && !(at === 1 && word.at(0) === 'M')) return soundsOfCc(word, at);
  if (word.has(at, 'CK', 'CG', 'CQ')) return heard('K', 2);
  if (word.has(at, 'CIO', 'CIE', 'CIA')) return heardTwice('S', 'X', 2);
  if (word.has(at, 'CI', 'CE', 'CY')) return heard('S', 2);
  if (word.has(at + 1, ' C', ' Q', ' G')) return heard('K', 3);
  return heard('K', word.has(at + 1, 'C', 'K', 'Q') && !word.has(at + 1, 'CE', 'CI') ? 2 : 1);
}

/** Italian and German words: Chianti, Bach, Macher. */
function isHard(word: PhoneticWord, at: number): boolean {
  if (word.has(at, 'CHIA')) return true;
  if (at <= 1 || word.isVowel(at - 2) || !word.has(at - 1, 'ACH')) return false;
  return !word.has(at + 2, 'I', 'E') || word.has(at - 2, 'BACHER', 'MACHER');
}

function soundsOfCc(word: PhoneticWord, at: number): Sounds {
  if (!word.has(at + 2, 'I', 'E', 'H') || word.has(at + 2, 'HU')) return heard('K', 2);
  const isKs = (at === 1 && word.at(0) === 'A') || word.has(at - 1, 'UCCEE', 'UCCES');
  return heard(isKs ? 'KS' : 'X', 3);
}

function soundsOfCh(word: PhoneticWord, at: number): Sounds {
  if (at > 0 && word.has(at, 'CHAE')) return heardTwice('K', 'X', 2);
  if (isGreekStart(word, at) || isGermanicOrGreek(word, at)) return heard('K', 2);
  if (at === 0) return heard('X', 2);
  return word.has(0, 'MC') ? heard('K', 2) : heardTwice('X', 'K', 2);
}

function isGreekStart(word: PhoneticWord, at: number): boolean {
  return at === 0 && word.has(1, 'HARAC', 'HARIS', 'HOR', 'HYM', 'HIA', 'HEM') && !word.has(0, 'CHORE');
}

function isGermanicOrGreek(word: PhoneticWord, at: number): boolean {
  if (word.isGermanic || word.has(at - 2, 'ORCHES', 'ARCHIT', 'ORCHID') || word.has(at + 2, 'T', 'S')) return true;
  const isBehind = at === 0 || word.has(at - 1, 'A', 'O', 'U', 'E');
  return isBehind && (word.isLast(at + 1) || word.has(at + 2, 'L', 'R', 'N', 'M', 'B', 'H', 'F', 'V', 'W', ' '));
}
