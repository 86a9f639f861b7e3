/**
 * How vectors of a field are compared by searches for the nearest ones.
 */

export const VECTOR_SIMILARITIES = ['cosine', 'dot_product', 'l2_norm', 'max_inner_product'] as const;

/** Measure of nearness; a larger one is nearer but for `l2_norm`, a distance. */
export type VectorSimilarity = (typeof VECTOR_SIMILARITIES)[number];

export interface VectorSettings {
  /** null: searches for the nearest vectors are refused. */
  readonly similarity: VectorSimilarity | null;
  /** Vectors whose length does not suit the similarity are refused when they are indexed. */
  readonly checksLength: boolean;
  /** Numbers are whole, -128 to 127. */
  readonly isByte: boolean;
}
