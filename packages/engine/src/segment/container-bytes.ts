/**
 * The bytes of a container while it is written: in memory, or in a file to which they are moved as they come.
 *
 * A merge needs no memory for what it makes so, but for the little that waits.
 */
import { assert, ByteSink } from '@shoal/core';
import type { File } from '@shoal/runtime';
import { SegmentBytes } from './segment-bytes.ts';

/** Bytes of one write: a shard's thread serves others between two. */
const CHUNK_BYTES = 4 * 1024 * 1024;

export class ContainerBytes {
  private readonly sink: ByteSink;
  private path = '';
  private file: File | null = null;
  private onClose: () => void = () => {};
  /** Of the bytes, those that stand in the file. */
  private fileBytes = 0;

  /** `room`: how many bytes are expected to be in memory at a time. */
  constructor(room: number) {
    this.sink = new ByteSink(room);
  }

  get length(): number {
    return this.fileBytes + this.sink.length;
  }

  /** Of them, those that no file has. */
  get waitingBytes(): number {
    return this.sink.length;
  }

  raw(bytes: Uint8Array): void {
    this.sink.raw(bytes);
  }

  /** All of them; a view of a buffer that may be longer. */
  written(): Uint8Array {
    assert(this.fileBytes === 0, 'a file has a part of the container');
    return this.sink.written();
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
    const { file, sink } = this;
    assert(file !== null, 'a container without a file');
    const bytes = sink.written();
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      await file.write(bytes.subarray(at, at + CHUNK_BYTES), this.fileBytes + at);
    assert(sink.length === bytes.length, 'a container grew while it was written');
    this.fileBytes += bytes.length;
    sink.clear();
  }

  /** The whole file, which is durable then but for its name; whoever gets it closes it. */
  async finish(): Promise<SegmentBytes> {
    await this.write();
    const { file, path, onClose } = this;
    assert(file !== null, 'a container without a file');
    await file.sync();
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
