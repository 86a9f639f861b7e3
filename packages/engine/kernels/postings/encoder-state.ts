/**
 * State of a postings encoder in memory: its counters, the streams that it writes to, and the arrays of the open block.
 */

/** Bytes being written: at `start .. at`, behind `before` others that the caller has taken. */
@unmanaged
export class Stream {
  start: usize;
  at: usize;
  end: usize;
  before: u32;
}

@unmanaged
export class Encoder {
  hasFreqs: i32;
  hasPositions: i32;
  /** One byte a document; 0: the field has none. */
  norms: usize;
  normMin: u32;
  normMax: u32;
  /** Postings in the open block of the term. */
  inBlock: i32;
  /** Documents of the term so far. */
  docFreq: u32;
  /** Occurrences of the term so far. */
  totalFreq: u64;
  /** Last document of the block before; -1 in the first. */
  base: i32;
  lastDoc: i32;
  firstBlock: u32;
  /** Positions of the open block. */
  pending: usize;
  pendingCount: u32;
  pendingMax: u32;
  wantedPositions: u32;
  wantedTermBytes: u32;
  /** Counts over all terms so far. */
  termCount: u32;
  blockCount: u32;
  impactCount: u32;
  /** Bytes of every term; 0 when they differ. */
  termLength: u32;
  sumDocFreq: f64;
  sumTotalFreq: f64;
}

/** Streams that an encoder writes to. */
export const STREAMS: i32 = 14;

const STREAM_BYTES: usize = 16;
const STREAMS_AT: usize = 256;
const FRONTIER_AT: usize = STREAMS_AT + 16 * STREAM_BYTES;
/** One number stands before them: the last document of the block before. */
const DOCS_AT: usize = FRONTIER_AT + 2048 + 16;
const FREQS_AT: usize = DOCS_AT + 512;
export const NUMBERS_AT: usize = FREQS_AT + 512;
export const ENCODER_BYTES: usize = NUMBERS_AT + 512;

@inline
export function stream(encoder: Encoder, index: i32): Stream {
  return changetype<Stream>(changetype<usize>(encoder) + STREAMS_AT + <usize>index * STREAM_BYTES);
}

@inline
export function docsOf(encoder: Encoder): usize {
  return changetype<usize>(encoder) + DOCS_AT;
}

@inline
export function freqsOf(encoder: Encoder): usize {
  return changetype<usize>(encoder) + FREQS_AT;
}

@inline
export function frontierOf(encoder: Encoder): usize {
  return changetype<usize>(encoder) + FRONTIER_AT;
}
