/**
 * The bytes of a segment's stored documents, wherever they are: in a file, or in memory until they were written there.
 *
 * The file is header, blocks, footer. Blocks carry their own checksums; the footer carries one over all of theirs, which
 * the segment knows too: the two files are of one moment, or nothing is read.
 */
import { crc32 } from 'node:zlib';
import { assert, ByteSink, ByteSource, type ShoalError } from '@shoal/core';
import { type File, finalSync } from '@shoal/runtime';
import { BytePieces } from '../../bytes/byte-pieces.ts';
import { type PieceSource, PLAIN_PIECES } from '../../bytes/piece-pool.ts';
import { corruptSegment, otherVersion } from '../container/section-ref.ts';

/** Raised when a reader of the version before would misread the bytes. docs/segment-format.md draws the current one. */
const STORED_FORMAT_VERSION = 1;
const MAGIC_TEXT = 'SHOALDOC';
const END_MAGIC_TEXT = 'SHOALEND';
export const STORED_HEADER_BYTES = 16;
const FOOTER_BYTES = 28;

export class StoredBytes {
  /** For the text of errors. */
  path: string;
  /** Told of damage that was found after the file was opened. */
  onDamage: (error: ShoalError) => void = () => {};
  private file: File | null = null;
  /** Bytes that are in the file. */
  private fileBytes = 0;
  /** Those behind. */
  private readonly tail: BytePieces;
  private isClosed = false;
  /** First sync, which nothing is written after; null before it. */
  private synced: Promise<void> | null = null;
  private isWriting = false;
  private onClose: () => void = () => {};

  constructor(path: string, pieces: PieceSource = PLAIN_PIECES) {
    this.path = path;
    this.tail = new BytePieces(pieces);
  }

  /** Empty but for the header. */
  static begin(path: string, pieces: PieceSource | null = null): StoredBytes {
    const stored = new StoredBytes(path, pieces ?? PLAIN_PIECES);
    const header = new ByteSink(STORED_HEADER_BYTES);
    header.raw(Buffer.from(MAGIC_TEXT, 'latin1'));
    header.u32(STORED_FORMAT_VERSION);
    header.u32(crc32(header.written()));
    stored.append(header.written());
    return stored;
  }

  /** Bytes of a whole file, open for reading; closed by `close`. */
  static async ofFile(path: string, file: File, onClose: () => void): Promise<StoredBytes> {
    const stored = new StoredBytes(path);
    stored.attach(path, file, onClose);
    try {
      stored.fileBytes = await file.sizeBytes();
      checkHeader(stored);
    } catch (error) {
      stored.close();
      throw error;
    }
    return stored;
  }

  /** Bytes of a file with this content, in memory. */
  static ofMemory(path: string, bytes: Uint8Array): StoredBytes {
    const stored = new StoredBytes(path);
    stored.append(bytes);
    checkHeader(stored);
    return stored;
  }

  get length(): number {
    return this.fileBytes + this.tail.length;
  }

  /** Bytes that are in memory. */
  get memoryBytes(): number {
    return this.tail.memoryBytes;
  }

  /** Appends a block, which is read as it was given: in one. */
  append(block: Uint8Array): void {
    assert(!this.isClosed, 'stored documents are closed');
    this.tail.whole(block);
  }

  /** `blockChecksums`: a checksum over those of all blocks, in their order. */
  finish(blockCount: number, blockChecksums: number): void {
    const footer = new ByteSink(FOOTER_BYTES);
    footer.u32(blockCount);
    footer.u32(blockChecksums);
    footer.f64(this.length);
    footer.u32(crc32(footer.written()));
    footer.raw(Buffer.from(END_MAGIC_TEXT, 'latin1'));
    this.append(footer.written());
  }

  /** Throws `corrupt_index_exception` when this is not the whole file that was finished with these two. */
  checkFooter(blockCount: number, blockChecksums: number): void {
    const at = this.length - FOOTER_BYTES;
    if (at < STORED_HEADER_BYTES) throw corruptSegment(this.path, `only ${this.length} bytes long`);
    const bytes = this.read(at, FOOTER_BYTES);
    const footer = new ByteSource(bytes);
    const there = { count: footer.u32(), checksums: footer.u32(), length: footer.f64() };
    const crc = footer.u32();
    const magic = Buffer.from(footer.raw(8)).toString('latin1');
    if (magic !== END_MAGIC_TEXT || crc32(bytes.subarray(0, 16)) !== crc || there.length !== at)
      throw corruptSegment(this.path, 'it does not end as a whole file does');
    if (there.count !== blockCount || there.checksums !== blockChecksums)
      throw corruptSegment(this.path, 'it holds other documents than its segment');
  }

  /** End of the last block. */
  get blocksEnd(): number {
    return this.length - FOOTER_BYTES;
  }

  /** A view or copy, valid until the next write. Blocks for a read of the file. */
  read(offset: number, length: number): Uint8Array {
    if (offset >= this.fileBytes) {
      const from = offset - this.fileBytes;
      if (from + length > this.tail.length) throw this.damaged(`it ends before ${offset + length}`);
      return this.tail.read(from, length);
    }
    const bytes = new Uint8Array(length);
    this.readInto(bytes, offset);
    return bytes;
  }

  /** Fills `target`, for whoever reads block after block. */
  readInto(target: Uint8Array, offset: number): void {
    const { length } = target;
    if (offset >= this.fileBytes) {
      const from = offset - this.fileBytes;
      if (from + length > this.tail.length) throw this.damaged(`it ends before ${offset + length}`);
      this.tail.copyTo(target, from);
      return;
    }
    assert(this.file !== null && offset + length <= this.fileBytes, `no block stands at ${offset}`);
    assert(!this.isClosed, 'stored documents are read after they were closed');
    if (this.file.readIntoSync(target, offset) !== length) throw this.damaged(`it ends before ${offset + length}`);
  }

  /** Tells the owner, and is what the reader throws. */
  damaged(why: string): ShoalError {
    const error = corruptSegment(this.path, why);
    this.onDamage(error);
    return error;
  }

  /** From now on `file` is this one's: it was just made, and `close` closes it. */
  attach(path: string, file: File, onClose: () => void): void {
    assert(this.file === null, `stored documents of ${this.path} have a file already`);
    this.path = path;
    this.file = file;
    this.onClose = onClose;
  }

  get hasFile(): boolean {
    return this.file !== null;
  }

  /** Bytes that wait to be written. */
  get waitingBytes(): number {
    return this.tail.length;
  }

  /** Writes what is not in the file yet. Nothing may be appended meanwhile; reading is fine. */
  async write(): Promise<void> {
    const { file, tail } = this;
    assert(file !== null, `stored documents of ${this.path} have no file`);
    assert(this.synced === null || tail.length === 0, `${tail.length} bytes of ${this.path} come after its sync`);
    const { length } = tail;
    this.isWriting = true;
    try {
      for (const { bytes, start } of tail.pieces()) await file.write(bytes, this.fileBytes + start);
    } finally {
      this.isWriting = false;
    }
    assert(tail.length === length, 'stored documents grew while they were written');
    this.fileBytes += length;
    tail.release();
  }

  /** Makes the content durable; everything was written. A failure is final: every later sync fails with it. */
  async sync(): Promise<void> {
    const { file, path } = this;
    assert(file !== null && this.tail.length === 0, `${this.tail.length} bytes of ${path} are not in its file`);
    this.synced ??= finalSync(file, path);
    await this.synced;
  }

  /** Nobody reads them any more. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (!this.isWriting) this.tail.release();
    // A file that was read or synced loses nothing when its close fails.
    this.file?.close().catch(() => {});
    this.onClose();
  }
}

function checkHeader(stored: StoredBytes): void {
  const { path } = stored;
  if (stored.length < STORED_HEADER_BYTES + FOOTER_BYTES)
    throw corruptSegment(path, `only ${stored.length} bytes long`);
  const bytes = stored.read(0, STORED_HEADER_BYTES);
  const header = new ByteSource(bytes);
  const magic = Buffer.from(header.raw(8)).toString('latin1');
  const version = header.u32();
  if (magic !== MAGIC_TEXT) throw corruptSegment(path, 'it does not start with the mark of stored documents');
  if (header.u32() !== crc32(bytes.subarray(0, 12)))
    throw corruptSegment(path, 'checksum of its header does not match');
  if (version !== STORED_FORMAT_VERSION) throw otherVersion(path, version, STORED_FORMAT_VERSION);
}
