/**
 * Statistics of a field over the shard as term vectors show them. A field that no document of the shard has counts as if the
 * document at hand were the only one.
 */
import { assert } from '@shoal/core';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import { StatisticsCache } from '../../match/scorers/statistics-cache.ts';
import type { FieldVector } from './field-vector.ts';

export interface VectorTermCounts {
  readonly docFreq: number;
  readonly totalTermFreq: number;
}

export interface VectorStatistics {
  readonly docCount: number;
  readonly sumDocFreq: number;
  readonly sumTotalTermFreq: number;
  /** null: no document has the term. */
  term(term: string): VectorTermCounts | null;
}

export function vectorStatistics(searcher: Searcher, path: string, vector: FieldVector): VectorStatistics {
  const found = searcher.views.flatMap(({ segment }) => segment.terms(path)?.stats ?? []);
  if (found.length === 0) return ownStatistics(vector);
  const cache = new StatisticsCache(searcher);
  const sum = (pick: (stats: (typeof found)[number]) => number): number => found.reduce((n, one) => n + pick(one), 0);
  const docCount = sum((one) => one.docCount);
  const sumDocFreq = sum((one) => one.sumDocFreq);
  assert(docCount <= searcher.maxDoc, `${path}: in ${docCount} of ${searcher.maxDoc} documents`);
  assert(sumDocFreq >= docCount, `${path}: ${sumDocFreq} terms of ${docCount} documents`);
  return {
    docCount,
    sumDocFreq,
    sumTotalTermFreq: sum(({ sumTotalTermFreq }) => sumTotalTermFreq),
    term: (term) => {
      const counts = cache.term(path, Buffer.from(term, 'utf8'));
      return counts.docFreq === 0 ? null : counts;
    },
  };
}

function ownStatistics(vector: FieldVector): VectorStatistics {
  let total = 0;
  for (const tokens of vector.values()) total += tokens.length;
  return {
    docCount: 1,
    sumDocFreq: vector.size,
    sumTotalTermFreq: total,
    term: (term) => ({ docFreq: 1, totalTermFreq: vector.get(term)?.length ?? 0 }),
  };
}
