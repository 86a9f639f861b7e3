/**
 * Contract of a model of scores other than BM25: one object a kind of similarity.
 */
import { FloatNumber } from '@shoal/core';
import type { Explanation } from '../weight/explanation.ts';
import type { BasicStatistics, TermOccurrence } from './basic-statistics.ts';

export interface SimilarityModel {
  /** Score of one term in a document, in double precision; at least 0. */
  score(statistics: BasicStatistics, occurrence: TermOccurrence): number;
  /** The same with where it comes from. @param score in single precision, as the document gets it */
  explain(score: number, statistics: BasicStatistics, occurrence: TermOccurrence): Explanation;
}

/** `freq=` of a description, as Java prints a float. */
export function frequencyText({ freq }: TermOccurrence): string {
  return String(new FloatNumber(freq));
}
