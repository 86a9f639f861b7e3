/**
 * Scores of a term or phrase by a model other than BM25. A phrase is scored as the sum of its terms, each as often as the phrase.
 */
import { assert } from '@shoal/core';
import type { Similarity } from '@shoal/schema';
import { decodeFieldLength } from '../../bytes/small-float.ts';
import type { KernelSimilarity } from '../weight/bm25.ts';
import { type Explanation, explained } from '../weight/explanation.ts';
import type { BasicStatistics, TermOccurrence } from './basic-statistics.ts';
import { divergenceFromIndependence } from './divergence-from-independence.ts';
import { divergenceFromRandomness } from './divergence-from-randomness.ts';
import { informationBased } from './information-based.ts';
import { dirichlet, jelinekMercer } from './language-models.ts';
import { scriptedModel } from './scripted.ts';
import type { SimilarityModel } from './similarity-model.ts';

type ModelSimilarity = Exclude<Similarity, KernelSimilarity>;

export class ModelScores {
  private readonly model: SimilarityModel;
  private readonly terms: readonly BasicStatistics[];

  /** @param terms of the phrase, or the only one */
  constructor(similarity: ModelSimilarity, terms: readonly BasicStatistics[]) {
    this.model = modelOf(similarity);
    this.terms = terms;
  }

  score(freq: number, norm: number): number {
    assert(freq > 0, `a score of ${freq} occurrences`);
    const occurrence = { freq, length: decodeFieldLength(norm) };
    let sum = 0;
    for (const statistics of this.terms) sum = Math.fround(sum + this.termScore(statistics, occurrence));
    return sum;
  }

  private termScore(statistics: BasicStatistics, occurrence: TermOccurrence): number {
    const score = Math.fround(this.model.score(statistics, occurrence));
    assert(score >= 0, `a score of ${score}`);
    return score;
  }

  explain(freq: number, norm: number): Explanation {
    const occurrence = { freq, length: decodeFieldLength(norm) };
    const parts = this.terms.map((statistics) =>
      this.model.explain(this.termScore(statistics, occurrence), statistics, occurrence),
    );
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : explained(this.score(freq, norm), 'sum of:', parts);
  }
}

function modelOf(similarity: ModelSimilarity): SimilarityModel {
  switch (similarity.kind) {
    case 'DFR':
      return divergenceFromRandomness(similarity);
    case 'IB':
      return informationBased(similarity);
    case 'DFI':
      return divergenceFromIndependence(similarity);
    case 'LMDirichlet':
      return dirichlet(similarity);
    case 'LMJelinekMercer':
      return jelinekMercer(similarity);
    case 'scripted':
      return scriptedModel(similarity);
  }
}
