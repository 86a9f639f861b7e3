/**
 * Frequencies by document of the terms that many documents have: what a look-up in them costs is then one byte.
 *
 * A column is made when a term is asked for again, and lives as long as its segment. Only terms in more than one document of
 * eight are worth it: rarer ones are looked up in their blocks about as fast.
 */
import type { KernelMemory } from '../../memory/kernel-memory.ts';

/** A term is dense from one document of so many on. */
const DENSE_SHARE = 8;
/** Columns of one field. */
const COLUMNS_MAX = 48;
/** Smaller segments are searched fast enough as they are. */
const DOCS_MIN = 4_096;
/** Filling a column of more would hold the thread for too long. */
const DOCS_MAX = 4_000_000;
/** Uses of a term before it gets a column. */
const USES_BEFORE = 1;
/** Kernels read some bytes behind the last document. */
const PADDING_BYTES = 64;

export interface ColumnNeeds {
  readonly docFreq: number;
  /** Documents of the segment. */
  readonly docCount: number;
  readonly memory: KernelMemory;
}

export class DenseColumns {
  /** Address by ordinal of the term. */
  private readonly columns = new Map<number, number>();
  private readonly uses = new Map<number, number>();
  private memory: KernelMemory | null = null;

  /** The address of the term's column; 0 when it has none. `fill` writes the column's whole length. */
  of(ordinal: number, needs: ColumnNeeds, fill: (address: number, length: number) => void): number {
    const { docFreq, docCount, memory } = needs;
    if (docFreq * DENSE_SHARE < docCount || docCount < DOCS_MIN || docCount > DOCS_MAX) return 0;
    const known = this.columns.get(ordinal);
    if (known !== undefined) return known;
    const uses = this.uses.get(ordinal) ?? 0;
    if (uses < USES_BEFORE) {
      this.uses.set(ordinal, uses + 1);
      return 0;
    }
    if (this.columns.size >= COLUMNS_MAX) return 0;
    const length = docCount + PADDING_BYTES;
    const address = memory.allocateOptional(length);
    if (address === 0) return 0;
    fill(address, length);
    this.memory = memory;
    this.columns.set(ordinal, address);
    return address;
  }

  /** True when the term has a column now. */
  has(ordinal: number): boolean {
    return this.columns.has(ordinal);
  }

  /** The postings of the term are evicted. */
  dropTerm(ordinal: number): void {
    const address = this.columns.get(ordinal);
    if (address === undefined) return;
    this.memory?.release(address);
    this.columns.delete(ordinal);
  }

  /** The segment goes. */
  drop(): void {
    for (const address of this.columns.values()) this.memory?.release(address);
    this.columns.clear();
  }
}
