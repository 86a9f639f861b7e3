/**
 * Checksums of bytes that come in parts of any length: one for each page of them.
 */
import { crc32 } from 'node:zlib';

export class PageChecksums {
  private readonly pageBytes: number;
  private readonly whole: number[] = [];
  private crc = 0;
  /** Bytes of the page that is not whole yet. */
  private filled = 0;

  /** `pageBytes`: infinite for one checksum of all. */
  constructor(pageBytes: number) {
    this.pageBytes = pageBytes;
  }

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(bytes.length - at, this.pageBytes - this.filled);
      this.crc = crc32(count === bytes.length ? bytes : bytes.subarray(at, at + count), this.crc);
      this.filled += count;
      at += count;
      if (this.filled === this.pageBytes) this.endPage();
    }
  }

  private endPage(): void {
    this.whole.push(this.crc);
    this.crc = 0;
    this.filled = 0;
  }

  /** All of them, that of the last page included; one where there were no bytes. */
  end(): readonly number[] {
    if (this.filled > 0 || this.whole.length === 0) this.endPage();
    return this.whole;
  }
}
