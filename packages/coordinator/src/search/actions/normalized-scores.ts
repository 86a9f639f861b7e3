/**
 * Scores of one search, made comparable with those of others.
 */
import type { ScoreNormalizer } from '@shoal/query';

/** Norm below which scores stay as they are: they are all as good as 0. */
const NORM_MIN = 1e-6;

/** @returns floats, in the order of the scores */
export function normalizedScores(scores: readonly number[], normalizer: ScoreNormalizer): readonly number[] {
  switch (normalizer) {
    case 'minmax':
      return fromLeastToBest(scores);
    case 'l2_norm':
      return byNorm(scores);
    default:
      return scores;
  }
}

/** Scores between 0 for the least and 1 for the best; as they are where all are equal. */
function fromLeastToBest(scores: readonly number[]): readonly number[] {
  const least = scores.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const best = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (least === best) return scores;
  const range = Math.fround(best - least);
  return scores.map((score) => Math.fround(Math.fround(score - least) / range));
}

/** Scores as parts of the length of the vector that they make. */
function byNorm(scores: readonly number[]): readonly number[] {
  const norm = Math.sqrt(scores.reduce((sum, score) => sum + score * score, 0));
  return norm < NORM_MIN ? scores : scores.map((score) => Math.fround(score / norm));
}
