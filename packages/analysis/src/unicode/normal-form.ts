/**
 * Normal forms of Unicode, with NFKC_Casefold (Unicode Standard, chapter 3, D147): one spelling for what compatibility, case and
 * invisible characters tell apart.
 */
import { illegalArgument } from '@shoal/core';
import { isAscii } from '../tokens/ascii-words.ts';

export type NormalForm = (text: string) => string;

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Cherokee is folded to its capitals, which were there first. */
const CHEROKEE = /^\p{Script=Cherokee}$/u;

/** Folded otherwise than by upper and then lower case. */
const FOLDS: Readonly<Record<string, string>> = { ẞ: 'ss', ı: 'ı' };

/** A fold may make what compatibility changes again; it is at rest after two rounds. */
const ROUNDS_MAX = 3;

/**
 * @param name `nfc`, `nfkc` or `nfkc_cf`
 * @param isDecomposed letters and their marks are characters of their own in the result
 * @throws ShoalError illegal_argument_exception for any other name
 */
export function normalForm(name: string, isDecomposed: boolean): NormalForm {
  switch (name) {
    case 'nfc':
      return (text) => text.normalize(isDecomposed ? 'NFD' : 'NFC');
    case 'nfkc':
      return (text) => text.normalize(isDecomposed ? 'NFKD' : 'NFKC');
    case 'nfkc_cf':
      return isDecomposed ? (text) => compatibilityFolded(text).normalize('NFD') : compatibilityFolded;
    default:
      throw illegalArgument(`Unknown normalization name [${name}]: it is one of [nfc, nfkc, nfkc_cf]`);
  }
}

/** NFKC_Casefold of a text: each character by itself, so that its place does not count, then composed. */
export function compatibilityFolded(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  let folded = '';
  for (const character of text) folded += foldingOf(character);
  return folded.normalize('NFC');
}

function foldingOf(character: string): string {
  let folded = character;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = caseFolded(folded.normalize('NFKC').replace(IGNORABLE, '')).normalize('NFKC');
    if (next === folded) break;
    folded = next;
  }
  return folded;
}

function caseFolded(text: string): string {
  let folded = '';
  for (const letter of text) folded += FOLDS[letter] ?? foldedCase(letter);
  return folded;
}

function foldedCase(letter: string): string {
  const upper = letter.toUpperCase();
  return CHEROKEE.test(letter) ? upper : upper.toLowerCase();
}
