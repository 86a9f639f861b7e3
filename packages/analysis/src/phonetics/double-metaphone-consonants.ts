/**
 * Sounds of consonants for Double Metaphone, a rule a letter; C, G and S, which have most, stand beside.
 */
import { soundsOfC } from './double-metaphone-c.ts';
import { soundsOfG } from './double-metaphone-g.ts';
import { soundsOfS } from './double-metaphone-s.ts';
import { heard, heardTwice, type PhoneticWord, type Sounds } from './phonetic-word.ts';

type Rule = (word: PhoneticWord, at: number) => Sounds;

/** A letter with one sound, that of a double one too. */
function simple(code: string): Rule {
  return (word, at) => heard(code, word.at(at + 1) === word.at(at) ? 2 : 1);
}

const RULES: Readonly<Record<string, Rule>> = {
  B: simple('P'),
  C: soundsOfC,
  Ç: () => heard('S', 1),
  D: soundsOfD,
  F: simple('F'),
  G: soundsOfG,
  H: soundsOfH,
  J: soundsOfJ,
  K: simple('K'),
  L: soundsOfL,
  M: soundsOfM,
  N: simple('N'),
  Ñ: () => heard('N', 1),
  P: soundsOfP,
  Q: simple('K'),
  R: soundsOfR,
  S: soundsOfS,
  T: soundsOfT,
  V: simple('F'),
  W: soundsOfW,
  X: soundsOfX,
  Z: soundsOfZ,
};

/** Nothing for what is no letter. */
export function consonantSounds(word: PhoneticWord, at: number): Sounds {
  return RULES[word.at(at)]?.(word, at) ?? heard('', 1);
}

function soundsOfD(word: PhoneticWord, at: number): Sounds {
  if (word.has(at, 'DG')) return word.has(at + 2, 'I', 'E', 'Y') ? heard('J', 3) : heard('TK', 2);
  return heard('T', word.has(at, 'DT', 'DD') ? 2 : 1);
}

function soundsOfH(word: PhoneticWord, at: number): Sounds {
  const isSounded = (at === 0 || word.isVowel(at - 1)) && word.isVowel(at + 1);
  return isSounded ? heard('H', 2) : heard('', 1);
}

function soundsOfJ(word: PhoneticWord, at: number): Sounds {
  const isSaint = word.has(0, 'SAN ');
  if (word.has(at, 'JOSE') || isSaint) {
    const isSpanish = (at === 0 && word.at(at + 4) === ' ') || word.letters.length === 4 || isSaint;
    return isSpanish ? heard('H', 1) : heardTwice('J', 'H', 1);
  }
  const length = word.at(at + 1) === 'J' ? 2 : 1;
  if (at === 0) return heardTwice('J', 'A', length);
  if (word.isVowel(at - 1) && !word.isSlavoGermanic && word.has(at + 1, 'A', 'O')) return heardTwice('J', 'H', length);
  if (word.isLast(at)) return heardTwice('J', ' ', length);
  const isSilent = word.has(at + 1, 'L', 'T', 'K', 'S', 'N', 'M', 'B', 'Z') || word.has(at - 1, 'S', 'K', 'L');
  return heard(isSilent ? '' : 'J', length);
}

function soundsOfL(word: PhoneticWord, at: number): Sounds {
  if (word.at(at + 1) !== 'L') return heard('L', 1);
  const end = word.letters.length;
  const isSpanish =
    (at === end - 3 && word.has(at - 1, 'ILLO', 'ILLA', 'ALLE')) ||
    ((word.has(end - 2, 'AS', 'OS') || word.has(end - 1, 'A', 'O')) && word.has(at - 1, 'ALLE'));
  return heardTwice('L', isSpanish ? '' : 'L', 2);
}

function soundsOfM(word: PhoneticWord, at: number): Sounds {
  const isSilentB = word.has(at - 1, 'UMB') && (word.isLast(at + 1) || word.has(at + 2, 'ER'));
  return heard('M', word.at(at + 1) === 'M' || isSilentB ? 2 : 1);
}

function soundsOfP(word: PhoneticWord, at: number): Sounds {
  if (word.at(at + 1) === 'H') return heard('F', 2);
  return heard('P', word.has(at + 1, 'P', 'B') ? 2 : 1);
}

function soundsOfR(word: PhoneticWord, at: number): Sounds {
  const isFrench = word.isLast(at) && !word.isSlavoGermanic && word.has(at - 2, 'IE') && !word.has(at - 4, 'ME', 'MA');
  return heardTwice(isFrench ? '' : 'R', 'R', word.at(at + 1) === 'R' ? 2 : 1);
}

function soundsOfT(word: PhoneticWord, at: number): Sounds {
  if (word.has(at, 'TION', 'TIA', 'TCH')) return heard('X', 3);
  if (word.has(at, 'TH', 'TTH')) {
    return word.has(at + 2, 'OM', 'AM') || word.isGermanic ? heard('T', 2) : heardTwice('0', 'T', 2);
  }
  return heard('T', word.has(at + 1, 'T', 'D') ? 2 : 1);
}

function soundsOfW(word: PhoneticWord, at: number): Sounds {
  if (word.has(at, 'WR')) return heard('R', 2);
  if (at === 0 && word.isVowel(1)) return heardTwice('A', 'F', 1);
  if (at === 0 && word.has(0, 'WH')) return heard('A', 1);
  const isSlavic = word.has(at - 1, 'EWSKI', 'EWSKY', 'OWSKI', 'OWSKY') || word.has(0, 'SCH');
  if (isSlavic || (word.isLast(at) && word.isVowel(at - 1))) return heardTwice('', 'F', 1);
  return word.has(at, 'WICZ', 'WITZ') ? heardTwice('TS', 'FX', 4) : heard('', 1);
}

function soundsOfX(word: PhoneticWord, at: number): Sounds {
  if (at === 0) return heard('S', 1);
  const isFrench = word.isLast(at) && (word.has(at - 3, 'IAU', 'EAU') || word.has(at - 2, 'AU', 'OU'));
  return heard(isFrench ? '' : 'KS', word.has(at + 1, 'C', 'X') ? 2 : 1);
}

function soundsOfZ(word: PhoneticWord, at: number): Sounds {
  if (word.at(at + 1) === 'H') return heard('J', 2);
  const isTs = word.has(at + 1, 'ZO', 'ZI', 'ZA') || (word.isSlavoGermanic && at > 0 && word.at(at - 1) !== 'T');
  return heardTwice('S', isTs ? 'TS' : 'S', word.at(at + 1) === 'Z' ? 2 : 1);
}
