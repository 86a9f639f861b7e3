/**
 * Divergence from independence: how many more occurrences a document has than it would have if it had nothing to do with the term.
 *
 * @see Kocabaş, Dinçer & Karaoğlan, "A nonparametric term weighting method for information retrieval based on measuring the
 *      divergence from independence" (2014)
 */
import type { Similarity } from '@shoal/schema';
import { counted, explained } from '../weight/explanation.ts';
import { type BasicStatistics, log2, type TermOccurrence } from './basic-statistics.ts';
import { frequencyText, type SimilarityModel } from './similarity-model.ts';

type Dfi = Extract<Similarity, { kind: 'DFI' }>;

const MEASURES: Readonly<Record<Dfi['measure'], (freq: number, expected: number) => number>> = {
  standardized: (freq, expected) => (freq - expected) / Math.sqrt(expected),
  saturated: (freq, expected) => (freq - expected) / expected,
  chisquared: (freq, expected) => (freq - expected) ** 2 / expected,
};

export function divergenceFromIndependence({ measure: kind }: Dfi): SimilarityModel {
  const measure = MEASURES[kind];
  return {
    score(statistics, occurrence) {
      const expected = expectedFrequency(statistics, occurrence);
      if (occurrence.freq <= expected) return 0;
      return statistics.boost * log2(measure(occurrence.freq, expected) + 1);
    },
    explain(score, statistics, occurrence) {
      const text = `score(DFISimilarity, freq=${frequencyText(occurrence)})`;
      const expected = expectedFrequency(statistics, occurrence);
      if (occurrence.freq <= expected) return explained(0, `${text}, equals to 0`);
      return explained(score, `${text}, computed as boost * log2(measure + 1) from:`, [
        explained(statistics.boost, 'boost, query boost'),
        explained(measure(occurrence.freq, expected), 'measure, computed as independence.score(freq, expected) from:', [
          explained(occurrence.freq, 'freq, occurrences of term within document'),
          explained(expected, 'expected, computed as (F + 1) * dl / (T + 1) from:', [
            counted(statistics.totalTermFreq, 'F, total number of occurrences of term across all docs'),
            explained(occurrence.length, 'dl, length of field'),
            counted(statistics.tokenCount, 'T, total number of tokens in the field'),
          ]),
        ]),
      ]);
    },
  };
}

function expectedFrequency({ totalTermFreq, tokenCount }: BasicStatistics, { length }: TermOccurrence): number {
  return ((totalTermFreq + 1) * length) / (tokenCount + 1);
}
