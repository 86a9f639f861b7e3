/**
 * Window of one input of a merge in kernel memory, where its sections stand one behind the other.
 */
import { assert } from '@shoal/core';
import type { PostingsMemory } from '../seal/postings-job.ts';
import type { DictionaryWindow, PostingsWindow } from './input-terms.ts';

const WORD_BYTES = 4;
const ALIGNMENT = 16;
/** Kernels read so much behind packed numbers and terms. */
const READ_BEHIND = 16;

/** Addresses from which the offsets of the whole sections lead into the window; they may be below 0, and wrap around. */
export interface PlacedDictionary {
  readonly termStarts: number;
  readonly termBytes: number;
  readonly docFreqs: number;
  readonly postingsAt: number;
  readonly totalTermFreqs: number;
  /** New numbers of the terms of the window; 0 when nobody asks. */
  readonly ordinals: number;
}

export interface PlacedPostings {
  readonly lists: number;
  readonly blockLastDocs: number;
  readonly blockData: number;
  readonly blockBits: number;
  readonly packed: number;
  readonly blockPositions: number;
  readonly positions: number;
}

/** Memory of a window, used again for the next one. */
export class WindowMemory {
  private readonly memory: PostingsMemory;
  private address = 0;
  private length = 0;

  constructor(memory: PostingsMemory) {
    this.memory = memory;
  }

  /** Copies sections one behind the other; answers their addresses. The ones before are overwritten. */
  private place(sections: readonly (Uint8Array | Uint32Array)[], more = 0): number[] {
    const { memory } = this;
    const bytes = sections.reduce((sum, { byteLength }) => sum + roomOf(byteLength), roomOf(more));
    if (bytes > this.length) {
      if (this.address > 0) memory.release(this.address);
      this.address = 0;
      this.length = 0;
      this.address = memory.allocate(bytes);
      this.length = bytes;
    }
    let at = this.address;
    const addresses = sections.map((section) => {
      const address = at;
      memory
        .bytesAt(address, section.byteLength)
        .set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength));
      at += roomOf(section.byteLength);
      return address;
    });
    assert(at + roomOf(more) <= this.address + this.length, `sections of ${bytes} bytes in ${this.length}`);
    return [...addresses, at];
  }

  /** `hasOrdinals`: room for the new number of each term. */
  placeDictionary(window: DictionaryWindow, termCount: number, hasOrdinals: boolean): PlacedDictionary {
    const { termStarts, termBytes, termBytesFrom, docFreqs, postingsAt, totalTermFreqs } = window;
    const sections = [termStarts, termBytes, docFreqs, postingsAt, totalTermFreqs];
    const [starts = 0, bytes = 0, freqs = 0, places = 0, totals = 0, ordinals = 0] = this.place(
      sections,
      hasOrdinals ? termCount * WORD_BYTES : 0,
    );
    return {
      termStarts: starts,
      // Offsets of terms that are equally long count from the first of the window.
      termBytes: termStarts.length === 0 ? bytes : bytes - termBytesFrom,
      docFreqs: docFreqs.length === 0 ? 0 : freqs,
      postingsAt: places,
      totalTermFreqs: totals,
      ordinals: hasOrdinals ? ordinals : 0,
    };
  }

  placePostings(window: PostingsWindow): PlacedPostings {
    const { lists, blockLastDocs, blockData, blockBits, packed, blockPositions, positions } = window;
    const sections = [lists, blockLastDocs, blockData, blockBits, packed, blockPositions, positions];
    const [listsAt = 0, lastDocs = 0, data = 0, bits = 0, packedAt = 0, blockPlaces = 0, positionsAt = 0] =
      this.place(sections);
    const blocks = window.blocksFrom * WORD_BYTES;
    return {
      lists: listsAt - window.listsFrom,
      blockLastDocs: lastDocs - blocks,
      blockData: data - blocks,
      blockBits: bits - blocks,
      packed: packedAt - window.packedFrom,
      blockPositions: blockPlaces - blocks,
      positions: positionsAt - window.positionsFrom,
    };
  }
}

function roomOf(bytes: number): number {
  return Math.ceil((bytes + READ_BEHIND) / ALIGNMENT) * ALIGNMENT;
}
