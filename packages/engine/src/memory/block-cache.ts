/**
 * Blocks of stored documents as they were read last, for all segments of a thread: bounded by their bytes.
 *
 * Where room is needed the oldest go, but for those that were read since they came or were last spared: so that reading
 * one, which every shown document does, changes nothing but a mark.
 */

/** Decompressed block of stored documents. */
export interface CachedBlock {
  readonly bytes: Uint8Array;
  /** Source of the block's document number `index`. */
  document(index: number): Uint8Array;
}

/** Blocks that one owner may have; more than any segment has. */
const BLOCKS_PER_OWNER = 2 ** 26;

interface KeptBlock {
  readonly content: CachedBlock;
  isRead: boolean;
}

export class BlockCache {
  private readonly bytesMax: number;
  /** Those that came or were spared last stand last. */
  private readonly blocks = new Map<number, KeptBlock>();
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

  get(owner: number, block: number): CachedBlock | null {
    const found = this.blocks.get(owner * BLOCKS_PER_OWNER + block);
    if (found === undefined) return null;
    found.isRead = true;
    return found.content;
  }

  put(owner: number, block: number, content: CachedBlock): void {
    // Spared ones come by once more at the end, without their mark: at most two rounds.
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
  }

  /** The owner's blocks are never asked for again. */
  drop(owner: number): void {
    for (const [key, { content }] of this.blocks) {
      if (Math.floor(key / BLOCKS_PER_OWNER) !== owner) continue;
      this.blocks.delete(key);
      this.bytes -= content.bytes.length;
    }
  }
}
