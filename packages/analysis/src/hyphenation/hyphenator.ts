/**
 * Hyphenation by patterns (Liang, 1983): where a word may be broken.
 */
import type { HyphenationFile } from './hyphenation-file.ts';

export class Hyphenator {
  readonly #file: HyphenationFile;
  /** Letters of the longest pattern. */
  readonly #longest: number;

  constructor(file: HyphenationFile) {
    this.#file = file;
    this.#longest = Math.max(...[...file.patterns.keys()].map(({ length }) => length));
  }

  /**
   * Places of a word at which it may be broken, with its beginning and the number of its letters; null where there are none in it, or it has
   * something else between its letters.
   */
  points(word: string): readonly number[] | null {
    const { letters, exceptions } = this.#file;
    const known = Array.from({ length: word.length }, (_, i) => letters.get(word.charAt(i)));
    const first = known.findIndex((letter) => letter !== undefined);
    if (first < 0) return null;
    const found = known.filter((letter) => letter !== undefined);
    if (known.slice(first, first + found.length).includes(undefined)) return null;
    const normal = found.join('');
    const exception = exceptions.get(normal);
    const breaks = exception === undefined ? this.#byPatterns(normal) : endsOf(exception, normal.length);
    return breaks.length === 0 ? null : [0, ...breaks.map((at) => at + first), normal.length];
  }

  #byPatterns(word: string): readonly number[] {
    const marked = `.${word}.`;
    const values = new Uint8Array(marked.length + 1);
    for (let from = 0; from < marked.length - 1; from++) {
      for (let to = from + 1; to <= Math.min(marked.length, from + this.#longest); to++) {
        const pattern = this.#file.patterns.get(marked.slice(from, to));
        for (const [i, value] of (pattern ?? []).entries()) {
          values[from + i] = Math.max(values[from + i] ?? 0, value);
        }
      }
    }
    const breaks: number[] = [];
    for (let at = 1; at < word.length; at++) if ((values[at + 1] ?? 0) % 2 === 1) breaks.push(at);
    return breaks;
  }
}

/** Ends of the parts of an exception, but that of the last letter. */
function endsOf(parts: readonly string[], length: number): readonly number[] {
  const ends: number[] = [];
  for (const part of parts) ends.push((ends.at(-1) ?? 0) + part.length);
  return ends.filter((end) => end >= 1 && end < length - 1);
}
