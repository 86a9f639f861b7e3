/**
 * Bytes that are appended to and read in pieces that never move, so that growing costs neither a copy nor twice the memory.
 */
import { assert } from '@shoal/core';
import { PIECE_BYTES, type PieceSource, PLAIN_PIECES } from './piece-pool.ts';

const PIECE_BYTES_MIN = 1 << 10;

interface Piece {
  readonly bytes: Uint8Array;
  /** Offset of the piece among all bytes that were appended. */
  readonly start: number;
  filled: number;
}

export class BytePieces {
  private readonly all: Piece[] = [];
  private readonly source: PieceSource;
  private readonly room: number;
  private readonly pieceMax: number;
  length = 0;
  /** What it takes, filled or not. */
  memoryBytes = 0;

  /** `room`: how many bytes are expected. `pieceMax`: longest piece, but for what is appended whole. */
  constructor(source: PieceSource = PLAIN_PIECES, room: number = PIECE_BYTES_MIN, pieceMax: number = PIECE_BYTES) {
    this.source = source;
    this.room = room;
    this.pieceMax = pieceMax;
  }

  private get last(): Piece | undefined {
    return this.all[this.all.length - 1];
  }

  private begin(count: number): Piece {
    const before = this.last?.bytes.length ?? 0;
    const ideal = Math.min(this.pieceMax, Math.max(before * 2, this.room, PIECE_BYTES_MIN));
    const bytes = this.source.take(Math.ceil(Math.max(ideal, count)));
    const piece = { bytes, start: this.length, filled: 0 };
    this.all.push(piece);
    this.memoryBytes += bytes.length;
    return piece;
  }

  raw(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      let piece = this.last;
      if (piece === undefined || piece.filled === piece.bytes.length)
        piece = this.begin(Math.min(bytes.length - at, this.pieceMax));
      const count = Math.min(bytes.length - at, piece.bytes.length - piece.filled);
      piece.bytes.set(count === bytes.length ? bytes : bytes.subarray(at, at + count), piece.filled);
      piece.filled += count;
      this.length += count;
      at += count;
    }
  }

  /** Appends bytes like `raw`, but inside one piece, so that `read` answers them as a view. */
  whole(bytes: Uint8Array): void {
    let piece = this.last;
    if (piece === undefined || piece.filled + bytes.length > piece.bytes.length) piece = this.begin(bytes.length);
    piece.bytes.set(bytes, piece.filled);
    piece.filled += bytes.length;
    this.length += bytes.length;
  }

  /** What was appended; views. */
  pieces(): readonly { readonly bytes: Uint8Array; readonly start: number }[] {
    return this.all.map(({ bytes, start, filled }) => ({ bytes: bytes.subarray(0, filled), start }));
  }

  /** A view where it stands in one piece, else a copy. */
  read(offset: number, length: number): Uint8Array {
    assert(offset + length <= this.length, 'bytes are read that were not appended');
    const piece = this.all[this.pieceOf(offset)];
    const from = offset - (piece?.start ?? 0);
    if (piece !== undefined && from + length <= piece.filled) return piece.bytes.subarray(from, from + length);
    const copy = new Uint8Array(length);
    this.copyTo(copy, offset);
    return copy;
  }

  /** Fills `target` with what stands from `offset` on. */
  copyTo(target: Uint8Array, offset: number): void {
    assert(offset + target.length <= this.length, 'bytes are read that were not appended');
    let done = 0;
    for (let i = this.pieceOf(offset); done < target.length; i++) {
      const { bytes, start, filled } = this.all[i] as Piece;
      const from = offset + done - start;
      const count = Math.min(target.length - done, filled - from);
      target.set(bytes.subarray(from, from + count), done);
      done += count;
    }
  }

  /** The last piece that begins at `offset` or before. */
  private pieceOf(offset: number): number {
    let low = 0;
    let high = this.all.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.all[middle] as Piece).start <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Empties it, and gives its memory back: nobody reads what `read` and `pieces` answered. */
  release(): void {
    for (const { bytes } of this.all) this.source.give(bytes);
    this.all.length = 0;
    this.length = 0;
    this.memoryBytes = 0;
  }
}
