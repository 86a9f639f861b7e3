/**
 * Part `norms`: the length of each document's field in one byte.
 *
 * Version 2 has shorter pages than the rest of the segment: of a rare term the norms of few documents are wanted, which stand
 * anywhere. Version 1 had the same.
 */
import { DamagedBytes } from '@shoal/core';
import { FieldNorms } from '../columns/field-norms.ts';
import { PAGE_BYTES_MIN } from '../container/section-ref.ts';
import type { PartCodec } from './part-codec.ts';

/** Version from which on pages are shorter than those of the segment. */
const SHORT_PAGES_VERSION = 2;
/** Pages of norms in a page of the segment. */
const PAGES_IN_PAGE = 16;

export const NORMS_PART: PartCodec<Uint8Array, FieldNorms> = {
  version: SHORT_PAGES_VERSION,
  pageBytes: (segmentPageBytes, version) =>
    version < SHORT_PAGES_VERSION ? segmentPageBytes : Math.max(PAGE_BYTES_MIN, segmentPageBytes / PAGES_IN_PAGE),
  *write(norms, into) {
    into.section(norms);
    yield;
  },
  read: (from, { sections }) => new FieldNorms(sections, from.section()),
  verify({ lengthBytes }, docCount) {
    if (lengthBytes !== docCount) throw new DamagedBytes(`${lengthBytes} norms for ${docCount} documents`);
  },
};
