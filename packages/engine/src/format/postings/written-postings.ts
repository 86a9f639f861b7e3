/**
 * A field's postings when all of its terms are encoded: what goes into the segment, in the order that docs/segment-format.md
 * gives.
 */

import { assert } from '@shoal/core';
import { PieceReader } from '../../bytes/piece-reader.ts';
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

/** Streams of which an index is made. */
const DICTIONARY_STREAMS: readonly PostingsStream[] = ['termBytes', 'termStarts'];

const WORD_BYTES = 4;

/** Bytes of a section, one piece behind the other. */
type Pieces = readonly Uint8Array[];

export interface EncodedPostings {
  readonly shape: PostingsShape;
  readonly termCount: number;
  readonly sumTotalTermFreq: number;
  readonly sumDocFreq: number;
  readonly normMin: number;
  readonly normMax: number;
  /** Length of every term, in bytes; 0 when they differ. */
  readonly termLength: number;
  readonly lengthOf: (stream: PostingsStream) => number;
  /**
   * Gives a section's bytes away, without what is the same for every field: the ends of `termStarts` and `blockImpacts`, and
   * padding. So nothing is held twice for longer than it takes to write one of them.
   */
  readonly take: (stream: PostingsStream) => Pieces;
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
  const termBytes = encoded.lengthOf('termBytes');
  assert(
    termLength === 0 || termBytes === termCount * termLength,
    `${termCount} terms of ${termLength} bytes take ${termBytes}`,
  );
  const hasIndex = termBytes + termCount * WORD_BYTES > into.pageBytes;
  const pieces = new Map(DICTIONARY_STREAMS.map((stream) => [stream, encoded.take(stream)]));
  const index = hasIndex ? yield* indexOf(encoded, pieces, into.pageBytes) : null;
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
  const blocks = encoded.lengthOf('blockBits');
  assert(
    encoded.lengthOf('blockLastDocs') === blocks,
    `${encoded.lengthOf('blockLastDocs')} bytes of last documents, ${blocks} of widths`,
  );
  assert(
    encoded.lengthOf('blockData') === blocks,
    `${encoded.lengthOf('blockData')} bytes of offsets, ${blocks} of widths`,
  );
  const padding = new Uint8Array(PACKED_RUN_PADDING);
  const sections: [PostingsStream, Pieces][] = [];
  const add = (stream: PostingsStream, ...behind: Pieces): void => {
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
      add('blockImpacts', word(encoded.lengthOf('impacts') / Uint32Array.BYTES_PER_ELEMENT));
      add('impacts');
    }
    if (hasPositions) {
      add('blockPositions');
      add('positions', padding);
    }
  }
  for (const [stream, behind] of sections) {
    yield* into.sectionInSteps([...(pieces.get(stream) ?? encoded.take(stream)), ...behind]);
    pieces.delete(stream);
  }
  if (index === null) return;
  into.section(index.starts);
  into.section(index.bytes);
}

/** Index of a dictionary, which takes more than a page. Yields every millisecond or so. */
function* indexOf(
  { termCount, termLength }: EncodedPostings,
  pieces: ReadonlyMap<PostingsStream, Pieces>,
  pageBytes: number,
): Generator<void, TermIndexContent> {
  const bytes = new PieceReader(pieces.get('termBytes') ?? []);
  const starts = new PieceReader(pieces.get('termStarts') ?? []);
  const startOf = (ordinal: number): number => {
    if (termLength > 0) return ordinal * termLength;
    return ordinal === termCount ? bytes.length : starts.word(ordinal);
  };
  return yield* makeTermIndex(termCount, (ordinal) => bytes.read(startOf(ordinal), startOf(ordinal + 1)), pageBytes);
}

function word(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}
