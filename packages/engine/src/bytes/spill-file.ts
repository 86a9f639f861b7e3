/**
 * Streams that grow side by side and are read when each has ended: in memory, until what waits there is moved to a file that they
 * share.
 *
 * A merge writes the sections of a field at the same time, and a segment has them one behind the other: what comes first would
 * otherwise wait in memory for the last. Nothing in the file outlives the merge; it is never synced.
 */
import { crc32 } from 'node:zlib';
import { assert } from '@shoal/core';
import type { File } from '@shoal/runtime';
import { BytePieces } from './byte-pieces.ts';
import { lastAtMost } from './last-at-most.ts';
import { PIECE_BYTES, PieceArena, type PieceSource, PLAIN_PIECES } from './piece-pool.ts';
import type { StreamBytes } from './stream-bytes.ts';

/** Divisor of the longest piece: a stream with less than this part of it is not worth a write of its own. */
const WRITTEN_SHARE = 4;
/** Longest piece of a stream that was never moved. */
const SHORT_PIECE_BYTES = 32 * 1024;

export class SpillFile {
  private readonly pieces: PieceSource;
  /** Longest piece of a stream in memory, in bytes. */
  readonly pieceMax: number;
  /** Memory of streams that were never moved: most are short. */
  private readonly arena: PieceArena;
  private file: File | null = null;
  private onClose: () => void = () => {};
  /** End of what the file has; back at 0 when no stream is left. */
  private end = 0;
  private readonly streams = new Set<SpillStream>();

  /** `pieces`: memory of the streams, of at most `pieceMax` bytes each. */
  constructor(pieces: PieceSource | null = null, pieceMax: number = PIECE_BYTES) {
    this.pieces = pieces ?? PLAIN_PIECES;
    this.pieceMax = pieceMax;
    this.arena = new PieceArena(this.pieces);
  }

  /** From now on `file`, which was just made, takes what `write` moves; `close` closes it. */
  attach(file: File, onClose: () => void): void {
    assert(this.file === null, 'streams have a file already');
    this.file = file;
    this.onClose = onClose;
  }

  begin(): SpillStream {
    const stream = new SpillStream(this);
    this.streams.add(stream);
    return stream;
  }

  /** Memory of a stream; one that was moved is long, and has whole pieces from then on. */
  memory(wasMoved: boolean): BytePieces {
    if (wasMoved) return new BytePieces(this.pieces, this.pieceMax, this.pieceMax);
    return new BytePieces(this.arena, 0, Math.min(this.pieceMax, SHORT_PIECE_BYTES));
  }

  get hasFile(): boolean {
    return this.file !== null;
  }

  /** Bytes that are in memory and may be moved. */
  get waitingBytes(): number {
    let sum = 0;
    for (const { waitingBytes } of this.streams) sum += waitingBytes;
    return sum;
  }

  /** Moves what is worth it to the file. Nothing may be appended meanwhile. */
  async write(): Promise<void> {
    const { file } = this;
    assert(file !== null, 'streams without a file');
    for (const stream of this.streams) {
      if (stream.waitingBytes < this.pieceMax / WRITTEN_SHARE) continue;
      const { length } = stream;
      for (const bytes of stream.waiting()) {
        const at = this.end;
        this.end += bytes.length;
        await file.write(bytes, at);
        stream.moved({ at, bytes: bytes.length, crc: crc32(bytes) });
      }
      assert(stream.length === length, 'a stream grew while it was written');
      stream.endMove();
    }
  }

  /** Fills `target` with the bytes that `extent` has, which must be those that were written. */
  read({ at, bytes, crc }: Extent, target: Uint8Array): Uint8Array {
    const into = target.subarray(0, bytes);
    assert(this.file !== null, 'a stream without a file has bytes in one');
    if (this.file.readIntoSync(into, at) !== bytes || crc32(into) !== crc)
      throw new Error(`${bytes} bytes at ${at} of a scratch file are not those that were written`);
    return into;
  }

  forget(stream: SpillStream): void {
    this.streams.delete(stream);
    if (this.streams.size > 0) return;
    this.end = 0;
    this.arena.release();
  }

  /** Nobody reads or writes any of the streams that there are. */
  clear(): void {
    for (const stream of this.streams) stream.release();
  }

  /** Nobody writes another stream either. */
  close(): void {
    this.clear();
    if (this.file === null) return;
    // There is nothing in it that anybody will read.
    this.file.close().catch(() => {});
    this.file = null;
    this.onClose();
  }
}

/** Bytes of a stream that stand together in the file. */
interface Extent {
  readonly at: number;
  readonly bytes: number;
  readonly crc: number;
}

export class SpillStream implements StreamBytes {
  length = 0;
  private readonly home: SpillFile;
  private readonly extents: Extent[] = [];
  /** Offset in the stream of each extent. */
  private readonly starts: number[] = [];
  /** Bytes in the file. */
  private movedBytes = 0;
  private tail: BytePieces;
  private room: Uint8Array = new Uint8Array(0);
  /** It has ended, and somebody reads it. */
  private isRead = false;
  /** Extent that `room` holds; -1: none. */
  private inRoom = -1;

  constructor(home: SpillFile) {
    this.home = home;
    this.tail = home.memory(false);
  }

  raw(bytes: Uint8Array): void {
    assert(!this.isRead, 'a stream grows while it is read');
    this.tail.raw(bytes);
    this.length += bytes.length;
  }

  /** Bytes that may be moved: those of a stream that is read stay where they are. */
  get waitingBytes(): number {
    return this.isRead ? 0 : this.tail.length;
  }

  /** What is in memory. */
  waiting(): readonly Uint8Array[] {
    return this.tail.pieces().map(({ bytes }) => bytes);
  }

  /** The file has the next bytes of those that waited. */
  moved(extent: Extent): void {
    this.extents.push(extent);
    this.starts.push(this.movedBytes);
    this.movedBytes += extent.bytes;
  }

  /** The file has all that waited. */
  endMove(): void {
    assert(this.movedBytes === this.length, `${this.movedBytes} of ${this.length} bytes of a stream were moved`);
    this.tail.release();
    this.tail = this.home.memory(true);
  }

  *chunks(): Generator<Uint8Array, void> {
    this.isRead = true;
    for (let i = 0; i < this.extents.length; i++) yield this.extent(i);
    yield* this.waiting();
  }

  read(from: number, to: number): Uint8Array {
    assert(from >= 0 && from <= to && to <= this.length, `bytes ${from} to ${to} of ${this.length}`);
    this.isRead = true;
    if (from >= this.movedBytes) return this.tail.read(from - this.movedBytes, to - from);
    const copy = new Uint8Array(to - from);
    let done = 0;
    for (let i = lastAtMost(this.starts, from); done < copy.length && i < this.extents.length; i++) {
      const start = from + done - (this.starts[i] as number);
      const part = this.extent(i).subarray(start, start + copy.length - done);
      copy.set(part, done);
      done += part.length;
    }
    if (done < copy.length) this.tail.copyTo(copy.subarray(done), 0);
    return copy;
  }

  /** Bytes of extent `i`; valid until another one is asked for. */
  private extent(i: number): Uint8Array {
    const extent = this.extents[i] as Extent;
    if (this.room.length < extent.bytes) this.room = new Uint8Array(Math.max(extent.bytes, PIECE_BYTES));
    if (this.inRoom !== i) this.home.read(extent, this.room);
    this.inRoom = i;
    return this.room.subarray(0, extent.bytes);
  }

  /** Gives all memory back: nobody reads what `read` and `chunks` answered. */
  release(): void {
    this.tail.release();
    this.room = new Uint8Array(0);
    this.inRoom = -1;
    this.home.forget(this);
  }
}
