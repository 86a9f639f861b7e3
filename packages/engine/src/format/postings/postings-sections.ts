/**
 * Sections of a field's postings, as views for JavaScript and as addresses for kernels: whole, or the ranges of them that have
 * those of one term.
 */
import type { BlockBounds } from './block-bounds.ts';
import type { DenseColumns } from './dense-columns.ts';

const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new Uint32Array(0);

/** Sections of a field's postings, or the ranges of one term; those it does not have are empty. Good as long as the request that asked for them. */
export interface PostingsSections {
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  readonly lists: Uint8Array;
  /** Offset in its section of the first byte of `lists`. */
  readonly listsFrom: number;
  /** One entry a block, of all terms with at least 128 documents, or of the one. */
  readonly blockLastDocs: Uint32Array;
  readonly blockData: Uint32Array;
  readonly blockBits: Uint32Array;
  /** First impact of each block, one more at the end. */
  readonly blockImpacts: Uint32Array;
  readonly packed: Uint32Array;
  /** Offset in its section of the first word of `packed`, in words. */
  readonly packedFrom: number;
  readonly impacts: Uint32Array;
  /** Read when they are first asked for. */
  readonly places: PositionsSections;
}

export interface PositionsSections {
  readonly blockPositions: Uint32Array;
  readonly positions: Uint8Array;
  /** Offset in its section of the first byte of `positions`. */
  readonly positionsFrom: number;
}

/** Sections of a term whose postings are the list `lists`. */
export function listSections(
  lists: Uint8Array,
  { hasFreqs, hasPositions }: Pick<PostingsSections, 'hasFreqs' | 'hasPositions'>,
): PostingsSections {
  return { ...NO_SECTIONS, hasFreqs, hasPositions, lists };
}

const NO_SECTIONS: PostingsSections = {
  hasFreqs: false,
  hasPositions: false,
  lists: NO_BYTES,
  listsFrom: 0,
  blockLastDocs: NO_WORDS,
  blockData: NO_WORDS,
  blockBits: NO_WORDS,
  blockImpacts: NO_WORDS,
  packed: NO_WORDS,
  packedFrom: 0,
  impacts: NO_WORDS,
  places: { blockPositions: NO_WORDS, positions: NO_BYTES, positionsFrom: 0 },
};

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

/** Addresses of a term that is in no section. */
export const NOWHERE: PostingsAddresses = {
  lists: 0,
  blockLastDocs: 0,
  blockData: 0,
  blockBits: 0,
  packed: 0,
  blockImpacts: 0,
  impacts: 0,
  blockPositions: 0,
  positions: 0,
};

/** What kernels hold to walk through the postings of a term. */
export interface HeldPostings {
  readonly at: PostingsAddresses;
  /** Score bounds of blocks: of `boundsCount` from block `boundsFrom` on. */
  readonly bounds: BlockBounds;
  readonly boundsFrom: number;
  readonly boundsCount: number;
  /** Frequency columns of the field's terms, which live as long as what is held. */
  readonly columns: DenseColumns;
  readonly release: () => void;
}
