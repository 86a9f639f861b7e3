/**
 * BM25 as Elasticsearch computes it: Lucene's formula in float32, times k1 + 1.
 *
 * @see Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009); the `1 +` in idf is Lucene's,
 *      against negative weights for terms in more than half of the documents
 */
import { assert } from '@shoal/core';
import type { Similarity } from '@shoal/schema';
import { decodeFieldLength } from '../../bytes/small-float.ts';
import type { Searcher } from '../../format/reader/segment-reader.ts';

/** Values of a norm, which is one byte. */
const NORM_VALUES = 256;
const { fround } = Math;
/** Field length by norm byte. */
const LENGTHS: Readonly<Float32Array> = Float32Array.from({ length: NORM_VALUES }, (_, byte) =>
  decodeFieldLength(byte),
);

/** Statistics of one field over the shard; deleted documents count until they are merged away. */
export interface FieldStatistics {
  /** Documents that have the field; 0 when none has. */
  readonly docCount: number;
  /** Tokens of the field; (term, document) pairs where frequencies are not kept. */
  readonly sumTotalTermFreq: number;
  /** (term, document) pairs of the field. */
  readonly sumDocFreq: number;
}

export function fieldStatistics(searcher: Searcher, field: string): FieldStatistics {
  let docCount = 0;
  let sumTotalTermFreq = 0;
  let sumDocFreq = 0;
  for (const { segment } of searcher.views) {
    const terms = segment.terms(field);
    if (!terms) continue;
    docCount += terms.stats.docCount;
    sumDocFreq += terms.stats.sumDocFreq;
    sumTotalTermFreq += terms.hasFreqs ? terms.stats.sumTotalTermFreq : terms.stats.sumDocFreq;
  }
  assert(docCount <= searcher.maxDoc, `${field} is in ${docCount} of ${searcher.maxDoc} documents`);
  assert(docCount <= sumTotalTermFreq, `${field} has ${sumTotalTermFreq} tokens in ${docCount} documents`);
  return { docCount, sumTotalTermFreq, sumDocFreq };
}

/**
 * How much one rare term is worth against a frequent one.
 *
 * @param docFreq  documents of the shard that hold the term; may exceed `docCount` where statistics were blended
 * @returns natural-log idf as a float32, unitless
 */
export function idf(docFreq: number, docCount: number): number {
  assert(docFreq >= 0 && docCount >= 0, `docFreq ${docFreq}, docCount ${docCount}`);
  return fround(Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)));
}

/** Similarities that kernels know: BM25, and the boost alone. */
export type KernelSimilarity = Extract<Similarity, { kind: 'BM25' | 'boolean' }>;

export function isKernelSimilarity(similarity: Similarity): similarity is KernelSimilarity {
  return similarity.kind === 'BM25' || similarity.kind === 'boolean';
}

export interface Bm25Options {
  readonly boost: number;
  readonly similarity: KernelSimilarity;
  /** Made by `lengthInverses` of the same similarity. */
  readonly inverses: Float32Array;
}

/** Scores of one term or phrase in one field. */
export class Bm25 {
  readonly weight: number;
  readonly boost: number;
  readonly similarity: KernelSimilarity;
  /** 1 / (k1 * length normalisation), by norm byte; infinite where neither frequency nor length counts. */
  readonly inverses: Float32Array;

  constructor(idfValue: number, { boost, similarity, inverses }: Bm25Options) {
    this.boost = boost;
    this.similarity = similarity;
    assert(inverses.length === NORM_VALUES, `${inverses.length} length inverses for ${NORM_VALUES} norms`);
    this.weight =
      similarity.kind === 'boolean'
        ? fround(boost)
        : fround(fround(fround(boost) * fround(1 + fround(similarity.k1))) * idfValue);
    this.inverses = inverses;
  }

  score(freq: number, norm: number): number {
    const { weight } = this;
    return fround(weight - fround(weight / fround(1 + fround(freq * (this.inverses[norm] as number)))));
  }
}

/** By norm byte, for a field with these statistics. */
export function lengthInverses(statistics: FieldStatistics, similarity: KernelSimilarity): Float32Array {
  // A score of weight - weight / (1 + freq * inverse) is then the weight itself, in the kernels too.
  if (similarity.kind === 'boolean') return new Float32Array(NORM_VALUES).fill(Number.POSITIVE_INFINITY);
  const [k1, b] = [fround(similarity.k1), fround(similarity.b)];
  const average = fround(statistics.docCount === 0 ? 1 : statistics.sumTotalTermFreq / statistics.docCount);
  const inverses = new Float32Array(NORM_VALUES);
  assert(average > 0, `average length ${average} of a field in ${statistics.docCount} documents`);
  for (let byte = 0; byte < NORM_VALUES; byte++) {
    const length = LENGTHS[byte] as number;
    const share = fround(fround(1 - b) + fround(fround(b * length) / average));
    inverses[byte] = fround(1 / fround(k1 * share));
  }
  return inverses;
}
