/**
 * Terms of one field over all segments of a shard: how often each occurs, deleted documents included.
 */

import type { Searcher, TermDictionary } from '../../format/reader/segment-reader.ts';
import { utf8Bytes } from '../../match/context/compile-context.ts';

export interface TermCounts {
  readonly docFreq: number;
  readonly totalTermFreq: number;
}

const NO_COUNTS: TermCounts = { docFreq: 0, totalTermFreq: 0 };

export class FieldTerms {
  /** Dictionaries of the segments that have the field. */
  readonly dictionaries: readonly TermDictionary[];
  /** Documents of the shard, deleted ones included. */
  readonly maxDoc: number;
  /** Tokens of the field. */
  readonly tokenCount: number;
  /** Distinct terms where one segment is all there is; 0: not known, as in Lucene. */
  readonly distinctCount: number;
  readonly #known = new Map<string, TermCounts>();

  private constructor(searcher: Searcher, dictionaries: readonly TermDictionary[]) {
    this.dictionaries = dictionaries;
    this.maxDoc = searcher.maxDoc;
    this.tokenCount = dictionaries.reduce((sum, { stats }) => sum + stats.sumTotalTermFreq, 0);
    this.distinctCount = searcher.views.length === 1 ? (dictionaries[0]?.size ?? 0) : 0;
  }

  /** null where no document has the field. */
  static of(searcher: Searcher, field: string): FieldTerms | null {
    const dictionaries = searcher.views.flatMap(({ segment }) => segment.terms(field) ?? []);
    return dictionaries.length === 0 ? null : new FieldTerms(searcher, dictionaries);
  }

  counts(term: string): TermCounts {
    const known = this.#known.get(term);
    if (known !== undefined) return known;
    const bytes = utf8Bytes(term);
    let docFreq = 0;
    let totalTermFreq = 0;
    for (const terms of this.dictionaries) {
      const ordinal = terms.find(bytes);
      if (ordinal < 0) continue;
      docFreq += terms.docFreq(ordinal);
      totalTermFreq += terms.totalTermFreq(ordinal);
    }
    const counts = docFreq === 0 ? NO_COUNTS : { docFreq, totalTermFreq };
    this.#known.set(term, counts);
    return counts;
  }
}
