/**
 * A field's postings when all of its terms are encoded: what goes into the segment, in the order that docs/segment-format.md
 * gives.
 */

import { assert } from '@shoal/core';
import { type StreamBytes, wordOf } from '../../bytes/stream-bytes.ts';
import type { PartSink } from '../container/part-sink.ts';
import { PACKED_RUN_PADDING } from './packed-run.ts';
import { makeTermIndex, type TermIndexContent } from './term-index.ts';

export interface PostingsShape {
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  /** false: the terms are only the values of a column. */
  readonly hasPostings: boolean;
}

export const HAS_FREQS = 1;

export const HAS_POSITIONS = 2;

export const HAS_POSTINGS = 4;

/** Flag: every term has one document, once, so that neither frequencies nor their sums are stored. */
export const IS_UNIQUE = 8;

/** Flag: the dictionary has an index. */
export const HAS_INDEX = 16;

/** Sections of a field, as kernels number the streams of their content. */
export const POSTINGS_STREAMS = [
  'termBytes',
  'termStarts',
  'docFreqs',
  'postingsAt',
  'totalTermFreqs',
  'lists',
  'blockLastDocs',
  'blockData',
  'blockBits',
  'packed',
  'blockImpacts',
  'impacts',
  'blockPositions',
  'positions',
] as const;

export type PostingsStream = (typeof POSTINGS_STREAMS)[number];

const WORD_BYTES = 4;

export interface EncodedPostings {
  readonly shape: PostingsShape;
  readonly termCount: number;
  readonly sumTotalTermFreq: number;
  readonly sumDocFreq: number;
  readonly normMin: number;
  readonly normMax: number;
  /** Length of every term, in bytes; 0 when they differ. */
  readonly termLength: number;
  /**
   * Bytes of a section, without what is the same for every field: the ends of `termStarts` and `blockImpacts`, and padding.
   */
  readonly stream: (stream: PostingsStream) => StreamBytes;
  /** The section is in the segment. */
  readonly release: (stream: PostingsStream) => void;
}

/** A field that only waits to be put into its segment. */
export interface WrittenPostings {
  readonly termCount: number;
  /**
   * Writes header and sections of the part. `docCount`: documents with a term of the field. Yields every
   * millisecond or so.
   */
  finish(into: PartSink, docCount: number): Generator<void, void>;
}

export function* finishPostings(encoded: EncodedPostings, into: PartSink, docCount: number): Generator<void, void> {
  const { shape, termCount, sumDocFreq, termLength } = encoded;
  const { hasFreqs, hasPositions, hasPostings } = shape;
  const termBytes = encoded.stream('termBytes').length;
  assert(
    termLength === 0 || termBytes === termCount * termLength,
    `${termCount} terms of ${termLength} bytes take ${termBytes}`,
  );
  const hasIndex = termBytes + termCount * WORD_BYTES > into.pageBytes;
  const index = hasIndex ? yield* indexOf(encoded, into.pageBytes) : null;
  const isUnique = hasPostings && !hasFreqs && sumDocFreq === termCount;
  into.header.u8(
    (hasFreqs ? HAS_FREQS : 0) |
      (hasPositions ? HAS_POSITIONS : 0) |
      (hasPostings ? HAS_POSTINGS : 0) |
      (isUnique ? IS_UNIQUE : 0) |
      (index === null ? 0 : HAS_INDEX),
  );
  into.header.u32(termCount);
  into.header.u32(docCount);
  into.header.f64(encoded.sumTotalTermFreq);
  into.header.f64(sumDocFreq);
  into.header.u8(encoded.normMin);
  into.header.u8(encoded.normMax);
  into.header.u32(termLength);
  if (index !== null) into.header.u32(index.stride);
  const blocks = encoded.stream('blockBits').length;
  assert(
    encoded.stream('blockLastDocs').length === blocks,
    `${encoded.stream('blockLastDocs').length} bytes of last documents, ${blocks} of widths`,
  );
  assert(
    encoded.stream('blockData').length === blocks,
    `${encoded.stream('blockData').length} bytes of offsets, ${blocks} of widths`,
  );
  const padding = new Uint8Array(PACKED_RUN_PADDING);
  const sections: [PostingsStream, readonly Uint8Array[]][] = [];
  const add = (stream: PostingsStream, ...behind: readonly Uint8Array[]): void => {
    sections.push([stream, behind]);
  };
  if (termLength === 0) add('termStarts', word(termBytes));
  add('termBytes');
  if (hasPostings) {
    if (!isUnique) add('docFreqs');
    add('postingsAt');
    add('lists', padding);
    add('blockLastDocs');
    add('blockData');
    add('blockBits');
    add('packed');
    if (hasFreqs) {
      add('totalTermFreqs');
      add('blockImpacts', word(encoded.stream('impacts').length / Uint32Array.BYTES_PER_ELEMENT));
      add('impacts');
    }
    if (hasPositions) {
      add('blockPositions');
      add('positions', padding);
    }
  }
  for (const [stream, behind] of sections) {
    yield* into.sectionInSteps(withEnd(encoded.stream(stream), behind));
    encoded.release(stream);
  }
  if (index === null) return;
  into.section(index.starts);
  into.section(index.bytes);
}

function* withEnd(stream: StreamBytes, behind: readonly Uint8Array[]): Generator<Uint8Array, void> {
  yield* stream.chunks();
  yield* behind;
}

/** Index of a dictionary, which takes more than a page. Yields every millisecond or so. */
function* indexOf(
  { termCount, termLength, stream }: EncodedPostings,
  pageBytes: number,
): Generator<void, TermIndexContent> {
  const bytes = stream('termBytes');
  const starts = stream('termStarts');
  const startOf = (ordinal: number): number => {
    if (termLength > 0) return ordinal * termLength;
    return ordinal === termCount ? bytes.length : wordOf(starts, ordinal);
  };
  return yield* makeTermIndex(termCount, (ordinal) => bytes.read(startOf(ordinal), startOf(ordinal + 1)), pageBytes);
}

function word(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}
