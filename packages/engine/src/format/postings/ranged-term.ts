/**
 * Postings of one term that are read without those of the others: the ranges of the sections that have them.
 */
import { assert } from '@shoal/core';
import { u32View } from '../container/container-reader.ts';
import type { SectionGroup, SectionSource, SegmentSections } from '../container/segment-sections.ts';
import { BlockBounds } from './block-bounds.ts';
import type { DenseColumns } from './dense-columns.ts';
import type { HeldPostings, PositionsSections, PostingsAddresses, PostingsSections } from './postings-sections.ts';

const WORD_BYTES = 4;
/** Ranges of a term whose postings are a list, and of one of blocks. */
const LIST_RANGES = 1;
const BLOCK_RANGES = 7;
const NO_ADDRESSES: readonly number[] = [];
const NO_WORDS = new Uint32Array(0);

/** Where the ranges of a term start: block arrays in blocks, all else in bytes of its section. */
export interface RangeStarts {
  readonly block: number;
  readonly lists: number;
  readonly packed: number;
  readonly impacts: number;
  readonly positions: number;
}

export interface TermRanges {
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  /** Blocks of the term; 0: its postings are a list. */
  readonly blockCount: number;
  readonly starts: RangeStarts;
  /** Lists, and of a term of blocks: last documents, data, bits, packed, block impacts, impacts. */
  readonly postings: readonly SectionSource[];
  /** Block positions and positions; empty without positions, and for a list, which has its own. */
  readonly positions: readonly SectionSource[];
}

export class RangedTerm {
  readonly ranges: TermRanges;
  /** Score bounds of the term's blocks, for kernels. */
  readonly bounds: BlockBounds = new BlockBounds();
  private readonly columns: DenseColumns;
  private readonly postings: SectionGroup<PostingsSections>;
  private readonly positions: SectionGroup<PositionsSections>;
  /** What was held for kernels last, and from which addresses it was made. */
  private held: {
    readonly from: readonly number[];
    readonly places: readonly number[];
    readonly as: HeldPostings;
  } | null = null;

  /** `onDrop`: called when nothing of the term is in memory any more. */
  constructor(
    sections: SegmentSections,
    { ordinal, columns }: { readonly ordinal: number; readonly columns: DenseColumns },
    ranges: TermRanges,
    onDrop: () => void,
  ) {
    assert(
      ranges.postings.length === (ranges.blockCount === 0 ? LIST_RANGES : BLOCK_RANGES),
      `${ranges.postings.length} ranges of a term of ${ranges.blockCount} blocks`,
    );
    this.ranges = ranges;
    this.columns = columns;
    const { hasFreqs, hasPositions, starts } = ranges;
    this.positions = sections.rangeGroup(ranges.positions, ([blockPositions, positions]) => ({
      blockPositions: words(blockPositions),
      positions: positions as Uint8Array,
      positionsFrom: starts.positions,
    }));
    const { positions: places } = this;
    this.postings = sections.rangeGroup(
      ranges.postings,
      ([lists, lastDocs, data, bits, packed, blockImpacts, impacts]) => ({
        hasFreqs,
        hasPositions,
        lists: lists as Uint8Array,
        listsFrom: starts.lists,
        blockLastDocs: words(lastDocs),
        blockData: words(data),
        blockBits: words(bits),
        packed: words(packed),
        packedFrom: starts.packed / WORD_BYTES,
        blockImpacts: words(blockImpacts),
        impacts: words(impacts),
        get places(): PositionsSections {
          return places.get();
        },
      }),
    );
    this.postings.onDrop = () => {
      this.bounds.drop();
      columns.dropTerm(ordinal);
      if (!this.positions.isLoaded) onDrop();
    };
    this.positions.onDrop = () => {
      if (!this.postings.isLoaded) onDrop();
    };
  }

  get isInUse(): boolean {
    return this.postings.isInUse || this.positions.isInUse;
  }

  /** Used since this was last asked. */
  takeUse(): boolean {
    const { wasUsed } = this.postings;
    this.postings.wasUsed = false;
    return wasUsed;
  }

  /** For JavaScript, see `SectionGroup.get`. */
  get sections(): PostingsSections {
    return this.postings.get();
  }

  /** For kernels, until its `release`; null when there is no room. */
  hold(withPositions: boolean): HeldPostings | null {
    const from = this.postings.hold();
    if (from === null) return null;
    const takesPlaces = withPositions && this.ranges.positions.length > 0;
    const places = takesPlaces ? this.positions.hold() : NO_ADDRESSES;
    if (places === null) {
      this.postings.release();
      return null;
    }
    if (this.held?.from === from && this.held.places === places) return this.held.as;
    const as: HeldPostings = {
      at: addressesOf(this.ranges.starts, from, places),
      bounds: this.bounds,
      boundsFrom: this.ranges.starts.block,
      boundsCount: this.ranges.blockCount,
      columns: this.columns,
      release: () => {
        this.postings.release();
        if (takesPlaces) this.positions.release();
      },
    };
    this.held = { from, places, as };
    return as;
  }

  drop(): void {
    this.postings.drop();
    this.positions.drop();
  }
}

/** Addresses from which the offsets in the sections lead into the ranges. */
function addressesOf(starts: RangeStarts, from: readonly number[], places: readonly number[]): PostingsAddresses {
  const [lists = 0, lastDocs = 0, data = 0, bits = 0, packed = 0, blockImpacts = 0, impacts = 0] = from;
  const [blockPositions = 0, positions = 0] = places;
  const blocks = starts.block * WORD_BYTES;
  return {
    lists: lists - starts.lists,
    blockLastDocs: lastDocs - blocks,
    blockData: data - blocks,
    blockBits: bits - blocks,
    packed: packed - starts.packed,
    blockImpacts: blockImpacts - blocks,
    impacts: impacts - starts.impacts,
    blockPositions: blockPositions - blocks,
    positions: positions - starts.positions,
  };
}

function words(bytes: Uint8Array | undefined): Uint32Array {
  return bytes === undefined ? NO_WORDS : u32View(bytes);
}
