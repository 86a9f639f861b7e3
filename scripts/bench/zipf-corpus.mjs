/**
 * A made-up corpus that is the same on every machine: words by Zipf's law, some pairs of them more often than chance.
 */

const VOCABULARY = 200_000;
const TOKENS_MEAN = 60;
const TOKENS_SIGMA = 0.6;
/** Share of words that are one of four fixed successors of the word before, so that phrases match. */
const SUCCESSOR_SHARE = 0.15;
const SUCCESSORS = 4;
const CONSONANTS = 'bcdfghjklmnpqrstvwxz';
const VOWELS = 'aeiou';

/** mulberry32: uniform in [0, 1). */
export function randomFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Frequent words are short. */
function vocabulary() {
  const syllable = (i) => CONSONANTS[i % 20] + VOWELS[Math.trunc(i / 20) % 5];
  const seen = new Set();
  return Array.from({ length: VOCABULARY }, (_, rank) => {
    const number =
      rank < 100 ? (rank * 37) % 100 : rank < 10_000 ? (rank * 3571) % 10_000 : (rank * 387_413) % 1_000_003;
    let word = syllable(number % 100);
    if (rank >= 100) word += syllable(Math.trunc(number / 100) % 100);
    if (rank >= 10_000) word += syllable(Math.trunc(number / 10_000) % 100);
    if (rank % 3 !== 0) word += 'nrstlm'[rank % 6];
    while (seen.has(word)) word += 'xa';
    seen.add(word);
    return word;
  });
}

/** Draws ranks with weight 1 / (rank + 1), each in constant time (Walker's alias method). */
function zipfSampler(size, random) {
  const share = Float64Array.from({ length: size }, (_, rank) => 1 / (rank + 1));
  const sum = share.reduce((a, b) => a + b, 0);
  const alias = new Int32Array(size);
  const small = [];
  const large = [];
  for (let rank = 0; rank < size; rank++) {
    share[rank] *= size / sum;
    (share[rank] < 1 ? small : large).push(rank);
  }
  while (small.length > 0 && large.length > 0) {
    const less = small.pop();
    const more = large[large.length - 1];
    alias[less] = more;
    share[more] -= 1 - share[less];
    if (share[more] < 1) small.push(large.pop());
  }
  for (const rank of [...small, ...large]) share[rank] = 1;
  return () => {
    const rank = Math.trunc(random() * size);
    return random() < share[rank] ? rank : alias[rank];
  };
}

/** `count` documents, each a list of words. */
export function* zipfDocuments(count) {
  const random = randomFrom(0x9e3779b9);
  const words = vocabulary();
  const draw = zipfSampler(VOCABULARY, random);
  const successors = Int32Array.from({ length: VOCABULARY * SUCCESSORS }, draw);
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const mu = Math.log(TOKENS_MEAN) - TOKENS_SIGMA ** 2 / 2;
  for (let doc = 0; doc < count; doc++) {
    const length = Math.max(3, Math.round(Math.exp(mu + TOKENS_SIGMA * gauss())));
    const text = new Array(length);
    let rank = -1;
    for (let i = 0; i < length; i++) {
      rank =
        rank >= 0 && random() < SUCCESSOR_SHARE
          ? successors[rank * SUCCESSORS + Math.trunc(random() * SUCCESSORS)]
          : draw();
      text[i] = words[rank];
    }
    yield text;
  }
}
