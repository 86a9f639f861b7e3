/**
 * Scores of a term or phrase of one field, by the similarity of the field.
 */
import { Bm25 } from '../weight/bm25.ts';
import type { ModelScores } from './model-scores.ts';

/** Scores by frequency and norm. */
export type FieldScores = Bm25 | ModelScores;

/** Scores in the form of kernels; undefined where kernels do not know them. `null`: nothing is scored. */
export function kernelScores(scores: FieldScores | null): Bm25 | null | undefined {
  return scores === null || scores instanceof Bm25 ? scores : undefined;
}
