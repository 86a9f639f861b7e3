/**
 * The most telling terms of a term vector: those that pass the limits of the filter, the best of them by tf–idf.
 */
import { assert, illegalArgument } from '@shoal/core';
import type { TermFilter } from '@shoal/shard-api';
import type { FieldVector } from './field-vector.ts';
import type { VectorStatistics } from './vector-statistics.ts';

/** Longest heap of Lucene. */
const TERMS_END = 2_147_483_631;

/** Scores of the chosen terms. @throws illegal_argument_exception where no number of terms can be kept */
export function selectTerms(
  vector: FieldVector,
  statistics: VectorStatistics,
  filter: TermFilter,
): ReadonlyMap<string, number> {
  const { maxNumTerms } = filter;
  if (maxNumTerms < 0) throw illegalArgument(`maxSize must be >= 0 and < ${TERMS_END}; got: ${maxNumTerms}`);
  const scored: { readonly term: string; readonly score: number }[] = [];
  for (const [term, { length: freq }] of vector) {
    if (!isWithin(term.length, filter.minWordLength, filter.maxWordLength || Number.POSITIVE_INFINITY)) continue;
    if (!isWithin(freq, filter.minTermFreq, filter.maxTermFreq)) continue;
    const docFreq = statistics.term(term)?.docFreq ?? 0;
    if (!isWithin(docFreq, filter.minDocFreq, filter.maxDocFreq)) continue;
    scored.push({ term, score: Math.fround(freq * idf(docFreq, statistics.docCount)) });
  }
  // The sort is stable: of terms with one score the first ones stay.
  scored.sort((a, b) => b.score - a.score);
  assert(scored.length <= vector.size, `${scored.length} of ${vector.size} terms`);
  return new Map(scored.slice(0, maxNumTerms).map(({ term, score }) => [term, score]));
}

function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}

/** @see Salton's tf–idf as Lucene's `ClassicSimilarity` has it */
function idf(docFreq: number, docCount: number): number {
  return Math.fround(Math.log((docCount + 1) / (docFreq + 1)) + 1);
}
