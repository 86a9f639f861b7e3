/**
 * Bounds of a field's blocks under one set of statistics: computed block by block on demand, cached until the statistics change.
 *
 * A refresh changes the average length and with it every bound. Queries that began before go on with what they have: the
 * bounds they use are freed when the last of them ends.
 */
import type { KernelMemory } from '../../memory/kernel-memory.ts';

/** In a block whose bound nobody has asked for. */
const UNKNOWN = -1;
const FLOAT_BYTES = 4;

export interface HeldBounds {
  /** One float32 a block of the field. */
  readonly address: number;
  release(): void;
}

class Bounds implements HeldBounds {
  readonly address: number;
  readonly inverses: Uint8Array;
  /** Table that they were made for, as it was handed in. */
  readonly of: Float32Array;
  private readonly memory: KernelMemory;
  /** Queries, and the field while these are its current ones. */
  private holders = 1;

  constructor(memory: KernelMemory, address: number, of: Float32Array, inverses: Uint8Array) {
    this.of = of;
    this.memory = memory;
    this.address = address;
    this.inverses = inverses;
  }

  retain(): this {
    this.holders++;
    return this;
  }

  release(): void {
    if (--this.holders === 0) this.memory.release(this.address);
  }
}

export class BlockBounds {
  private current: Bounds | null = null;

  /** Bounds for scores with these length tables; null when there is no room for them. */
  hold(memory: KernelMemory, blockCount: number, inverses: Float32Array): HeldBounds | null {
    // Searches of one searcher score with the same table.
    if (this.current?.of === inverses) return this.current.retain();
    const key = new Uint8Array(inverses.buffer, inverses.byteOffset, inverses.byteLength);
    if (this.current !== null && Buffer.compare(this.current.inverses, key) === 0) return this.current.retain();
    const address = memory.allocate(blockCount * FLOAT_BYTES);
    if (address === 0) return null;
    memory.floatsAt(address, blockCount).fill(UNKNOWN);
    this.drop();
    this.current = new Bounds(memory, address, inverses, key.slice());
    return this.current.retain();
  }

  /** The segment goes. */
  drop(): void {
    this.current?.release();
    this.current = null;
  }
}
