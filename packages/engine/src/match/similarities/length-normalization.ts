/**
 * Normalizations of term frequencies by the length of the field.
 *
 * @see Amati & van Rijsbergen, "Probabilistic models of information retrieval based on measuring the divergence from randomness"
 *      (2002); Dirichlet priors (H3) and Zipf's law (Z) are from Amati's thesis (2003)
 */
import { unreachable } from '@shoal/core';
import type { LengthNormalization } from '@shoal/schema';
import { counted, type Explanation, explained } from '../weight/explanation.ts';
import { averageLength, type BasicStatistics, log2, type TermOccurrence } from './basic-statistics.ts';

/** Normalized term frequency. */
export function normalizedFrequency(
  by: LengthNormalization,
  statistics: BasicStatistics,
  { freq, length }: TermOccurrence,
): number {
  const average = averageLength(statistics);
  switch (by.kind) {
    case 'no':
      return freq;
    case 'h1':
      return freq * by.c * (average / length);
    case 'h2':
      return freq * log2(1 + (by.c * average) / length);
    case 'h3': {
      const prior = (statistics.totalTermFreq + 1) / (statistics.tokenCount + 1);
      return ((freq + by.mu * prior) / (length + by.mu)) * by.mu;
    }
    case 'z':
      return freq * (average / length) ** by.z;
    default:
      return unreachable(by);
  }
}

export function explainNormalization(
  by: LengthNormalization,
  statistics: BasicStatistics,
  occurrence: TermOccurrence,
): Explanation {
  const tfn = normalizedFrequency(by, statistics, occurrence);
  const tf = explained(occurrence.freq, 'tf, number of occurrences of term in the document');
  const length = explained(occurrence.length, 'fl, field length of the document');
  const average = explained(averageLength(statistics), 'avgfl, average length of field across all documents');
  switch (by.kind) {
    case 'no':
      return counted(1, 'no normalization');
    case 'h1':
    case 'h2': {
      const c = explained(by.c, 'c, hyper-parameter');
      const formula =
        by.kind === 'h1'
          ? 'NormalizationH1, computed as tf * c * (avgfl / fl)'
          : 'NormalizationH2, computed as tf * log2(1 + c * avgfl / fl)';
      return explained(tfn, `${formula} from:`, [tf, c, average, length]);
    }
    case 'h3':
      return explained(tfn, 'NormalizationH3, computed as (tf + mu * ((F+1) / (T+1))) / (fl + mu) * mu from:', [
        tf,
        explained(by.mu, 'mu, smoothing parameter'),
        explained(statistics.totalTermFreq, 'F,  total number of occurrences of term across all documents'),
        explained(statistics.tokenCount, 'T, total number of tokens of the field across all documents'),
        length,
      ]);
    case 'z':
      return explained(tfn, 'NormalizationZ, computed as tf * Math.pow(avgfl / fl, z) from:', [
        tf,
        average,
        length,
        explained(by.z, 'z, relates to specificity of the language'),
      ]);
    default:
      return unreachable(by);
  }
}
