/**
 * Constants of the container of a segment, the reference by which its directory names a section, and the errors of files that
 * cannot be read. docs/segment-format.md draws the layout.
 */
import { type ByteSink, type ByteSource, ShoalError } from '@shoal/core';

/** Version that is written; raised when a reader of the version before would misread the bytes. */
export const SEGMENT_FORMAT_VERSION = 5;

/** Oldest version that is still read. */
export const OLDEST_FORMAT_VERSION = 4;

/** Last version in which four bits named the parts of a field; later ones list them. */
export const FIELD_BITS_VERSION = 4;

export const MAGIC_TEXT = 'SHOALSEG';

export const END_MAGIC_TEXT = 'SHOALEND';

export const HEADER_BYTES = 16;

export const FOOTER_BYTES = 24;

const ALIGNMENT = 8;

/** Reference to a section of a container. */
export interface SectionRef {
  readonly offset: number;
  /** Length without padding, in bytes. */
  readonly length: number;
  /** CRC-32 of content and padding. */
  readonly crc: number;
}

export function corruptSegment(path: string, why: string): ShoalError {
  return new ShoalError('corrupt_index_exception', 500, `segment file [${path}] is damaged: ${why}`, {
    metadata: { path },
  });
}

export function padding(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

export function writeSectionRef(sink: ByteSink, ref: SectionRef): void {
  sink.f64(ref.offset);
  sink.f64(ref.length);
  sink.u32(ref.crc);
}

export function readSectionRef(directory: ByteSource): SectionRef {
  return { offset: directory.f64(), length: directory.f64(), crc: directory.u32() };
}

/** Offset behind the padding of a section. */
export function paddedEnd({ offset, length }: SectionRef): number {
  return offset + length + padding(length);
}

/** A file of a version that this program does not read. */
export function otherVersion(path: string, found: number, newest: number, oldest: number = newest): ShoalError {
  const known = oldest === newest ? `version [${newest}]` : `versions [${oldest}] to [${newest}]`;
  return new ShoalError(
    found > newest ? 'index_format_too_new_exception' : 'index_format_too_old_exception',
    500,
    `segment file [${path}] has format version [${found}], this program reads ${known}`,
  );
}
