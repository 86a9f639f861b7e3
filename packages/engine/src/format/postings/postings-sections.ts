/**
 * Sections of a field's postings, as views for JavaScript and as addresses for kernels.
 */

/** Sections of a field's postings; those it does not have are empty. Good as long as the request that asked for them. */
export interface PostingsSections {
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  readonly lists: Uint8Array;
  /** One entry a block, of all terms with at least 128 documents. */
  readonly blockLastDocs: Uint32Array;
  readonly blockData: Uint32Array;
  readonly blockBits: Uint32Array;
  /** First impact of each block, one more at the end. */
  readonly blockImpacts: Uint32Array;
  readonly packed: Uint32Array;
  readonly impacts: Uint32Array;
  /** Read when they are first asked for. */
  readonly places: PositionsSections;
}

export interface PositionsSections {
  readonly blockPositions: Uint32Array;
  readonly positions: Uint8Array;
}

/** Where kernels find them; 0 for what the field does not have. */
export interface PostingsAddresses {
  readonly lists: number;
  readonly blockLastDocs: number;
  readonly blockData: number;
  readonly blockBits: number;
  readonly packed: number;
  readonly blockImpacts: number;
  readonly impacts: number;
  readonly blockPositions: number;
  readonly positions: number;
}
