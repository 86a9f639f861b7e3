/**
 * Bytes in several pieces of memory, in order, that are given back one by one: whoever has read a piece for the last time drops it,
 * long before the others are done with.
 */
import { assert } from '../errors/assert.ts';

export class BytePieces {
  /** Length of all pieces together, dropped ones included. */
  readonly length: number;
  readonly #pieces: (Uint8Array | null)[];
  readonly #onDrop: (bytes: number) => void;

  /** @param onDrop told the length of each piece that is dropped */
  constructor(pieces: Iterable<Uint8Array>, onDrop: (bytes: number) => void = () => undefined) {
    this.#pieces = [...pieces];
    this.#onDrop = onDrop;
    let length = 0;
    for (const piece of this.#pieces) length += piece?.length ?? 0;
    this.length = length;
  }

  get count(): number {
    return this.#pieces.length;
  }

  at(piece: number): Uint8Array {
    const bytes = this.#pieces[piece];
    assert(bytes !== null && bytes !== undefined, `piece ${piece} of ${this.#pieces.length} is read and not there`);
    return bytes;
  }

  /** Gives a piece back; it cannot be read any more. */
  drop(piece: number): void {
    const { length } = this.at(piece);
    this.#pieces[piece] = null;
    this.#onDrop(length);
  }

  /** Lets go of all pieces without giving them back: parts of them are held elsewhere. */
  leave(): void {
    this.#pieces.fill(null);
  }
}
