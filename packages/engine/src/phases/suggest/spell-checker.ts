/**
 * Corrections of one word: terms of a field within a few edits of it, judged as Lucene's direct spell checker does.
 *
 * Terms within one edit are tried first, since most mistakes are no more; those within two only where they are too few. The term
 * itself is none of its corrections.
 */
import { editAutomaton, type LazyDfa } from '@shoal/automata';
import type { SpellingOptions } from '@shoal/query';
import { walkNearTerms } from '../../match/automaton/near-term-walk.ts';
import type { FieldTerms } from './field-terms.ts';
import { stringSimilarity } from './string-distances.ts';

export interface Correction {
  readonly text: string;
  /** 0..1, by the distance that was asked for. */
  readonly score: number;
  readonly docFreq: number;
}

/** A term near the word: `nearness` is 1 less its edits by the shorter of both, whatever distance was asked for. */
interface Candidate extends Correction {
  readonly nearness: number;
}

const decoder = new TextDecoder();

export class SpellChecker {
  readonly #terms: FieldTerms;
  readonly #options: SpellingOptions;

  constructor(terms: FieldTerms, options: SpellingOptions) {
    this.#terms = terms;
    this.#options = options;
  }

  /**
   * At most `size` corrections, the best first.
   *
   * @param minDocFreq replaces that of the options
   */
  corrections(word: string, size: number, minDocFreq: number = this.#options.minDocFreq): readonly Correction[] {
    const { mode, minWordLength, maxTermFreq, maxInspections, maxEdits, prefixLength } = this.#options;
    if ([...word].length < minWordLength) return [];
    const { maxDoc } = this.#terms;
    const { docFreq } = this.#terms.counts(word);
    if (mode === 'missing' && docFreq > 0) return [];
    const frequent = maxTermFreq >= 1 ? maxTermFreq : Math.ceil(Math.fround(Math.fround(maxTermFreq) * maxDoc));
    if (docFreq > frequent) return [];
    const above = Math.max(mode === 'popular' ? docFreq : 0, threshold(minDocFreq, maxDoc));
    const inspections = size * maxInspections;
    let found = this.#near(word, { edits: 1, prefixLength, above, inspections });
    if (maxEdits > 1 && found.length < inspections) {
      const further = this.#near(word, {
        edits: maxEdits,
        prefixLength: Math.max(prefixLength, 1),
        above,
        inspections,
      });
      const texts = new Set(found.map(({ text }) => text));
      found = [...found, ...further.filter(({ text }) => !texts.has(text))];
    }
    return found.sort((a, b) => this.#compare(a, b)).slice(0, size);
  }

  /** The nearest `inspections` terms that are frequent and alike enough. */
  #near(
    word: string,
    by: {
      readonly edits: number;
      readonly prefixLength: number;
      readonly above: number;
      readonly inspections: number;
    },
  ): Candidate[] {
    const found: Candidate[] = [];
    for (const [text, edits] of this.#within(word, by.edits, by.prefixLength)) {
      if (text === word) continue;
      const { docFreq } = this.#terms.counts(text);
      if (docFreq <= by.above) continue;
      const shorter = Math.min([...word].length, [...text].length);
      const nearness = edits === 0 ? 1 : Math.fround(1 - Math.fround(edits / shorter));
      const score = this.#similarity(word, text, nearness);
      if (score < Math.fround(this.#options.accuracy)) continue;
      found.push({ text, score, docFreq, nearness });
    }
    found.sort((a, b) => b.nearness - a.nearness || compareTexts(a.text, b.text));
    return found.slice(0, by.inspections);
  }

  #similarity(word: string, text: string, nearness: number): number {
    const { distance } = this.#options;
    return distance === 'internal' ? nearness : stringSimilarity(distance, word, text);
  }

  /** Edits by term, of all terms within `maxEdits`. */
  #within(word: string, maxEdits: number, prefixLength: number): ReadonlyMap<string, number> {
    const automata: readonly LazyDfa[] = Array.from({ length: maxEdits + 1 }, (_, edits) =>
      editAutomaton({ word, maxEdits: edits, prefixLength, hasTranspositions: true }),
    );
    const widest = automata[maxEdits] as LazyDfa;
    const found = new Map<string, number>();
    for (const terms of this.#terms.dictionaries) {
      const { termBytes } = terms.sorted();
      walkNearTerms(terms, widest, (from, to) => {
        let edits = 0;
        while (edits < maxEdits && automata[edits]?.matches(termBytes, from, to) === false) edits++;
        found.set(decoder.decode(termBytes.subarray(from, to)), edits);
      });
    }
    return found;
  }

  #compare(a: Correction, b: Correction): number {
    const byScore = b.score - a.score;
    const byFrequency = b.docFreq - a.docFreq;
    const order = this.#options.order === 'score' ? byScore || byFrequency : byFrequency || byScore;
    return order || compareTexts(a.text, b.text);
  }
}

/** Documents that a correction must exceed. */
function threshold(minDocFreq: number, maxDoc: number): number {
  if (minDocFreq >= 1) return Math.trunc(minDocFreq);
  return minDocFreq > 0 ? Math.trunc(Math.fround(Math.fround(minDocFreq) * maxDoc)) - 1 : 0;
}

/** Order of UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
