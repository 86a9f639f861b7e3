/**
 * Term vectors of one document: what is asked of its shard, and the answer.
 */

/** Document whose terms are wanted. */
export type VectorDocument =
  | {
      readonly kind: 'stored';
      readonly id: string;
      /** Version that it must have; null: any. */
      readonly version: number | null;
      /** false: as the last refresh left it. */
      readonly realtime: boolean;
    }
  /** JSON of a document that is not indexed. */
  | { readonly kind: 'artificial'; readonly source: Uint8Array };

/** Terms of a field that are shown: the most telling ones. Words are measured in UTF-16 units. */
export interface TermFilter {
  readonly maxNumTerms: number;
  readonly minTermFreq: number;
  readonly maxTermFreq: number;
  readonly minDocFreq: number;
  readonly maxDocFreq: number;
  /** 0: no limit. */
  readonly minWordLength: number;
  /** 0: no limit. */
  readonly maxWordLength: number;
}

export interface TermVectorsRequest {
  readonly document: VectorDocument;
  /** Names and patterns of fields; null: those whose mapping asks for vectors, or all of an artificial document. */
  readonly fields: readonly string[] | null;
  /** Names of analyzers by field, in place of the field's own. */
  readonly analyzers: ReadonlyMap<string, string>;
  readonly positions: boolean;
  readonly offsets: boolean;
  readonly payloads: boolean;
  readonly termStatistics: boolean;
  readonly fieldStatistics: boolean;
  /** null: all terms are shown. */
  readonly filter: TermFilter | null;
}

export interface TermVectors {
  /** Version of the document; 0 for an artificial one. */
  readonly version: number;
  /** JSON of the vectors by field. */
  readonly vectors: Uint8Array;
}
