/**
 * Bytes of a segment that no file has yet, held in JavaScript's memory and counted against the limit until they are released.
 */
import { assert } from '@shoal/core';

/** Bytes of one segment that no file has yet. */
export interface PlacedBytes {
  readonly bytes: Uint8Array;
  release(): void;
}

/** Bytes in an aligned buffer of exactly their length: growing buffers are up to twice as long, and small files share one. */
export function exact(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

export class Placed implements PlacedBytes {
  bytes: Uint8Array;
  private readonly onFree: (bytes: number) => void;
  private isReleased = false;

  constructor(bytes: Uint8Array, onFree: (bytes: number) => void) {
    this.bytes = bytes;
    this.onFree = onFree;
  }

  release(): void {
    assert(!this.isReleased, 'bytes are released more often than held');
    this.isReleased = true;
    this.onFree(this.bytes.length);
    this.bytes = new Uint8Array(0);
  }
}
