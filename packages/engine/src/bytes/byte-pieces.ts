/**
 * Bytes that are appended to and read once, in order: pieces that never move, so that growing costs neither a copy nor twice
 * the memory.
 */

const PIECE_BYTES_MIN = 1 << 10;
const PIECE_BYTES_MAX = 1 << 18;

export class BytePieces {
  private readonly full: Uint8Array[] = [];
  private last: Uint8Array = new Uint8Array(0);
  private filled = 0;
  length = 0;

  raw(bytes: Uint8Array): void {
    const { last, filled } = this;
    this.length += bytes.length;
    const fitting = Math.min(bytes.length, last.length - filled);
    last.set(fitting === bytes.length ? bytes : bytes.subarray(0, fitting), filled);
    this.filled += fitting;
    if (fitting === bytes.length) return;
    if (this.filled > 0) this.full.push(last);
    const rest = bytes.length - fitting;
    this.last = new Uint8Array(Math.max(rest, Math.min(last.length * 2, PIECE_BYTES_MAX), PIECE_BYTES_MIN));
    this.last.set(bytes.subarray(fitting));
    this.filled = rest;
  }

  /** What was appended; views. */
  pieces(): readonly Uint8Array[] {
    return [...this.full, this.last.subarray(0, this.filled)];
  }
}
