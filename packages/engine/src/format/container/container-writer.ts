/**
 * Writes the container of a segment: header, sections, directory, footer; each under a checksum.
 */

import { crc32 } from 'node:zlib';
import { assert, ByteSink } from '@shoal/core';
import { SEGMENT_PAGING } from '../../memory/segment-paging.ts';
import { ContainerBytes } from './container-bytes.ts';
import { PageChecksums } from './page-checksums.ts';
import {
  END_MAGIC_TEXT,
  FOOTER_BYTES,
  HEADER_BYTES,
  isPageSize,
  MAGIC_TEXT,
  paddedEnd,
  padding,
  SEGMENT_FORMAT_VERSION,
  type SectionRef,
} from './section-ref.ts';

/** Copied and summed up between two yields: about a millisecond of work. */
const BYTES_PER_STEP = 1024 * 1024;

/** Pieces between two yields. */
const PIECES_PER_STEP = 4;

/** Bytes in front of the list of sections that say how large a page is. */
const PAGE_SIZE_BYTES = 4;

/** Numbers that stand in a section as they are in memory, little-endian. */
export type SectionContent =
  | Uint8Array
  | Uint32Array
  | Float64Array
  | Int32Array
  | Uint16Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array;

/** Collects sections; `finish` adds the directory, of which the page size is the first, and the footer. */
export class ContainerWriter {
  readonly bytes: ContainerBytes;
  /** Bytes a page of the sections. */
  readonly pageBytes: number;

  /** `bytes`: none yet, or how many are expected. `pageBytes`: size of a page of the sections. */
  constructor(bytes: ContainerBytes | number, pageBytes: number = SEGMENT_PAGING.pageBytes) {
    assert(isPageSize(pageBytes), `pages of ${pageBytes} bytes`);
    this.pageBytes = pageBytes;
    this.bytes = typeof bytes === 'number' ? new ContainerBytes(bytes) : bytes;
    const header = new ByteSink(HEADER_BYTES);
    header.raw(Buffer.from(MAGIC_TEXT, 'latin1'));
    header.u32(SEGMENT_FORMAT_VERSION);
    header.u32(crc32(header.written()));
    this.bytes.raw(header.written());
  }

  section(content: SectionContent, pageBytes: number = this.pageBytes): SectionRef {
    const pieces = [new Uint8Array(content.buffer, content.byteOffset, content.byteLength)];
    const steps = this.sectionInSteps(pieces, pageBytes);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  /** A section of these pieces, one behind the other. Yields after each megabyte, and every few pieces: they may be made on the way. */
  *sectionInSteps(pieces: Iterable<Uint8Array>, pageBytes: number = this.pageBytes): Generator<void, SectionRef> {
    const offset = this.bytes.length;
    assert(padding(offset) === 0, `a section starts at ${offset}`);
    const checksums = new PageChecksums(pageBytes);
    const add = (bytes: Uint8Array): void => {
      this.bytes.raw(bytes);
      checksums.add(bytes);
    };
    let stepped = 0;
    let taken = 0;
    for (const piece of pieces) {
      taken++;
      for (let at = 0; at < piece.length; at += BYTES_PER_STEP) {
        const part = piece.length <= BYTES_PER_STEP ? piece : piece.subarray(at, at + BYTES_PER_STEP);
        add(part);
        stepped += part.length;
        if (stepped < BYTES_PER_STEP && taken < PIECES_PER_STEP) continue;
        stepped = 0;
        taken = 0;
        yield;
      }
    }
    const length = this.bytes.length - offset;
    add(new Uint8Array(padding(length)));
    assert(
      this.bytes.length === paddedEnd({ offset, length }),
      `section ${offset}+${length} ends at ${this.bytes.length}`,
    );
    return { offset, length, pageBytes, crcs: checksums.end() };
  }

  finish(listed: Uint8Array): void {
    const directory = new ByteSink(listed.length + PAGE_SIZE_BYTES);
    directory.u32(this.pageBytes);
    directory.raw(listed);
    const footer = new ByteSink(FOOTER_BYTES);
    footer.f64(this.bytes.length);
    footer.u32(directory.length);
    footer.u32(crc32(directory.written()));
    footer.raw(Buffer.from(END_MAGIC_TEXT, 'latin1'));
    this.bytes.raw(directory.written());
    this.bytes.raw(footer.written());
  }
}
