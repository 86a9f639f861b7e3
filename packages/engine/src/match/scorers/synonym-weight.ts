/**
 * Terms that stand at one position of a query as one term: a document has it when it has any of them, as often as all of them
 * together (Lucene's SynonymQuery).
 *
 * Analyzers that emit several terms at one position (grams, synonyms) make such positions: scored apart, a document that
 * has more of the alternatives would win, and `operator: and` would ask for all of them.
 */
import { assert } from '@shoal/core';
import { NO_NORM } from '../../bytes/small-float.ts';
import type { PostingsCursor, SegmentView } from '../../format/reader/segment-reader.ts';
import { explainIdf, explainScore } from '../explain/explain-score.ts';
import { idf } from '../weight/bm25.ts';
import { explained, noMatch } from '../weight/explanation.ts';
import type { LocatedTerm } from '../weight/located-term.ts';
import type { Weight } from '../weight/weight.ts';
import type { StatisticsCache } from './statistics-cache.ts';
import { termScorer } from './term-weight.ts';
import { UnionCursor } from './union-cursor.ts';

export interface SynonymWeightOptions {
  readonly field: string;
  /** Distinct terms; at least two. */
  readonly terms: readonly Uint8Array[];
  readonly boost: number;
  readonly isScored: boolean;
}

export function synonymWeight(statistics: StatisticsCache, options: SynonymWeightOptions): Weight {
  const { field, terms, boost, isScored } = options;
  assert(terms.length > 1, `a synonym group of ${terms.length} terms in ${field}`);
  const sorted = terms.map((term) => Buffer.from(term)).sort(Buffer.compare);
  const text = `Synonym(${sorted.map((term) => `${field}:${term.toString('utf8')}`).join(' ')})`;
  const located = terms.map((term) => statistics.locate(field, term));
  const counts = isScored ? located.map((term) => statistics.located(term)) : [];
  const docFreq = Math.max(0, ...counts.map((count) => count.docFreq));
  const totalTermFreq = counts.reduce((sum, count) => sum + count.totalTermFreq, 0);
  assert(docFreq >= 0, `document frequency ${docFreq} of a synonym group in ${field}`);
  const asOne = { boost, idf: isScored ? idf(docFreq, statistics.field(field).docCount) : 0 };
  const scores = isScored ? statistics.scores(field, { ...asOne, terms: [{ docFreq, totalTermFreq }] }) : null;
  return {
    text,
    explain(view, doc) {
      const cursor = unionOf(view, located);
      if (cursor?.advance(doc) !== doc) return noMatch('no matching term');
      if (scores === null) return explained(0, text);
      const norms = view.segment.norms(field);
      const fieldStatistics = statistics.field(field);
      return explainScore({
        text,
        doc,
        score: scores.score(cursor.freq, norms === null ? NO_NORM : (norms[doc] as number)),
        scores,
        idf: explainIdf(docFreq, fieldStatistics.docCount),
        freq: explained(cursor.freq, `termFreq=${cursor.freq.toFixed(1)}`),
        norms,
        statistics: fieldStatistics,
      });
    },
    scorer(view) {
      const cursor = unionOf(view, located);
      if (cursor === null) return null;
      return termScorer(cursor, scores, view.segment.norms(field));
    },
    count: () => -1,
  };
}

function unionOf(view: SegmentView, terms: readonly LocatedTerm[]): PostingsCursor | null {
  const cursors = terms.map((term) => term.postings(view)).filter((cursor) => cursor !== null);
  const [first] = cursors;
  if (first === undefined) return null;
  return cursors.length === 1 ? first : new UnionCursor(cursors);
}
