/**
 * A score of a term as Lucene explains it: of BM25 boost * idf * tf, and where each comes from.
 */
import { assert } from '@shoal/core';
import { decodeFieldLength, NO_NORM } from '../../bytes/small-float.ts';
import type { FieldScores } from '../similarities/field-scores.ts';
import { Bm25, type FieldStatistics, idf } from '../weight/bm25.ts';
import { counted, type Explanation, explained, explainedValue } from '../weight/explanation.ts';

/** Greatest code of a field length that is kept as it is. */
const EXACT_LENGTH_MAX = 39;

export interface ScoredOccurrence {
  /** What was looked for, as Lucene writes it. */
  readonly text: string;
  readonly doc: number;
  readonly score: number;
  readonly scores: FieldScores;
  readonly idf: Explanation;
  readonly freq: Explanation;
  /** null: the field has none. */
  readonly norms: Uint8Array | null;
  readonly statistics: FieldStatistics;
}

export function explainScore(occurrence: ScoredOccurrence): Explanation {
  const { text, doc, score } = occurrence;
  return explained(score, `weight(${text} in ${doc}) [PerFieldSimilarity], result of:`, [explainParts(occurrence)]);
}

function explainParts(occurrence: ScoredOccurrence): Explanation {
  const { score, scores, freq, norms, doc } = occurrence;
  if (!(scores instanceof Bm25)) {
    return scores.explain(explainedValue(freq), norms === null ? NO_NORM : (norms[doc] as number));
  }
  const { similarity } = scores;
  if (similarity.kind === 'boolean') {
    return explained(score, 'score(BooleanWeight), computed from:', [explained(scores.boost, 'boost, query boost')]);
  }
  const details = [
    explained(scores.boost * (1 + similarity.k1), 'boost'),
    occurrence.idf,
    explainTf(occurrence, scores, similarity),
  ];
  return explained(score, `score(freq=${String(freq.value)}), computed as boost * idf * tf from:`, details);
}

function explainTf(
  { freq, norms, doc, statistics }: ScoredOccurrence,
  bm25: Bm25,
  { k1, b }: { readonly k1: number; readonly b: number },
): Explanation {
  const norm = norms === null ? NO_NORM : (norms[doc] as number);
  assert(norm < bm25.inverses.length, `norm ${norm} of document ${doc}`);
  const frequency = explainedValue(freq);
  assert(frequency > 0, `document ${doc} matches with frequency ${frequency}`);
  const tf = 1 - 1 / (1 + frequency * (bm25.inverses[norm] as number));
  const { docCount, sumTotalTermFreq } = statistics;
  return explained(tf, 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:', [
    freq,
    explained(k1, 'k1, term saturation parameter'),
    explained(b, 'b, length normalization parameter'),
    explained(decodeFieldLength(norm), `dl, length of field${norm > EXACT_LENGTH_MAX ? ' (approximate)' : ''}`),
    explained(docCount === 0 ? 1 : sumTotalTermFreq / docCount, 'avgdl, average length of field'),
  ]);
}

export function explainIdf(docFreq: number, docCount: number): Explanation {
  return explained(idf(docFreq, docCount), 'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:', [
    counted(docFreq, 'n, number of documents containing term'),
    counted(docCount, 'N, total number of documents with field'),
  ]);
}

/** Idf of several terms that score as one. */
export function explainIdfSum(sum: number, parts: readonly Explanation[]): Explanation {
  const [only] = parts;
  assert(parts.length > 0 || sum === 0, `idf ${sum} of no terms`);
  return parts.length === 1 && only ? only : explained(sum, 'idf, sum of:', parts);
}
