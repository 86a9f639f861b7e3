/**
 * The bytes of a container while it is written: in memory, or in a file to which they are moved as they come.
 *
 * A merge needs no memory for what it makes so, but for the little that waits.
 */
import { assert } from '@shoal/core';
import { type File, finalSync } from '@shoal/runtime';
import { BytePieces } from '../../bytes/byte-pieces.ts';
import { type PieceSource, PLAIN_PIECES } from '../../bytes/piece-pool.ts';
import { SegmentBytes } from './segment-bytes.ts';

/** Copied between two yields: a fraction of a millisecond. */
const BYTES_PER_STEP = 1024 * 1024;

export class ContainerBytes {
  /** Those that are in memory. */
  private readonly tail: BytePieces;
  private path = '';
  private file: File | null = null;
  private onClose: () => void = () => {};
  /** Bytes that are in the file. */
  private fileBytes = 0;

  /** `room`: how many bytes are expected to be in memory at a time. */
  constructor(room: number, pieces: PieceSource | null = null) {
    this.tail = new BytePieces(pieces ?? PLAIN_PIECES, room);
  }

  get length(): number {
    return this.fileBytes + this.tail.length;
  }

  /** Bytes that are not in the file yet. */
  get waitingBytes(): number {
    return this.tail.length;
  }

  raw(bytes: Uint8Array): void {
    this.tail.raw(bytes);
  }

  /** All of them, of a buffer of their own; a copy. */
  written(): Uint8Array {
    const bytes = this.roomForAll();
    this.tail.copyTo(bytes, 0);
    return bytes;
  }

  /** Moves all bytes out into one array, a part a step; the container is empty afterwards. */
  *takeInSteps(): Generator<void, Uint8Array> {
    const bytes = this.roomForAll();
    for (let at = 0; at < bytes.length; at += BYTES_PER_STEP) {
      this.tail.copyTo(bytes.subarray(at, at + BYTES_PER_STEP), at);
      yield;
    }
    this.tail.release();
    return bytes;
  }

  private roomForAll(): Uint8Array {
    assert(this.fileBytes === 0, 'a file has a part of the container');
    // Not cleared: all of it is written to.
    return new Uint8Array(Buffer.allocUnsafeSlow(this.length).buffer);
  }

  /** From now on `file`, which was just made, is written to; `close` or the segment closes it. */
  attach(path: string, file: File, onClose: () => void): void {
    assert(this.file === null, `the container ${path} has a file already`);
    this.path = path;
    this.file = file;
    this.onClose = onClose;
  }

  /** Moves what there is to the file. Nothing may be appended meanwhile. */
  async write(): Promise<void> {
    const { file, tail } = this;
    assert(file !== null, 'a container without a file');
    const { length } = tail;
    for (const { bytes, start } of tail.pieces()) await file.write(bytes, this.fileBytes + start);
    assert(tail.length === length, 'a container grew while it was written');
    this.fileBytes += length;
    tail.release();
  }

  /** The whole file, which is durable then but for its name; whoever gets it closes it. */
  async finish(): Promise<SegmentBytes> {
    await this.write();
    const { file, path, onClose } = this;
    assert(file !== null, 'a container without a file');
    await finalSync(file, path);
    const bytes = await SegmentBytes.ofFile(path, file, onClose);
    this.file = null;
    return bytes;
  }

  /** What was written is not wanted; nothing happens when the file was given away. */
  close(): void {
    if (this.file === null) return;
    // There is nothing in it that anybody will read.
    this.file.close().catch(() => {});
    this.file = null;
    this.onClose();
  }
}
