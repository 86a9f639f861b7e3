/**
 * The file format around a segment: header, sections, directory, footer; each under a checksum.
 *
 * The bytes are the same in memory and on disk. Sections stand without gaps, so that every bit of a file is under some
 * checksum: a flipped one is found before anything is believed. Multi-byte values are little-endian and aligned to 8.
 */
import { crc32 } from 'node:zlib';
import { assert, ByteSink, ByteSource, DamagedBytes, ShoalError } from '@shoal/core';

/** Raised when a reader of the version before would misread the bytes. docs/segment-format.md draws the current one. */
const SEGMENT_FORMAT_VERSION = 4;

const MAGIC_TEXT = 'SHOALSEG';
const END_MAGIC_TEXT = 'SHOALEND';
const HEADER_BYTES = 16;
const FOOTER_BYTES = 24;
const ALIGNMENT = 8;
/** Copied and summed up between two yields: about a millisecond of work. */
const BYTES_PER_STEP = 1024 * 1024;

/** Where a section stands in its container. */
export interface SectionRef {
  readonly offset: number;
  /** Without padding. */
  readonly length: number;
  /** Of content and padding. */
  readonly crc: number;
}

export function corruptSegment(path: string, why: string): ShoalError {
  return new ShoalError('corrupt_index_exception', 500, `segment file [${path}] is damaged: ${why}`, {
    metadata: { path },
  });
}

function padding(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

/** Collects sections; `finish` adds directory and footer. */
export class ContainerWriter {
  private readonly sink: ByteSink;

  /** `room`: how many bytes are expected, or where they are to stand if they fit. */
  constructor(room: number | Uint8Array) {
    this.sink = new ByteSink(room);
    this.sink.raw(Buffer.from(MAGIC_TEXT, 'latin1'));
    this.sink.u32(SEGMENT_FORMAT_VERSION);
    this.sink.u32(crc32(this.sink.written()));
  }

  section(
    content: Uint8Array | Uint32Array | Float64Array | Int32Array | Uint16Array | BigInt64Array | Float32Array,
  ): SectionRef {
    const steps = this.sectionInSteps([new Uint8Array(content.buffer, content.byteOffset, content.byteLength)]);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  /** A section of these pieces, one behind the other. Yields after each megabyte. */
  *sectionInSteps(pieces: readonly Uint8Array[]): Generator<void, SectionRef> {
    const { sink } = this;
    const offset = sink.length;
    let crc = 0;
    const add = (bytes: Uint8Array): void => {
      const from = sink.length;
      sink.raw(bytes);
      crc = crc32(sink.bytes.subarray(from, sink.length), crc);
    };
    let stepped = 0;
    for (const piece of pieces) {
      for (let at = 0; at < piece.length; at += BYTES_PER_STEP) {
        const part = piece.length <= BYTES_PER_STEP ? piece : piece.subarray(at, at + BYTES_PER_STEP);
        add(part);
        stepped += part.length;
        if (stepped < BYTES_PER_STEP) continue;
        stepped = 0;
        yield;
      }
    }
    const length = sink.length - offset;
    add(new Uint8Array(padding(length)));
    return { offset, length, crc };
  }

  /** The whole container; a view of a buffer that may be longer. */
  finish(directory: Uint8Array): Uint8Array {
    const offset = this.sink.length;
    this.sink.raw(directory);
    this.sink.f64(offset);
    this.sink.u32(directory.length);
    this.sink.u32(crc32(directory));
    this.sink.raw(Buffer.from(END_MAGIC_TEXT, 'latin1'));
    return this.sink.written();
  }
}

export function writeSectionRef(sink: ByteSink, ref: SectionRef): void {
  sink.f64(ref.offset);
  sink.f64(ref.length);
  sink.u32(ref.crc);
}

/** Reads sections of verified bytes. Throws `DamagedBytes` inside, `corrupt_index_exception` outside. */
export class ContainerReader {
  readonly bytes: Uint8Array;
  readonly directory: ByteSource;
  private readonly directoryOffset: number;
  /** End of the last section that was taken: sections follow each other without gaps. */
  private verifiedTo = HEADER_BYTES;
  private readonly isTrusted: boolean;

  /** `isTrusted`: made by this process a moment ago, so that checksums need not be computed again. */
  constructor(bytes: Uint8Array, path: string, isTrusted: boolean) {
    assert(bytes.byteOffset % ALIGNMENT === 0, `segment bytes of ${path} are not aligned`);
    this.bytes = bytes;
    this.isTrusted = isTrusted;
    if (bytes.length < HEADER_BYTES + FOOTER_BYTES) throw corruptSegment(path, `only ${bytes.length} bytes long`);
    checkHeader(bytes, path);
    const footer = new ByteSource(bytes, bytes.length - FOOTER_BYTES);
    this.directoryOffset = footer.f64();
    const length = footer.u32();
    const crc = footer.u32();
    const magic = Buffer.from(footer.raw(8)).toString('latin1');
    if (magic !== END_MAGIC_TEXT) throw corruptSegment(path, 'it does not end with the mark of a whole file');
    if (this.directoryOffset + length + FOOTER_BYTES !== bytes.length) {
      throw corruptSegment(path, `directory of ${length} bytes at ${this.directoryOffset} does not end at the footer`);
    }
    const directory = bytes.subarray(this.directoryOffset, this.directoryOffset + length);
    if (crc32(directory) !== crc) throw corruptSegment(path, 'checksum of its directory does not match');
    this.directory = new ByteSource(directory);
  }

  /** The next section by the directory: a view, aligned to 8. */
  section(): Uint8Array {
    const offset = this.directory.f64();
    const length = this.directory.f64();
    const crc = this.directory.u32();
    const end = offset + length + padding(length);
    if (offset !== this.verifiedTo || end > this.directoryOffset) {
      throw new DamagedBytes(`section at ${offset} of ${length} bytes is out of place`);
    }
    if (!this.isTrusted && crc32(this.bytes.subarray(offset, end)) !== crc) {
      throw new DamagedBytes(`checksum of the section at ${offset} does not match`);
    }
    this.verifiedTo = end;
    return this.bytes.subarray(offset, offset + length);
  }

  /** Every section was taken: nothing in the file is left unverified. */
  finish(): void {
    if (this.verifiedTo !== this.directoryOffset || this.directory.at !== this.directory.bytes.length) {
      throw new DamagedBytes(`sections end at ${this.verifiedTo}, directory starts at ${this.directoryOffset}`);
    }
  }
}

function checkHeader(bytes: Uint8Array, path: string): void {
  const header = new ByteSource(bytes);
  const magic = Buffer.from(header.raw(8)).toString('latin1');
  const version = header.u32();
  const crc = header.u32();
  if (magic !== MAGIC_TEXT) throw corruptSegment(path, 'it does not start with the mark of a segment');
  if (crc32(bytes.subarray(0, HEADER_BYTES - 4)) !== crc)
    throw corruptSegment(path, 'checksum of its header does not match');
  if (version !== SEGMENT_FORMAT_VERSION) throw otherVersion(path, version, SEGMENT_FORMAT_VERSION);
}

export function otherVersion(path: string, found: number, known: number): ShoalError {
  return new ShoalError(
    found > known ? 'index_format_too_new_exception' : 'index_format_too_old_exception',
    500,
    `segment file [${path}] has format version [${found}], this program reads version [${known}]`,
  );
}

export function u32View(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
}
