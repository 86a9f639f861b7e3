/**
 * The file format around a segment: header, sections, directory, footer; each under a checksum.
 *
 * The bytes are the same in memory and on disk. Sections stand without gaps, so that every bit of a file is under some
 * checksum: a flipped one is found before anything is believed. Multi-byte values are little-endian and aligned to 8.
 */
import { crc32 } from 'node:zlib';
import { assert, ByteSink, ByteSource, DamagedBytes, ShoalError } from '@shoal/core';
import { ContainerBytes } from './container-bytes.ts';
import type { SegmentBytes } from './segment-bytes.ts';

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
  readonly bytes: ContainerBytes;

  /** `bytes`: none yet, or how many are expected. */
  constructor(bytes: ContainerBytes | number) {
    this.bytes = typeof bytes === 'number' ? new ContainerBytes(bytes) : bytes;
    const header = new ByteSink(HEADER_BYTES);
    header.raw(Buffer.from(MAGIC_TEXT, 'latin1'));
    header.u32(SEGMENT_FORMAT_VERSION);
    header.u32(crc32(header.written()));
    this.bytes.raw(header.written());
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
    const offset = this.bytes.length;
    let crc = 0;
    const add = (bytes: Uint8Array): void => {
      this.bytes.raw(bytes);
      crc = crc32(bytes, crc);
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
    const length = this.bytes.length - offset;
    add(new Uint8Array(padding(length)));
    return { offset, length, crc };
  }

  finish(directory: Uint8Array): void {
    const footer = new ByteSink(FOOTER_BYTES);
    footer.f64(this.bytes.length);
    footer.u32(directory.length);
    footer.u32(crc32(directory));
    footer.raw(Buffer.from(END_MAGIC_TEXT, 'latin1'));
    this.bytes.raw(directory);
    this.bytes.raw(footer.written());
  }
}

export function writeSectionRef(sink: ByteSink, ref: SectionRef): void {
  sink.f64(ref.offset);
  sink.f64(ref.length);
  sink.u32(ref.crc);
}

function readSectionRef(directory: ByteSource): SectionRef {
  return { offset: directory.f64(), length: directory.f64(), crc: directory.u32() };
}

/** Where the end of a section's padding is. */
export function paddedEnd({ offset, length }: SectionRef): number {
  return offset + length + padding(length);
}

/** Gives the sections of a part of the directory, in their order. */
export interface SectionSource {
  readonly directory: ByteSource;
  section(): Uint8Array;
}

/** Sections that were loaded, beside what the directory says of them from `at` on. */
export function loadedSections(directory: Uint8Array, at: number, sections: readonly Uint8Array[]): SectionSource {
  const source = new ByteSource(directory, at);
  let next = 0;
  return {
    directory: source,
    section: () => {
      readSectionRef(source);
      const bytes = sections[next++];
      assert(bytes !== undefined, 'a section is read that was not loaded');
      return bytes;
    },
  };
}

/** Reads what a segment is made of; not the sections. Throws `DamagedBytes` inside, `corrupt_index_exception` outside. */
export class ContainerReader {
  readonly bytes: SegmentBytes;
  readonly directory: ByteSource;
  /** All that were taken. */
  readonly refs: SectionRef[] = [];
  private readonly directoryOffset: number;
  /** End of the last section that was taken: sections follow each other without gaps. */
  private end = HEADER_BYTES;

  constructor(bytes: SegmentBytes) {
    const { path, length: size } = bytes;
    this.bytes = bytes;
    if (size < HEADER_BYTES + FOOTER_BYTES) throw corruptSegment(path, `only ${size} bytes long`);
    checkHeader(bytes.read(0, HEADER_BYTES), path);
    const footer = new ByteSource(bytes.read(size - FOOTER_BYTES, FOOTER_BYTES));
    this.directoryOffset = footer.f64();
    const length = footer.u32();
    const crc = footer.u32();
    const magic = Buffer.from(footer.raw(8)).toString('latin1');
    if (magic !== END_MAGIC_TEXT) throw corruptSegment(path, 'it does not end with the mark of a whole file');
    if (this.directoryOffset + length + FOOTER_BYTES !== size) {
      throw corruptSegment(path, `directory of ${length} bytes at ${this.directoryOffset} does not end at the footer`);
    }
    // A copy: it stays, wherever the rest goes.
    const directory = bytes.read(this.directoryOffset, length).slice();
    if (crc32(directory) !== crc) throw corruptSegment(path, 'checksum of its directory does not match');
    this.directory = new ByteSource(directory);
  }

  /** Where the next section by the directory stands. */
  section(): SectionRef {
    const ref = readSectionRef(this.directory);
    const end = paddedEnd(ref);
    if (ref.offset !== this.end || end > this.directoryOffset) {
      throw new DamagedBytes(`section at ${ref.offset} of ${ref.length} bytes is out of place`);
    }
    this.end = end;
    this.refs.push(ref);
    return ref;
  }

  /** Every section was taken: nothing in the file is without a checksum. */
  finish(): void {
    if (this.end !== this.directoryOffset || this.directory.at !== this.directory.bytes.length) {
      throw new DamagedBytes(`sections end at ${this.end}, directory starts at ${this.directoryOffset}`);
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
