/**
 * Token filter `indic_normalization` for the scripts of India: a letter and its sign that together are one letter become that one.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

/** Two characters and the one they are, joined by commas; from the answers of a server for all pairs of each script. */
const PAIRS =
  '\u0905\u093e \u0906,\u0905\u0945 \u0972,\u0905\u0946 \u0904,\u0905\u0949 \u0911,\u0905\u094a \u0912,' +
  '\u0905\u094b \u0913,\u0905\u094c \u0914,\u0906\u0945 \u0911,\u0906\u0946 \u0912,\u0906\u0947 \u0913,' +
  '\u0906\u0948 \u0914,\u0909\u0941 \u090a,\u090f\u0945 \u090d,\u090f\u0946 \u090e,\u090f\u0947 \u0910,' +
  '\u0915\u093c \u0958,\u0916\u093c \u0959,\u0917\u093c \u095a,\u091c\u093c \u095b,\u0921\u093c \u095c,' +
  '\u0922\u093c \u095d,\u0928\u093c \u0929,\u092b\u093c \u095e,\u092f\u093c \u095f,\u0930\u093c \u0931,' +
  '\u0933\u093c \u0934,\u093e\u0945 \u0949,\u093e\u0946 \u094a,\u093e\u0947 \u094b,\u093e\u0948 \u094c,' +
  '\u0985\u09be \u0986,\u09a1\u09bc \u09dc,\u09a2\u09bc \u09dd,\u09af\u09bc \u09df,\u09c7\u09be \u09cb,' +
  '\u09c7\u09d7 \u09cc,\u0a05\u0a3e \u0a06,\u0a05\u0a48 \u0a10,\u0a05\u0a4c \u0a14,\u0a16\u0a3c \u0a59,' +
  '\u0a17\u0a3c \u0a5a,\u0a1c\u0a3c \u0a5b,\u0a2b\u0a3c \u0a5e,\u0a41\u0a41 \u0a42,\u0a72\u0a3f \u0a07,' +
  '\u0a72\u0a40 \u0a08,\u0a72\u0a47 \u0a0f,\u0a73\u0a41 \u0a09,\u0a73\u0a42 \u0a0a,\u0a73\u0a4b \u0a13,' +
  '\u0a85\u0abe \u0a86,\u0a85\u0ac5 \u0a8d,\u0a85\u0ac7 \u0a8f,\u0a85\u0ac8 \u0a90,\u0a85\u0ac9 \u0a91,' +
  '\u0a85\u0acb \u0a93,\u0a85\u0acc \u0a94,\u0a86\u0ac5 \u0a91,\u0a86\u0ac7 \u0a93,\u0a86\u0ac8 \u0a94,' +
  '\u0abe\u0ac5 \u0ac9,\u0abe\u0ac7 \u0acb,\u0abe\u0ac8 \u0acc,\u0b05\u0b3e \u0b06,\u0b0f\u0b57 \u0b10,' +
  '\u0b13\u0b57 \u0b14,\u0b21\u0b3c \u0b5c,\u0b22\u0b3c \u0b5d,\u0b47\u0b3e \u0b4b,\u0b47\u0b57 \u0b4c,' +
  '\u0b89\u0bd7 \u0b8a,\u0b92\u0bd7 \u0b94,\u0bc6\u0bbe \u0bca,\u0bc6\u0bd7 \u0bcc,\u0bc7\u0bbe \u0bcb,' +
  '\u0c12\u0c4c \u0c14,\u0c12\u0c55 \u0c13,\u0c35\u0c41 \u0c2e,\u0c46\u0c55 \u0c47,\u0c46\u0c56 \u0c48,' +
  '\u0c92\u0ccc \u0c94,\u0cbf\u0cd5 \u0cc0,\u0cc6\u0cc2 \u0cca,\u0cc6\u0cd5 \u0cc7,\u0cc6\u0cd6 \u0cc8,' +
  '\u0cca\u0cd5 \u0ccb,\u0d07\u0d57 \u0d08,\u0d09\u0d57 \u0d0a,\u0d0e\u0d46 \u0d10,\u0d12\u0d3e \u0d13,' +
  '\u0d12\u0d57 \u0d14,\u0d46\u0d3e \u0d4a,\u0d46\u0d46 \u0d48,\u0d46\u0d57 \u0d4c,\u0d47\u0d3e \u0d4b';

const COMPOSED: ReadonlyMap<string, string> = new Map(
  PAIRS.split(',').map((pair) => {
    const [decomposed = '', composed = ''] = pair.split(' ');
    return [decomposed, composed] as const;
  }),
);

/** Bengali ta that has lost its vowel, written with a joiner. */
const KHANDA_TA = /\u09a4\u09cd\u200d/g;

const FIRST = new RegExp(`[\u09a4${[...COMPOSED.keys()].map((pair) => pair[0]).join('')}]`);

export function indicNormalizationFilter(): TokenFilter {
  return mapLetters('indic_normalization', (term) =>
    FIRST.test(term) ? compose(term.replace(KHANDA_TA, '\u09ce')) : term,
  );
}

/** A composed letter may join with the sign behind it again. */
function compose(term: string): string {
  let out = '';
  for (const character of term) {
    const composed = COMPOSED.get(out.slice(-1) + character);
    out = composed === undefined ? out + character : out.slice(0, -1) + composed;
  }
  return out;
}

export const indicNormalization: TokenFilterType = {
  type: 'indic_normalization',
  options: [],
  create: indicNormalizationFilter,
};
