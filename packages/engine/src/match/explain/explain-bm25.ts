/**
 * A BM25 score as Lucene explains it: boost * idf * tf, and where each comes from.
 */
import { assert } from '@shoal/core';
import { decodeFieldLength, NO_NORM } from '../../bytes/small-float.ts';
import { type Bm25, type FieldStatistics, idf } from '../weight/bm25.ts';
import { counted, type Explanation, explained, explainedValue } from '../weight/explanation.ts';

export interface ScoredOccurrence {
  /** What was looked for, as Lucene writes it. */
  readonly text: string;
  readonly doc: number;
  readonly score: number;
  readonly bm25: Bm25;
  readonly idf: Explanation;
  readonly freq: Explanation;
  /** null: the field has none. */
  readonly norms: Uint8Array | null;
  readonly statistics: FieldStatistics;
}

export function explainBm25(occurrence: ScoredOccurrence): Explanation {
  const { text, doc, score } = occurrence;
  return explained(score, `weight(${text} in ${doc}) [PerFieldSimilarity], result of:`, [explainScore(occurrence)]);
}

function explainScore(occurrence: ScoredOccurrence): Explanation {
  const { score, bm25, freq } = occurrence;
  const { similarity } = bm25;
  if (similarity.kind === 'boolean') {
    return explained(score, 'score(BooleanWeight), computed from:', [explained(bm25.boost, 'boost, query boost')]);
  }
  const details = [
    explained(bm25.boost * (1 + similarity.k1), 'boost'),
    occurrence.idf,
    explainTf(occurrence, similarity.k1, similarity.b),
  ];
  return explained(score, `score(freq=${String(freq.value)}), computed as boost * idf * tf from:`, details);
}

function explainTf({ freq, norms, doc, bm25, statistics }: ScoredOccurrence, k1: number, b: number): Explanation {
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
    explained(decodeFieldLength(norm), 'dl, length of field'),
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
