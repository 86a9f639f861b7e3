/**
 * Reads bytes that stand in pieces, one behind the other.
 */
import { assert } from '@shoal/core';
import { lastAtMost } from './last-at-most.ts';
import type { StreamBytes } from './stream-bytes.ts';

export class PieceReader implements StreamBytes {
  /** Length of all pieces, in bytes. */
  readonly length: number;
  private readonly pieces: readonly Uint8Array[];
  /** Offset of each piece. */
  private readonly starts: readonly number[];

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces;
    let length = 0;
    this.starts = pieces.map((piece) => {
      const start = length;
      length += piece.length;
      return start;
    });
    this.length = length;
  }

  /** A view where they stand in one piece, else a copy. */
  read(from: number, to: number): Uint8Array {
    assert(from >= 0 && from <= to && to <= this.length, `bytes ${from} to ${to} of ${this.length}`);
    let at = lastAtMost(this.starts, from);
    const [piece, start] = [this.pieces[at], this.starts[at]];
    if (piece === undefined || start === undefined) return new Uint8Array(0);
    if (to <= start + piece.length) return piece.subarray(from - start, to - start);
    const copy = new Uint8Array(to - from);
    for (let done = 0; done < copy.length; at++) {
      const part = (this.pieces[at] as Uint8Array).subarray(from + done - (this.starts[at] as number));
      copy.set(part.subarray(0, copy.length - done), done);
      done += part.length;
    }
    return copy;
  }

  chunks(): Iterable<Uint8Array> {
    return this.pieces;
  }
}
