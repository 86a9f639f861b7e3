/**
 * Divergence from randomness: how far the occurrences of a term are from what chance would give.
 *
 * @see Amati & van Rijsbergen, "Probabilistic models of information retrieval based on measuring the divergence from randomness"
 *      (2002)
 */
import type { Similarity } from '@shoal/schema';
import { counted, type Explanation, explained } from '../weight/explanation.ts';
import { type BasicStatistics, log2 } from './basic-statistics.ts';
import { explainNormalization, normalizedFrequency } from './length-normalization.ts';
import { frequencyText, type SimilarityModel } from './similarity-model.ts';

type Dfr = Extract<Similarity, { kind: 'DFR' }>;

export function divergenceFromRandomness({ basicModel, afterEffect, normalization }: Dfr): SimilarityModel {
  const model = BASIC_MODELS[basicModel];
  const effect = AFTER_EFFECTS[afterEffect];
  return {
    score(statistics, occurrence) {
      const tfn = normalizedFrequency(normalization, statistics, occurrence);
      // The effect divides by 1 + tfn, which the models stay below: their product is taken whole, so that it never falls as tfn grows.
      return statistics.boost * (model.information(statistics, tfn) / (1 + tfn)) * effect.times(statistics);
    },
    explain(score, statistics, occurrence) {
      const tfn = normalizedFrequency(normalization, statistics, occurrence);
      const normalized = explained(tfn, 'tfn, normalized term frequency');
      return explained(
        score,
        `score(DFRSimilarity, freq=${frequencyText(occurrence)}), computed as boost * basicModel.score(stats, tfn) * afterEffect.score(stats, tfn) from:`,
        [
          ...(statistics.boost === 1 ? [] : [explained(statistics.boost, 'boost, query boost')]),
          explainNormalization(normalization, statistics, occurrence),
          explained(model.information(statistics, tfn), `${model.formula} from:`, [
            normalized,
            ...model.details(statistics),
          ]),
          explained(effect.times(statistics) / (1 + tfn), `${effect.formula} from:`, [
            normalized,
            ...effect.details(statistics),
            ...(afterEffect === 'b' ? [normalized] : []),
          ]),
        ],
      );
    },
  };
}

interface BasicModel {
  /** Information of a term that occurs `tfn` times, in bits. */
  readonly information: (statistics: BasicStatistics, tfn: number) => number;
  readonly formula: string;
  readonly details: (statistics: BasicStatistics) => readonly Explanation[];
}

const documents = (count: number): Explanation => counted(count, 'N, total number of documents with field');

const BASIC_MODELS: Readonly<Record<Dfr['basicModel'], BasicModel>> = {
  g: {
    information: (statistics, tfn) => {
      const lambda = geometricLambda(statistics);
      return log2(lambda + 1) + tfn * log2((1 + lambda) / lambda);
    },
    formula: 'BasicModelG, computed as log2(lambda + 1) + tfn * log2((1 + lambda) / lambda)',
    details: (statistics) => [
      explained(geometricLambda(statistics), 'lambda, computed as F / (N + F) from:', [
        explained(statistics.totalTermFreq + 1, 'F, total number of occurrences of term across all docs + 1'),
        explained(statistics.docCount, 'N, total number of documents with field'),
      ]),
    ],
  },
  if: {
    information: ({ docCount, totalTermFreq }, tfn) => tfn * log2(1 + (docCount + 1) / (totalTermFreq + 0.5)),
    formula: 'BasicModelIF, computed as tfn * log2(1 + (N + 1) / (F + 0.5))',
    details: ({ docCount, totalTermFreq }) => [
      documents(docCount),
      counted(totalTermFreq, 'F, total number of occurrences of term across all documents'),
    ],
  },
  in: {
    information: ({ docCount, docFreq }, tfn) => tfn * log2((docCount + 1) / (docFreq + 0.5)),
    formula: 'BasicModelIn, computed as tfn * log2((N + 1) / (n + 0.5))',
    details: ({ docCount, docFreq }) => [
      documents(docCount),
      counted(docFreq, 'n, number of documents containing term'),
    ],
  },
  ine: {
    information: (statistics, tfn) => tfn * log2((statistics.docCount + 1) / (expectedDocs(statistics) + 0.5)),
    formula: 'BasicModelIne, computed as tfn * log2((N + 1) / (ne + 0.5))',
    details: (statistics) => [
      explained(expectedDocs(statistics), 'ne, computed as N * (1 - Math.pow((N - 1) / N, F)) from:', [
        explained(statistics.totalTermFreq, 'F, total number of occurrences of term across all docs'),
        explained(statistics.docCount, 'N, total number of documents with field'),
      ]),
    ],
  },
};

function geometricLambda({ docCount, totalTermFreq }: BasicStatistics): number {
  return (totalTermFreq + 1) / (docCount + totalTermFreq + 1);
}

/** Documents that would have the term, were its occurrences spread by chance. */
function expectedDocs({ docCount, totalTermFreq }: BasicStatistics): number {
  return docCount * (1 - ((docCount - 1) / docCount) ** totalTermFreq);
}

interface AfterEffect {
  /** Gain of a further occurrence, times 1 + tfn. */
  readonly times: (statistics: BasicStatistics) => number;
  readonly formula: string;
  readonly details: (statistics: BasicStatistics) => readonly Explanation[];
}

const AFTER_EFFECTS: Readonly<Record<Dfr['afterEffect'], AfterEffect>> = {
  b: {
    times: ({ docFreq, totalTermFreq }) => (totalTermFreq + 2) / (docFreq + 1),
    formula: 'AfterEffectB, computed as (F + 1) / (n * (tfn + 1))',
    // The counts are shown without what their texts say is added, as Lucene shows them.
    details: ({ docFreq, totalTermFreq }) => [
      counted(totalTermFreq, 'F, total number of occurrences of term across all documents + 1'),
      counted(docFreq, 'n, number of documents containing term + 1'),
    ],
  },
  l: { times: () => 1, formula: 'AfterEffectL, computed as 1 / (tfn + 1)', details: () => [] },
};
