/**
 * Encodes the postings of one term after the other: blocks of 128, lists, positions, impacts, and the arrays that say where
 * they stand. The same in plain form, which it must equal byte for byte: packages/engine/src/format/postings/postings-writer.ts.
 *
 * What is written goes to streams of limited length that the caller empties. Whoever appends asks for room first and stops
 * where there is none, so that a stream never runs over.
 */
import { docsOf, Encoder, frontierOf, freqsOf, NUMBERS_AT, stream } from './encoder-state.ts';
import { endImpacts, noteNorms } from './impacts.ts';
import { BLOCK, LIST_BLOCK, NO_NORM } from '../shared/postings-format.ts';
import { packLanes, packRun, widthOfRun } from './pack.ts';

/** Answers of whatever may stop half way and be called again: it is done; the budget is used up; streams are to be emptied. */
export const DONE: i32 = 0;
export const PAUSED: i32 = 1;
const FULL: i32 = 2;
/** Streams are to be emptied, and buffers made larger: `wantedPositions`, `wantedTermBytes`. */
const SMALL: i32 = 3;

const TERM_BYTES: i32 = 0;
const TERM_STARTS: i32 = 1;
const DOC_FREQS: i32 = 2;
const POSTINGS_AT: i32 = 3;
const TOTAL_FREQS: i32 = 4;
const LISTS: i32 = 5;
const LAST_DOCS: i32 = 6;
const BLOCK_DATA: i32 = 7;
const BLOCK_BITS: i32 = 8;
const PACKED: i32 = 9;
const BLOCK_IMPACTS: i32 = 10;
const IMPACTS: i32 = 11;
const BLOCK_POSITIONS: i32 = 12;
const POSITIONS: i32 = 13;

/** Documents and frequencies of a list take at most this much. */
const LIST_BYTES_MAX: u32 = 10 * <u32>BLOCK;
/** Behind packed numbers, whose last word is written whole. */
const SLACK_BYTES: u32 = 16;

@inline
function lengthOf(encoder: Encoder, index: i32): u32 {
  const to = stream(encoder, index);
  return to.before + <u32>(to.at - to.start);
}

@inline
function push(encoder: Encoder, index: i32, value: u32): void {
  const to = stream(encoder, index);
  store<u32>(to.at, value);
  to.at += 4;
}

@inline
function roomOf(encoder: Encoder, index: i32): u32 {
  const to = stream(encoder, index);
  return <u32>(to.end - to.at);
}

export function beginEncoder(encoder: Encoder, norms: usize): void {
  encoder.norms = norms;
  encoder.normMin = norms == 0 ? NO_NORM : 255;
  encoder.normMax = norms == 0 ? NO_NORM : 0;
}

export function beginTerm(encoder: Encoder): void {
  encoder.inBlock = 0;
  encoder.docFreq = 0;
  encoder.totalFreq = 0;
  encoder.base = -1;
  encoder.lastDoc = -1;
  encoder.firstBlock = encoder.blockCount;
  encoder.pendingCount = 0;
}

/** Whether a block's worth of documents with `positions` in all may be appended, and the term ended: `DONE`, or why not. */
@inline
export function askRoom(encoder: Encoder, positions: u32): i32 {
  const count = encoder.pendingCount + positions;
  if (count > encoder.pendingMax) return askLarger(encoder, count);
  const bytes = (count << 2) + SLACK_BYTES;
  // Streams of one entry a block are equally long, and packed blocks and impacts have room for the most of each.
  const isRoom =
    roomOf(encoder, LISTS) >= bytes + LIST_BYTES_MAX && roomOf(encoder, POSITIONS) >= bytes && roomOf(encoder, LAST_DOCS) >= 8;
  return isRoom ? DONE : FULL;
}

function askLarger(encoder: Encoder, positions: u32): i32 {
  encoder.wantedPositions = positions;
  return SMALL;
}

/** Whether the term, of `length` bytes, may be ended. */
@inline
export function askTermRoom(encoder: Encoder, length: u32): i32 {
  const bytes = stream(encoder, TERM_BYTES);
  if (<u32>(bytes.end - bytes.start) < length) {
    encoder.wantedTermBytes = length;
    return SMALL;
  }
  if (<u32>(bytes.end - bytes.at) < length || roomOf(encoder, TERM_STARTS) < 4) return FULL;
  return askRoom(encoder, 0);
}

/** The block is full. */
export function endBlock(encoder: Encoder): void {
  const docs = docsOf(encoder);
  const numbers = changetype<usize>(encoder) + NUMBERS_AT;
  store<i32>(docs - 4, encoder.base);
  let union = i32x4.splat(0);
  for (let i: usize = 0; i < 512; i += 16) {
    const delta = i32x4.sub(v128.load(docs + i), v128.load(docs + i - 4));
    v128.store(numbers + i, delta);
    union = v128.or(union, delta);
  }
  const last = load<i32>(docs, 508);
  const docBits = widthOf(union);
  push(encoder, LAST_DOCS, last);
  push(encoder, BLOCK_DATA, lengthOf(encoder, PACKED) >>> 4);
  pack(encoder, numbers, docBits);
  let freqBits: u32 = 0;
  if (encoder.hasFreqs) {
    const freqs = freqsOf(encoder);
    const one = i32x4.splat(1);
    union = i32x4.splat(0);
    for (let i: usize = 0; i < 512; i += 16) {
      const less = i32x4.sub(v128.load(freqs + i), one);
      v128.store(numbers + i, less);
      union = v128.or(union, less);
    }
    freqBits = widthOf(union);
    pack(encoder, numbers, freqBits);
  }
  const positionBits = encoder.hasPositions ? endPositions(encoder) : 0;
  push(encoder, BLOCK_BITS, docBits | (freqBits << 8) | (positionBits << 16));
  encoder.blockCount++;
  impactsOfBlock(encoder);
  encoder.base = last;
  encoder.inBlock = 0;
}

@inline
function widthOf(union: v128): u32 {
  const all =
    i32x4.extract_lane(union, 0) |
    i32x4.extract_lane(union, 1) |
    i32x4.extract_lane(union, 2) |
    i32x4.extract_lane(union, 3);
  return 32 - clz(all);
}

@inline
function pack(encoder: Encoder, numbers: usize, bits: u32): void {
  const to = stream(encoder, PACKED);
  packLanes(numbers, bits, to.at);
  to.at += <usize>bits << 4;
}

/** Writes the positions of the block; returns their width. */
function endPositions(encoder: Encoder): u32 {
  const to = stream(encoder, POSITIONS);
  while (lengthOf(encoder, POSITIONS) & 3) store<u8>(to.at++, 0);
  push(encoder, BLOCK_POSITIONS, lengthOf(encoder, POSITIONS) >>> 2);
  const bits = widthOfRun(encoder.pending, encoder.pendingCount);
  to.at = packRun(encoder.pending, encoder.pendingCount, bits, to.at);
  encoder.pendingCount = 0;
  return bits;
}

function impactsOfBlock(encoder: Encoder): void {
  if (!encoder.hasFreqs) {
    normsOfBlock(encoder);
    return;
  }
  push(encoder, BLOCK_IMPACTS, encoder.impactCount);
  const to = stream(encoder, IMPACTS);
  const end = endImpacts(encoder, to.at);
  encoder.impactCount += <u32>((end - to.at) >> 2);
  to.at = end;
}

@inline
function normsOfBlock(encoder: Encoder): void {
  if (encoder.norms != 0) noteNorms(encoder);
}

/** Everything of the term was appended; there is room for the rest. */
export function endTerm(encoder: Encoder, term: usize, length: u32): void {
  const bytes = stream(encoder, TERM_BYTES);
  push(encoder, TERM_STARTS, lengthOf(encoder, TERM_BYTES));
  for (let i: u32 = 0; i < length; i++) store<u8>(bytes.at + i, load<u8>(term + i));
  bytes.at += length;
  if (encoder.termCount == 0) encoder.termLength = length;
  else if (encoder.termLength != length) encoder.termLength = 0;
  const docFreq = encoder.docFreq;
  push(encoder, DOC_FREQS, docFreq);
  push(encoder, TOTAL_FREQS, <u32>encoder.totalFreq);
  encoder.termCount++;
  encoder.sumDocFreq += <f64>docFreq;
  encoder.sumTotalFreq += <f64>encoder.totalFreq;
  if (docFreq >= <u32>BLOCK) {
    push(encoder, POSTINGS_AT, encoder.firstBlock);
    if (encoder.inBlock > 0) endWithList(encoder);
  } else if (docFreq == 1 && !encoder.hasPositions) {
    push(encoder, POSTINGS_AT, encoder.lastDoc);
    normsOfBlock(encoder);
  } else {
    push(encoder, POSTINGS_AT, lengthOf(encoder, LISTS));
    if (docFreq > 0) writeList(encoder);
    normsOfBlock(encoder);
  }
}

/** The last documents of a long term: a block whose postings are a list. */
function endWithList(encoder: Encoder): void {
  push(encoder, LAST_DOCS, encoder.lastDoc);
  push(encoder, BLOCK_DATA, lengthOf(encoder, LISTS));
  push(encoder, BLOCK_BITS, LIST_BLOCK);
  if (encoder.hasPositions) push(encoder, BLOCK_POSITIONS, 0);
  encoder.blockCount++;
  impactsOfBlock(encoder);
  writeList(encoder);
}

@inline
function varint(at: usize, value: u32): usize {
  while (value > 0x7f) {
    store<u8>(at++, <u8>(value | 0x80));
    value >>>= 7;
  }
  store<u8>(at++, <u8>value);
  return at;
}

function writeList(encoder: Encoder): void {
  const to = stream(encoder, LISTS);
  const docs = docsOf(encoder);
  const freqs = freqsOf(encoder);
  const end = <usize>encoder.inBlock << 2;
  let at = to.at;
  let last = encoder.base;
  for (let i: usize = 0; i < end; i += 4) {
    const doc = load<i32>(docs + i);
    const freq = load<u32>(freqs + i);
    at = varint(at, (<u32>(doc - last) << 1) | u32(freq == 1));
    if (freq != 1) at = varint(at, freq - 1);
    last = doc;
  }
  if (encoder.hasPositions) {
    const bits = widthOfRun(encoder.pending, encoder.pendingCount);
    store<u8>(at++, <u8>bits);
    at = packRun(encoder.pending, encoder.pendingCount, bits, at);
    encoder.pendingCount = 0;
  }
  to.at = at;
}
