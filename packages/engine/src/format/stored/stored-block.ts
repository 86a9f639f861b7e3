/**
 * One block of stored documents as bytes: which codec, how long, checksum, compressed documents.
 *
 * A block stands for itself, so that a merge copies it as it is. Nothing of it is believed before its checksum is.
 */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { assert, ByteSink, DamagedBytes } from '@shoal/core';
import { decodeLz4, Lz4Encoder, lz4Bound } from '../../bytes/lz4.ts';

/** `index.codec`: `default` and `best_compression`. */
export type StoredCodec = 'lz4' | 'deflate';
/** Codecs in the order of their numbers in the file. */
export const STORED_CODECS: readonly StoredCodec[] = ['lz4', 'deflate'];

const BLOCK_HEADER_BYTES = 16;
/** Encoding of the bytes of one block; `plain` when compressing made nothing smaller. */
const PLAIN = 0;
const LZ4 = 1;
const DEFLATE = 2;
const DEFLATE_LEVEL = 6;
/** What stays from one block to the next. */
const ROOM_BYTES_MAX = 1024 * 1024;
/** A block is closed when it holds this much: larger compresses better, smaller is read faster. */
const BLOCK_BYTES: Readonly<Record<StoredCodec, number>> = { lz4: 16 * 1024, deflate: 48 * 1024 };

export class BlockEncoder {
  readonly codec: StoredCodec;
  readonly blockBytes: number;
  /** What has kernels for it, or the plain form. */
  private readonly lz4: Pick<Lz4Encoder, 'encode'>;
  /** Where blocks are made. */
  private room: Uint8Array = new Uint8Array(0);

  constructor(codec: StoredCodec, lz4: Pick<Lz4Encoder, 'encode'> | null = null) {
    this.codec = codec;
    this.lz4 = lz4 ?? new Lz4Encoder();
    this.blockBytes = BLOCK_BYTES[codec];
  }

  /** The block of `raw`; valid until the next. */
  encode(raw: Uint8Array): Uint8Array {
    // A document of many megabytes is one block: its room does not stay.
    if (this.room.length > ROOM_BYTES_MAX) this.room = new Uint8Array(0);
    const packed = this.pack(raw);
    const isSmaller = packed < raw.length;
    const length = isSmaller ? packed : raw.length;
    const block = this.room.subarray(0, BLOCK_HEADER_BYTES + length);
    if (!isSmaller) block.set(raw, BLOCK_HEADER_BYTES);
    const header = new DataView(block.buffer, block.byteOffset, BLOCK_HEADER_BYTES);
    header.setUint32(0, isSmaller ? (this.codec === 'lz4' ? LZ4 : DEFLATE) : PLAIN, true);
    header.setUint32(4, raw.length, true);
    header.setUint32(8, length, true);
    header.setUint32(12, blockChecksum(block), true);
    return block;
  }

  /** Compresses behind the header; answers how many bytes that are. */
  private pack(raw: Uint8Array): number {
    const bound = BLOCK_HEADER_BYTES + lz4Bound(raw.length);
    if (this.room.length < bound) this.room = new Uint8Array(bound);
    const into = this.room.subarray(BLOCK_HEADER_BYTES);
    if (this.codec === 'lz4') return this.lz4.encode(raw, into);
    const packed = deflateRawSync(raw, { level: DEFLATE_LEVEL });
    if (packed.length < raw.length) into.set(packed);
    return packed.length;
  }
}

/** CRC-32 of everything in a block but the checksum itself. */
function blockChecksum(block: Uint8Array): number {
  return crc32(block.subarray(BLOCK_HEADER_BYTES), crc32(block.subarray(0, 12)));
}

/** Throws `DamagedBytes` when any bit of the block is not as it was written; returns its checksum. */
export function checkBlock(block: Uint8Array): number {
  if (block.length < BLOCK_HEADER_BYTES) throw new DamagedBytes(`a block of stored documents of ${block.length} bytes`);
  const expected = wordAt(block, 12);
  if (blockChecksum(block) !== expected)
    throw new DamagedBytes('checksum of a block of stored documents does not match');
  return expected;
}

/** Checksum of a block that was checked. */
export function checksumOf(block: Uint8Array): number {
  return wordAt(block, 12);
}

/** Uncompressed size of a block that was checked. */
export function rawLengthOf(block: Uint8Array): number {
  return wordAt(block, 4);
}

/** What the block was made of; it was checked. */
export function unpackBlock(block: Uint8Array): Uint8Array {
  const kept = block.subarray(BLOCK_HEADER_BYTES);
  const rawLength = rawLengthOf(block);
  if (wordAt(block, 8) !== kept.length) throw new DamagedBytes('a block of stored documents has another length');
  switch (wordAt(block, 0)) {
    case PLAIN:
      // A copy: where the block stands, others may be put once it is in a file.
      return kept.slice();
    case LZ4: {
      const raw = new Uint8Array(rawLength);
      decodeLz4(kept, raw);
      return raw;
    }
    case DEFLATE: {
      const raw = inflateRawSync(kept);
      assert(raw.length === rawLength, 'a block whose checksum matches inflates to another length');
      return raw;
    }
    default:
      throw new DamagedBytes(`unknown codec ${wordAt(block, 0)} of stored documents`);
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true);
}

/** Documents of a block: one behind the other, then their lengths, then the size of all. */
export class DocumentBlock {
  readonly bytes: Uint8Array;
  /** One more than there are documents. */
  private readonly starts: Uint32Array;

  /** `raw`: what `DocumentBlockWriter` made of `count` documents. */
  constructor(raw: Uint8Array, count: number) {
    const end = raw.length - 4;
    if (end < 0) throw new DamagedBytes('a block without documents');
    const size = wordAt(raw, end);
    this.bytes = raw;
    this.starts = new Uint32Array(count + 1);
    let at = size;
    let start = 0;
    for (let doc = 0; doc < count; doc++) {
      let shift = 0;
      let length = 0;
      let byte = 0x80;
      while (byte > 0x7f && at < end) {
        byte = raw[at++] as number;
        length |= (byte & 0x7f) << shift;
        shift += 7;
      }
      start += length >>> 0;
      this.starts[doc + 1] = start;
    }
    if (at !== end || start !== size) throw new DamagedBytes(`a block of other than ${count} documents`);
  }

  get count(): number {
    return this.starts.length - 1;
  }

  document(index: number): Uint8Array {
    return this.bytes.subarray(this.starts[index], this.starts[index + 1]);
  }
}

/** Collects the documents of one block. */
export class DocumentBlockWriter {
  private readonly documents = new ByteSink(1 << 14);
  private readonly lengths = new ByteSink(1 << 8);
  private starts: number[] = [];

  get count(): number {
    return this.starts.length;
  }

  get sizeBytes(): number {
    return this.documents.length;
  }

  add(document: Uint8Array): void {
    this.starts.push(this.documents.length);
    this.documents.raw(document);
    this.lengths.varint(document.length);
  }

  /** A copy. */
  document(index: number): Uint8Array {
    return this.documents.bytes.slice(this.starts[index], this.starts[index + 1] ?? this.documents.length);
  }

  /** The finished block, valid until the next `add`; the writer is empty then. */
  finish(): Uint8Array {
    const size = this.documents.length;
    this.documents.raw(this.lengths.written());
    this.documents.u32(size);
    const raw = this.documents.written();
    this.documents.clear();
    this.lengths.clear();
    this.starts = [];
    return raw;
  }
}
