/**
 * How the matches of a field are scored: the model and its parameters, or the boost of the query alone.
 */

export type Similarity =
  | {
      readonly kind: 'BM25';
      /** How soon further occurrences of a term stop counting; at least 0. */
      readonly k1: number;
      /** Share of a score that depends on the length of the field; 0..1. */
      readonly b: number;
      /** Tokens at the position of another one do not count in the length of a field. */
      readonly discountsOverlaps: boolean;
    }
  | { readonly kind: 'boolean' }
  | {
      /** Divergence from randomness. */
      readonly kind: 'DFR';
      readonly basicModel: 'g' | 'if' | 'in' | 'ine';
      readonly afterEffect: 'b' | 'l';
      readonly normalization: LengthNormalization;
    }
  | {
      /** Information based. */
      readonly kind: 'IB';
      readonly distribution: 'll' | 'spl';
      readonly lambda: 'df' | 'ttf';
      readonly normalization: LengthNormalization;
    }
  | {
      /** Divergence from independence. */
      readonly kind: 'DFI';
      readonly measure: 'standardized' | 'saturated' | 'chisquared';
    }
  /** `mu`: smoothing parameter; at least 0. */
  | { readonly kind: 'LMDirichlet'; readonly mu: number }
  /** `lambda`: share of the collection's model; above 0, at most 1. */
  | { readonly kind: 'LMJelinekMercer'; readonly lambda: number }
  | {
      readonly kind: 'scripted';
      /** Makes the score of a term in a document. */
      readonly script: SimilarityScript;
      /** Makes the part of it that is the same for all documents; null: it is 1. */
      readonly weightScript: SimilarityScript | null;
    };

/** A script as the settings of an index name it. */
export interface SimilarityScript {
  readonly lang: string;
  /** null for a stored one. */
  readonly source: string | null;
  /** null for one whose source is given. */
  readonly id: string | null;
}

/** How frequencies are made comparable between fields of different lengths. */
export type LengthNormalization =
  | { readonly kind: 'no' }
  | { readonly kind: 'h1' | 'h2'; readonly c: number }
  | { readonly kind: 'h3'; readonly mu: number }
  | { readonly kind: 'z'; readonly z: number };

/** Similarities of an index by the names that fields have for them. */
export type Similarities = ReadonlyMap<string, Similarity>;

/** Name of the similarity of fields that name none, where the index declares one. */
const DEFAULT_SIMILARITY = 'default';

export const BM25: Similarity = { kind: 'BM25', k1: 1.2, b: 0.75, discountsOverlaps: true };

/** Similarities of every index. */
export const BUILT_IN_SIMILARITIES: Similarities = new Map<string, Similarity>([
  ['BM25', BM25],
  ['boolean', { kind: 'boolean' }],
]);

/** Similarity of a field. `name`: null where it names none; an unknown one, which no checked mapping has, counts as none. */
export function similarityOf(similarities: Similarities, name: string | null): Similarity {
  return similarities.get(name ?? DEFAULT_SIMILARITY) ?? similarities.get(DEFAULT_SIMILARITY) ?? BM25;
}
