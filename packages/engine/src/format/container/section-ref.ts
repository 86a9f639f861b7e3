/**
 * Constants of the container of a segment, the reference by which its directory names a section, and the errors of files that
 * cannot be read. docs/segment-format.md draws the layout.
 */
import { type ByteSink, type ByteSource, DamagedBytes, ShoalError } from '@shoal/core';

/** Version that is written; raised when a reader of the version before would misread the bytes. */
export const SEGMENT_FORMAT_VERSION = 6;

/** Oldest version that is still read. */
export const OLDEST_FORMAT_VERSION = 4;

/** Last version in which four bits named the parts of a field; later ones list them. */
export const FIELD_BITS_VERSION = 4;

/** Last version in which a section had one checksum; later ones have one for each page of it. */
export const WHOLE_SECTIONS_VERSION = 5;

export const MAGIC_TEXT = 'SHOALSEG';

export const END_MAGIC_TEXT = 'SHOALEND';

export const HEADER_BYTES = 16;

export const FOOTER_BYTES = 24;

/** Smallest page, in bytes. */
export const PAGE_BYTES_MIN = 64;

const ALIGNMENT = 8;

/** Bytes of a checksum in the directory. */
const CRC_BYTES = 4;

/** Reference to a section of a container. */
export interface SectionRef {
  readonly offset: number;
  /** Length without padding, in bytes. */
  readonly length: number;
  /** Bytes a page; infinite in versions that had one checksum a section. */
  readonly pageBytes: number;
  /** CRC-32 of each page, the last one with the padding; one where the section is empty. */
  readonly crcs: ArrayLike<number>;
}

export function corruptSegment(path: string, why: string): ShoalError {
  return new ShoalError('corrupt_index_exception', 500, `segment file [${path}] is damaged: ${why}`, {
    metadata: { path },
  });
}

export function padding(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}

/** Pages are powers of two, so that no number of a section stands in two of them. */
export function isPageSize(bytes: number): boolean {
  return bytes >= PAGE_BYTES_MIN && bytes % 1 === 0 && (bytes & (bytes - 1)) === 0;
}

export function writeSectionRef(sink: ByteSink, { offset, length, crcs }: SectionRef): void {
  sink.f64(offset);
  sink.f64(length);
  for (let page = 0; page < crcs.length; page++) sink.u32(crcs[page] as number);
}

export function readSectionRef(directory: ByteSource, pageBytes: number): SectionRef {
  const offset = directory.f64();
  const length = directory.f64();
  if (!Number.isSafeInteger(length) || length < 0) throw new DamagedBytes(`section at ${offset} of ${length} bytes`);
  const count = pagesOf(length, pageBytes);
  if (count === 1) return { offset, length, pageBytes, crcs: [directory.u32()] };
  // Before room for them is taken: a length that is not true could ask for any.
  const left = directory.bytes.length - directory.at;
  if (count * CRC_BYTES > left) throw new DamagedBytes(`checksums of ${count} pages in ${left} bytes`);
  return { offset, length, pageBytes, crcs: Uint32Array.from({ length: count }, () => directory.u32()) };
}

/** Pages of a section of `length` bytes without its padding. */
function pagesOf(length: number, pageBytes: number): number {
  return Math.max(1, Math.ceil((length + padding(length)) / pageBytes));
}

/** Offset behind the padding of a section. */
export function paddedEnd({ offset, length }: Pick<SectionRef, 'offset' | 'length'>): number {
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
