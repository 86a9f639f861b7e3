/**
 * Double Metaphone (Philips, 2000): two codes of a word, as English speakers and as speakers of its origin may say it.
 *
 * Each rule looks at one letter and what stands around it, and says what is heard and how many letters are done.
 */
import { consonantSounds } from './double-metaphone-consonants.ts';
import { PhoneticWord, type Sounds } from './phonetic-word.ts';

/** First letters of these words are silent. */
const SILENT_START = /^(?:GN|KN|PN|WR|PS)/;

export interface DoubleMetaphone {
  readonly primary: string;
  /** The same as `primary` where both say the word alike. */
  readonly alternate: string;
}

/** @param lengthMax of each code, in characters */
export function doubleMetaphone(text: string, lengthMax: number): DoubleMetaphone {
  const word = new PhoneticWord(text.trim().toUpperCase());
  let primary = '';
  let alternate = '';
  let at = SILENT_START.test(word.letters) ? 1 : 0;
  while (at < word.letters.length && (primary.length < lengthMax || alternate.length < lengthMax)) {
    const sounds = soundsAt(word, at);
    primary = (primary + sounds.primary).slice(0, lengthMax);
    alternate = (alternate + sounds.alternate).slice(0, lengthMax);
    at += sounds.length;
  }
  return { primary, alternate };
}

function soundsAt(word: PhoneticWord, at: number): Sounds {
  if (word.isVowel(at)) return { primary: at === 0 ? 'A' : '', alternate: at === 0 ? 'A' : '', length: 1 };
  return consonantSounds(word, at);
}
