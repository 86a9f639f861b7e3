/**
 * Blocks of stored documents as they were read last, for all segments of a thread: bounded by their bytes.
 */
import type { DocumentBlock } from './stored-block.ts';

/** Blocks that one owner may have; more than any segment has. */
const BLOCKS_PER_OWNER = 2 ** 26;

export class BlockCache {
  private readonly bytesMax: number;
  /** Most recently used last. */
  private readonly blocks = new Map<number, DocumentBlock>();
  private owners = 0;
  private bytes = 0;

  /** A block larger than `bytesMax` is kept until the next one comes. */
  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get usedBytes(): number {
    return this.bytes;
  }

  /** A number that nobody else has, to name blocks with. */
  newOwner(): number {
    return this.owners++;
  }

  get(owner: number, block: number): DocumentBlock | null {
    const key = owner * BLOCKS_PER_OWNER + block;
    const found = this.blocks.get(key);
    if (found === undefined) return null;
    this.blocks.delete(key);
    this.blocks.set(key, found);
    return found;
  }

  put(owner: number, block: number, content: DocumentBlock): void {
    for (const [key, { bytes }] of this.blocks) {
      if (this.bytes + content.bytes.length <= this.bytesMax) break;
      this.blocks.delete(key);
      this.bytes -= bytes.length;
    }
    this.blocks.set(owner * BLOCKS_PER_OWNER + block, content);
    this.bytes += content.bytes.length;
  }

  /** The owner's blocks are never asked for again. */
  drop(owner: number): void {
    for (const [key, { bytes }] of this.blocks) {
      if (Math.floor(key / BLOCKS_PER_OWNER) !== owner) continue;
      this.blocks.delete(key);
      this.bytes -= bytes.length;
    }
  }
}
