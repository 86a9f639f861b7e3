/**
 * Cache of decompressed blocks of stored documents, for all segments of a thread: bounded by their bytes.
 *
 * Eviction is CLOCK: a block that was read since eviction last passed over it stays for one more round, so that a read, of
 * which every shown document makes one, changes nothing but its reference bit.
 */

import { assert } from '@shoal/core';
/** Decompressed block of stored documents. */
export interface CachedBlock {
  readonly bytes: Uint8Array;
  /** Source of the block's document number `index`. */
  document(index: number): Uint8Array;
}

/** Blocks that one owner may have; more than any segment has. */
const BLOCKS_PER_OWNER = 2 ** 26;

interface CacheEntry {
  readonly content: CachedBlock;
  isRead: boolean;
}

export class BlockCache {
  private readonly bytesMax: number;
  /** Blocks in the order in which eviction visits them. */
  private readonly blocks = new Map<number, CacheEntry>();
  private owners = 0;
  private bytes = 0;

  /** A block larger than `bytesMax` stays until the next one is added. */
  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get usedBytes(): number {
    return this.bytes;
  }

  /** Number under which one owner names its blocks; no other has it. */
  newOwner(): number {
    return this.owners++;
  }

  get(owner: number, block: number): CachedBlock | null {
    const found = this.blocks.get(owner * BLOCKS_PER_OWNER + block);
    if (found === undefined) return null;
    found.isRead = true;
    return found.content;
  }

  put(owner: number, block: number, content: CachedBlock): void {
    // A block that stays goes to the end without its reference bit: at most two rounds.
    for (const [key, kept] of this.blocks) {
      if (this.bytes + content.bytes.length <= this.bytesMax) break;
      this.blocks.delete(key);
      if (kept.isRead) {
        kept.isRead = false;
        this.blocks.set(key, kept);
      } else this.bytes -= kept.content.bytes.length;
    }
    this.blocks.set(owner * BLOCKS_PER_OWNER + block, { content, isRead: false });
    this.bytes += content.bytes.length;
    assert(this.bytes >= content.bytes.length, `the cache holds ${this.bytes} bytes`);
  }

  /** Evicts all blocks of an owner that is closed. */
  drop(owner: number): void {
    assert(owner < this.owners, `owner ${owner} of ${this.owners} drops its blocks`);
    for (const [key, { content }] of this.blocks) {
      if (Math.floor(key / BLOCKS_PER_OWNER) !== owner) continue;
      this.blocks.delete(key);
      this.bytes -= content.bytes.length;
    }
  }
}
