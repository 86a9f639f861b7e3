/**
 * Where a list of postings ends, which no section says.
 */
import { assert } from '@shoal/core';
import { POSTINGS_BLOCK } from './packed-block.ts';
import { readPostingsList } from './postings-list.ts';

/** Bytes that a posting takes in a list at most. */
const POSTING_BYTES_MAX = 10;

/** A section of lists, of which ranges are read. */
export interface ListSection {
  readonly length: number;
  bytes(from: number, to: number): Uint8Array;
}

export class ListEnds {
  private readonly hasPositions: boolean;
  /** One list while its length is found. */
  private readonly docs = new Uint32Array(POSTINGS_BLOCK);
  private readonly freqs = new Uint32Array(POSTINGS_BLOCK);

  constructor(hasPositions: boolean) {
    this.hasPositions = hasPositions;
  }

  /** End of the list of `count` documents, fewer than a block, at `from`; its positions included. */
  endOf(lists: ListSection, from: number, count: number): number {
    const { docs, freqs } = this;
    assert(count > 0 && count < POSTINGS_BLOCK, `a list of ${count} postings`);
    const bytes = lists.bytes(from, Math.min(lists.length, from + count * POSTING_BYTES_MAX + 1));
    const end = readPostingsList(bytes, 0, { docs, freqs, count, base: -1 });
    if (!this.hasPositions) return from + end;
    let occurrences = 0;
    for (let i = 0; i < count; i++) occurrences += freqs[i] as number;
    return from + end + 1 + Math.ceil((occurrences * (bytes[end] ?? 0)) / 8);
  }
}
