/**
 * Cuts a body that comes in chunks into pieces of whole lines. Each byte is copied once, but for lines that go across the end of a
 * piece, and no memory is made for the body as a whole.
 */
import { assert } from '@shoal/core';

const LINE_FEED = 0x0a;
/** Usual size of a piece; a line that is longer gets a piece of its own size. */
export const PIECE_BYTES: number = 1024 * 1024;
/** Size of the first piece of a body of unknown length: most are short. */
const FIRST_BYTES = 64 * 1024;

export class LineCutter {
  readonly #announced: number;
  readonly #pieces: Uint8Array[] = [];
  #piece: Buffer = Buffer.alloc(0);
  /** Bytes of `#piece` that are filled. */
  #filled = 0;
  /** Bytes that came so far. */
  #taken = 0;

  /** @param announced length of the body; 0: unknown */
  constructor(announced: number) {
    this.#announced = announced;
  }

  add(chunk: Uint8Array): void {
    if (this.#taken === 0 && chunk.length === this.#announced) {
      this.#taken = chunk.length;
      this.#pieces.push(chunk);
      return;
    }
    for (let from = 0; from < chunk.length; ) {
      if (this.#filled === this.#piece.length) this.#makeRoom();
      const end = Math.min(chunk.length, from + this.#piece.length - this.#filled);
      this.#piece.set(chunk.subarray(from, end), this.#filled);
      this.#filled += end - from;
      this.#taken += end - from;
      from = end;
    }
  }

  /** The pieces; bytes behind the last line feed stand in the last one. */
  finish(): readonly Uint8Array[] {
    if (this.#filled > 0) this.#pieces.push(this.#piece.subarray(0, this.#filled));
    const total = this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
    assert(total === this.#taken, `${total} bytes in pieces of the ${this.#taken} that came`);
    return this.#pieces;
  }

  /** Closes the piece behind its last line; one that is small yet, or holds no whole line, becomes larger. */
  #makeRoom(): void {
    const full = this.#piece;
    const end = full.length < PIECE_BYTES ? 0 : full.lastIndexOf(LINE_FEED) + 1;
    const rest = full.subarray(end);
    if (end > 0) this.#pieces.push(full.subarray(0, end));
    const usual = end > 0 ? PIECE_BYTES : Math.max(full.length * 2, this.#announced > 0 ? PIECE_BYTES : FIRST_BYTES);
    const missing = this.#announced - this.#taken;
    const wanted = missing > 0 ? Math.min(usual, rest.length + missing) : usual;
    this.#piece = Buffer.allocUnsafeSlow(Math.max(wanted, rest.length + 1));
    this.#piece.set(rest);
    this.#filled = rest.length;
  }
}
