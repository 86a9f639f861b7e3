/**
 * What the models of scores other than BM25 know of a term and its field.
 */

/** Statistics over the shard; deleted documents count until they are merged away. */
export interface BasicStatistics {
  readonly boost: number;
  /** Documents that have the field. */
  readonly docCount: number;
  /** Pairs of a term of the field and a document that has it. */
  readonly sumDocFreq: number;
  /** Tokens of the field. */
  readonly tokenCount: number;
  /** Documents that have the term. */
  readonly docFreq: number;
  /** Occurrences of the term. */
  readonly totalTermFreq: number;
}

/** Tokens of the field in a document that has it, on average. */
export function averageLength({ docCount, tokenCount }: BasicStatistics): number {
  return tokenCount / docCount;
}

/** Document in which a term was found. */
export interface TermOccurrence {
  /** Above 0; a fraction for phrases with slop and spans. */
  readonly freq: number;
  /** Length of the field, rounded as norms keep it. */
  readonly length: number;
}

export function log2(value: number): number {
  return Math.log(value) / Math.LN2;
}
