/**
 * Writes the container of a segment: header, sections, directory, footer; each under a checksum.
 */

import { crc32 } from 'node:zlib';
import { assert, ByteSink } from '@shoal/core';
import { ContainerBytes } from './container-bytes.ts';
import {
  END_MAGIC_TEXT,
  FOOTER_BYTES,
  HEADER_BYTES,
  MAGIC_TEXT,
  paddedEnd,
  padding,
  SEGMENT_FORMAT_VERSION,
  type SectionRef,
} from './section-ref.ts';

/** Copied and summed up between two yields: about a millisecond of work. */
const BYTES_PER_STEP = 1024 * 1024;

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

  section(content: SectionContent): SectionRef {
    const steps = this.sectionInSteps([new Uint8Array(content.buffer, content.byteOffset, content.byteLength)]);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  /** A section of these pieces, one behind the other. Yields after each megabyte. */
  *sectionInSteps(pieces: readonly Uint8Array[]): Generator<void, SectionRef> {
    const offset = this.bytes.length;
    assert(padding(offset) === 0, `a section starts at ${offset}`);
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
    assert(
      this.bytes.length === paddedEnd({ offset, length, crc }),
      `section ${offset}+${length} ends at ${this.bytes.length}`,
    );
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
