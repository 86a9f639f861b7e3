/**
 * Queries by class over a corpus: terms that are frequent, middling or rare, several of them, and phrases that occur.
 */
import { randomFrom } from './zipf-corpus.mjs';

/** Every so many documents one is kept to take phrases from. */
const SAMPLE_EVERY = 97;

/** Sees all documents, then makes the queries. */
export class QueryClasses {
  #docFreqs = new Map();
  #lastDocs = new Map();
  #sample = [];
  #docCount = 0;

  add(words) {
    for (const word of words) {
      if (this.#lastDocs.get(word) === this.#docCount) continue;
      this.#lastDocs.set(word, this.#docCount);
      this.#docFreqs.set(word, (this.#docFreqs.get(word) ?? 0) + 1);
    }
    if (this.#docCount % SAMPLE_EVERY === 0) this.#sample.push(words);
    this.#docCount++;
  }

  /** [class, queries]; each query a list of words. */
  make(perClass) {
    const random = randomFrom(12_345);
    const total = this.#docCount;
    const between = (low, high) =>
      [...this.#docFreqs]
        .flatMap(([word, freq]) => (word.length > 1 && freq >= low && freq < high ? [word] : []))
        .sort();
    const groups = {
      high: between(total * 0.03, total + 1),
      mid: between(total * 0.001, total * 0.01),
      low: between(5, total * 0.0003 + 6),
    };
    const pick = (group) => groups[group][Math.trunc(random() * groups[group].length)];
    const mixed = () => {
      const draw = random();
      return pick(draw < 0.4 ? 'high' : draw < 0.8 ? 'mid' : 'low');
    };
    const phrase = (length) => {
      for (;;) {
        const words = this.#sample[Math.trunc(random() * this.#sample.length)];
        if (words.length < length) continue;
        const from = Math.trunc(random() * (words.length - length + 1));
        const query = words.slice(from, from + length);
        if (query.every((word) => this.#docFreqs.get(word) >= total * 0.001)) return query;
      }
    };
    const makers = {
      term_high: () => [pick('high')],
      term_mid: () => [pick('mid')],
      term_low: () => [pick('low')],
      or2_hh: () => [pick('high'), pick('high')],
      or2_hm: () => [pick('high'), pick('mid')],
      or4: () => Array.from({ length: 4 }, mixed),
      or8: () => Array.from({ length: 8 }, mixed),
      and2_hh: () => [pick('high'), pick('high')],
      and2_hm: () => [pick('high'), pick('mid')],
      and3: () => [pick('high'), pick('high'), pick(random() < 0.5 ? 'mid' : 'high')],
      phrase2: () => phrase(2),
      phrase3: () => phrase(3),
      must1_should1_hm: () => [pick('high'), pick('mid')],
      must1_should1_mh: () => [pick('mid'), pick('high')],
      must2_should1: () => [pick('high'), pick('high'), pick('mid')],
      min2of3: () => [mixed(), mixed(), mixed()],
      min3of5: () => Array.from({ length: 5 }, mixed),
      dismax3: () => [mixed(), mixed(), mixed()],
      dismax3_tie: () => [mixed(), mixed(), mixed()],
      best2x2: () => Array.from({ length: 4 }, mixed),
      must1_should1_filtered: () => [pick('high'), pick('mid'), pick('high')],
      min2of3_filtered: () => [mixed(), mixed(), mixed(), pick('high')],
      dismax3_filtered: () => [mixed(), mixed(), mixed(), pick('high')],
      best2x2_filtered: () => [...Array.from({ length: 4 }, mixed), pick('high')],
      or4_narrowed: () => [...Array.from({ length: 4 }, mixed), pick('low')],
      and2_hh_narrowed: () => [pick('high'), pick('high'), pick('low')],
      best2x2_narrowed: () => [...Array.from({ length: 4 }, mixed), pick('low')],
    };
    const distinct = (make) => {
      for (;;) {
        const words = make();
        if (new Set(words).size === words.length) return words;
      }
    };
    return Object.entries(makers).map(([name, make]) => [name, Array.from({ length: perClass }, () => distinct(make))]);
  }
}
