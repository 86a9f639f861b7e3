/**
 * The content of one simulated file: what programs see, and what would be left after a crash.
 */
import type { SeededRandom } from './seeded-random.ts';

export const SECTOR_BYTES = 4_096;

export class SectorContent {
  #seen: Uint8Array = new Uint8Array(0);
  #durable: Uint8Array = new Uint8Array(0);
  /** Sectors written or cut since they were last made durable; they may reach the platter at any time. */
  #dirty = new Set<number>();
  #isSizeDirty = false;

  get sizeBytes(): number {
    return this.#seen.byteLength;
  }

  /** The content that programs see, on a platter of its own. */
  copy(): SectorContent {
    const copied = new SectorContent();
    copied.#seen = this.#seen.slice();
    copied.#durable = this.#seen.slice();
    return copied;
  }

  read(offset: number, count: number): Uint8Array {
    return this.#seen.slice(offset, offset + count);
  }

  write(bytes: Uint8Array, offset: number): void {
    const end = offset + bytes.byteLength;
    if (end > this.#seen.byteLength) this.#resize(end);
    this.#seen.set(bytes, offset);
    this.#touch(offset, end);
  }

  truncate(sizeBytes: number): void {
    const before = this.#seen.byteLength;
    this.#resize(sizeBytes);
    this.#touch(Math.min(before, sizeBytes), Math.max(before, sizeBytes));
  }

  /** Takes the content as it is now; the returned function says what became of it. */
  beginSync(): (end: 'durable' | 'lost') => void {
    const snapshot = this.#seen.slice();
    const sectors = new Set(this.#dirty);
    return (end) => {
      for (const sector of sectors) this.#dirty.delete(sector);
      this.#isSizeDirty = false;
      if (end === 'durable') {
        this.#durable = snapshot;
        // Written while the sync ran: still in doubt.
        for (let sector = 0; sector * SECTOR_BYTES < this.#seen.byteLength; sector++) {
          if (!isSame(sectorOf(snapshot, sector), sectorOf(this.#seen, sector))) this.#dirty.add(sector);
        }
        this.#isSizeDirty = snapshot.byteLength !== this.#seen.byteLength;
      }
    };
  }

  /** The machine fails: each sector that was not synced survives or not, and so does the new size. */
  crash(random: SeededRandom): void {
    const size = this.#isSizeDirty && random.chance(0.5) ? this.#seen.byteLength : this.#durable.byteLength;
    const left = new Uint8Array(size);
    left.set(this.#durable.subarray(0, size));
    for (const sector of [...this.#dirty].sort((a, b) => a - b)) {
      const start = sector * SECTOR_BYTES;
      if (start >= size || !random.chance(0.5)) continue;
      left.set(sectorOf(this.#seen, sector).subarray(0, size - start), start);
    }
    this.#seen = left;
    this.#durable = left.slice();
    this.#dirty = new Set();
    this.#isSizeDirty = false;
  }

  #resize(sizeBytes: number): void {
    const resized = new Uint8Array(sizeBytes);
    resized.set(this.#seen.subarray(0, sizeBytes));
    this.#seen = resized;
    this.#isSizeDirty = true;
  }

  #touch(from: number, to: number): void {
    for (let sector = Math.floor(from / SECTOR_BYTES); sector * SECTOR_BYTES < to; sector++) this.#dirty.add(sector);
  }
}

function sectorOf(bytes: Uint8Array, sector: number): Uint8Array {
  return bytes.subarray(sector * SECTOR_BYTES, (sector + 1) * SECTOR_BYTES);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
