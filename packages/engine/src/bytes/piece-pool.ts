/**
 * Pieces of memory that go from one use to the next: what writes them to a file, or copies them, gives them back.
 *
 * An array that is dropped costs a collection sooner or later, and its memory is cleared when it is allocated again. A piece must
 * never be given back while anybody may still read it.
 */

/** Size of a pooled piece, in bytes. */
export const PIECE_BYTES: number = 256 * 1024;
/** Divisor of the idle pieces: one `trim` drops this part of those unused since the last one. */
const TRIMMED_SHARE = 2;
/** Alignment of the pieces of an arena, in bytes. */
const ALIGNMENT = 8;

export interface PieceSource {
  /** So many bytes of any content. */
  take(bytes: number): Uint8Array;
  give(piece: Uint8Array): void;
}

/** Keeps nothing. */
export const PLAIN_PIECES: PieceSource = { take: (bytes) => new Uint8Array(bytes), give: () => {} };

export class PiecePool implements PieceSource {
  private readonly idle: Uint8Array[] = [];
  private readonly idleMax: number;
  /** Fewest that were idle since the last trim. */
  private unused = 0;

  constructor(idleBytesMax: number) {
    this.idleMax = Math.floor(idleBytesMax / PIECE_BYTES);
  }

  get idleBytes(): number {
    return this.idle.length * PIECE_BYTES;
  }

  take(bytes: number): Uint8Array {
    if (bytes !== PIECE_BYTES) return new Uint8Array(bytes);
    const piece = this.idle.pop() ?? new Uint8Array(PIECE_BYTES);
    if (this.idle.length < this.unused) this.unused = this.idle.length;
    return piece;
  }

  give(piece: Uint8Array): void {
    if (piece.byteLength === PIECE_BYTES && this.idle.length < this.idleMax) this.idle.push(piece);
  }

  /** Once in a while: lets half of that go which nobody took since the last time. */
  trim(): void {
    this.idle.length -= Math.ceil(this.unused / TRIMMED_SHARE);
    this.unused = this.idle.length;
  }
}

/** Cuts pieces of any length from those of another source, and gives them back together. */
export class PieceArena implements PieceSource {
  private readonly from: PieceSource;
  private readonly taken: Uint8Array[] = [];
  private rest: Uint8Array = new Uint8Array(0);

  constructor(from: PieceSource) {
    this.from = from;
  }

  take(bytes: number): Uint8Array {
    if (bytes > PIECE_BYTES) return new Uint8Array(bytes);
    if (bytes > this.rest.length) {
      this.rest = this.from.take(PIECE_BYTES);
      this.taken.push(this.rest);
    }
    const piece = this.rest.subarray(0, bytes);
    // Whoever reads numbers of up to eight bytes finds them aligned.
    this.rest = this.rest.subarray(Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    return piece;
  }

  /** They go back together. */
  give(): void {}

  /** Nobody reads any of them any more. */
  release(): void {
    for (const piece of this.taken) this.from.give(piece);
    this.taken.length = 0;
    this.rest = new Uint8Array(0);
  }
}
