/**
 * Information based models: how surprising it is that a term occurs in a document as often as it does.
 *
 * @see Clinchant & Gaussier, "Information-based models for ad hoc IR" (2010)
 */
import type { Similarity } from '@shoal/schema';
import { counted, type Explanation, explained } from '../weight/explanation.ts';
import type { BasicStatistics } from './basic-statistics.ts';
import { explainNormalization, normalizedFrequency } from './length-normalization.ts';
import { frequencyText, type SimilarityModel } from './similarity-model.ts';

type InformationBased = Extract<Similarity, { kind: 'IB' }>;

const { fround } = Math;
/** Greatest float below 1. */
const BELOW_ONE = 1 - 2 ** -24;

export function informationBased({ distribution, lambda, normalization }: InformationBased): SimilarityModel {
  const information = distribution === 'll' ? logLogistic : smoothedPowerLaw;
  const name = distribution === 'll' ? 'DistributionLL' : 'DistributionSPL';
  return {
    score: (statistics, occurrence) =>
      statistics.boost *
      information(normalizedFrequency(normalization, statistics, occurrence), lambdaOf(lambda, statistics)),
    explain(score, statistics, occurrence) {
      const tfn = normalizedFrequency(normalization, statistics, occurrence);
      return explained(
        score,
        `score(IBSimilarity, freq=${frequencyText(occurrence)}), computed as boost * distribution.score(stats, normalization.tfn(stats, freq, docLen), lambda.lambda(stats)) from:`,
        [
          ...(statistics.boost === 1 ? [] : [explained(statistics.boost, 'boost, query boost')]),
          explainNormalization(normalization, statistics, occurrence),
          explainLambda(lambda, statistics),
          explained(information(tfn, lambdaOf(lambda, statistics)), name),
        ],
      );
    },
  };
}

function logLogistic(tfn: number, lambda: number): number {
  return -Math.log(lambda / (tfn + lambda));
}

function smoothedPowerLaw(tfn: number, lambda: number): number {
  const share = Math.min(1 - 1 / (tfn + 1), BELOW_ONE);
  return -Math.log((lambda ** share - lambda) / (1 - lambda));
}

/** Share of documents that have the term, or its occurrences a document; never 1, where the power law has no value. */
function lambdaOf(kind: InformationBased['lambda'], { docCount, docFreq, totalTermFreq }: BasicStatistics): number {
  const lambda = fround(((kind === 'df' ? docFreq : totalTermFreq) + 1) / (docCount + 1));
  return lambda === 1 ? BELOW_ONE : lambda;
}

function explainLambda(kind: InformationBased['lambda'], statistics: BasicStatistics): Explanation {
  const documents = counted(statistics.docCount, 'N, total number of documents with field');
  const value = lambdaOf(kind, statistics);
  return kind === 'df'
    ? explained(value, 'LambdaDF, computed as (n + 1) / (N + 1) from:', [
        counted(statistics.docFreq, 'n, number of documents containing term'),
        documents,
      ])
    : explained(value, 'LambdaTTF, computed as (F + 1) / (N + 1) from:', [
        counted(statistics.totalTermFreq, 'F, total number of occurrences of term across all documents'),
        documents,
      ]);
}
