/**
 * Token filter `phonetic`: codes of words, the same for words that sound alike; in the place of the words or beside them.
 *
 * What an encoder cannot code stays as it is.
 */
import { illegalArgument } from '@shoal/core';
import { caverphone1, caverphone2 } from '../../phonetics/caverphone.ts';
import { colognePhonetic } from '../../phonetics/cologne.ts';
import { doubleMetaphone } from '../../phonetics/double-metaphone.ts';
import { metaphone } from '../../phonetics/metaphone.ts';
import { nysiis } from '../../phonetics/nysiis.ts';
import { refinedSoundex, soundex } from '../../phonetics/soundex.ts';
import { type ComponentOptions, readFlag, readInteger } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

/** Code of a word; null where there is none. */
type Encoder = (word: string) => string | null;

const ENCODERS: ReadonlyMap<string, Encoder> = new Map<string, Encoder>([
  ['caverphone', caverphone2],
  ['caverphone1', caverphone1],
  ['caverphone2', caverphone2],
  ['cologne', colognePhonetic],
  ['metaphone', metaphone],
  ['nysiis', nysiis],
  ['refined_soundex', refinedSoundex],
  ['refinedsoundex', refinedSoundex],
  ['soundex', soundex],
]);

const DOUBLE_METAPHONE: readonly string[] = ['double_metaphone', 'doublemetaphone'];

/** Encoders of Elasticsearch that are not built. */
const MISSING: readonly string[] = [
  ...['beider_morse', 'beidermorse', 'bm', 'daitch_mokotoff', 'haasephonetik', 'koelnerphonetik'],
];

const CODE_LENGTH = 4;

export const phonetic: TokenFilterType = {
  type: 'phonetic',
  options: ['encoder', 'replace', 'max_code_len'],
  create: (options) => {
    const isReplacing = readFlag(options, 'replace', true);
    const { codesOf, place } = encodingOf(options);
    return filterOf((term) => {
      const codes = codesOf(term).filter((code) => code !== '' && code !== term);
      if (codes.length === 0) return [term];
      if (isReplacing) return codes;
      return place === 'before' ? [...codes, term] : [term, ...codes];
    });
  },
};

interface Encoding {
  codesOf(term: string): readonly string[];
  /** Where codes stand among the tokens of a position that keeps its word. */
  readonly place: 'before' | 'behind';
}

/** @throws ShoalError illegal_argument_exception for an encoder that there is not, or a length that it does not read */
function encodingOf(options: ComponentOptions): Encoding {
  const name = options.encoder ?? 'metaphone';
  const plain = name.toLowerCase();
  if (DOUBLE_METAPHONE.includes(plain)) {
    const lengthMax = readInteger(options, 'max_code_len', CODE_LENGTH);
    if (lengthMax < 1) throw illegalArgument('encoder error');
    return { codesOf: (term) => bothCodes(term, lengthMax), place: 'behind' };
  }
  const encode = ENCODERS.get(plain);
  if (encode === undefined) {
    if (MISSING.includes(plain)) throw illegalArgument(`encoder [${name}] for phonetic token filter is not supported`);
    throw illegalArgument(`unknown encoder [${name}] for phonetic token filter`);
  }
  if (options.max_code_len !== undefined) {
    throw illegalArgument(`[max_code_len] is for the encoder [double_metaphone], not for [${name}]`);
  }
  return { codesOf: (term) => [encode(term) ?? ''], place: 'before' };
}

/** A word that is its own first code has no other. */
function bothCodes(term: string, lengthMax: number): readonly string[] {
  const { primary, alternate } = doubleMetaphone(term, lengthMax);
  return primary === alternate || primary === term ? [primary] : [primary, alternate];
}

/** @param termsOf the terms at the position of a term, at least one */
function filterOf(termsOf: (term: string) => readonly string[]): TokenFilter {
  return {
    name: 'phonetic',
    inSynonymRules: 'refused',
    into: (next) => (term, start, end, increment, type, attributes) => {
      for (const [i, each] of termsOf(term).entries()) {
        next(each, start, end, i === 0 ? increment : 0, type, attributes);
      }
    },
  };
}
