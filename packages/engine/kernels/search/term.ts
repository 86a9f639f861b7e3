/**
 * One term of a query in one segment: where its postings stand, and the block of them that is decoded.
 *
 * Terms are plain memory in the query's area; nothing here is ever collected or freed. A term only moves forward.
 */
import { BLOCK, LIST_BLOCK, NO_MORE_DOCS } from '../shared/postings-format.ts';
import { unpackDocs, unpackFreqs } from '../shared/unpack.ts';

/** Entries of `NO_MORE_DOCS` behind the last document of a decoded block. */
const SENTINELS: usize = 16;

@unmanaged
export class Term {
  docFreq: i32;
  blockCount: i32;
  /** Block arrays, from the term's first block on. */
  lastDocs: usize;
  blockData: usize;
  blockBits: usize;
  blockPositions: usize;
  blockImpacts: usize;
  /** Cached bound of each block, less than 0 where it is not known yet; 0 for a term whose bound is flat. */
  bounds: usize;
  /** Sections of the field. */
  impacts: usize;
  packed: usize;
  lists: usize;
  positions: usize;
  hasFreqs: i32;
  hasPositions: i32;
  /** One byte a document. */
  norms: usize;
  /** BM25: the weight, and 1 / (k1 * length normalisation) by norm byte. */
  inverses: usize;
  weight: f32;
  /** Bound of every score of a term without impacts. */
  flatBound: f32;
  /** Scores by (frequency - 1) << 8 | norm for frequencies up to 16; 0: not worth having. */
  table: usize;
  /** What the slot's table was filled for; inverses 0: nothing that this query can use. */
  tableWeight: f32;
  tableInverses: usize;
  tableLow: u32;
  tableHigh: u32;
  /** Frequency by document, 0 where it does not have the term, at most 255; 0: no such column. */
  column: usize;
  /** Block of the cursor; the block that is decoded, and the place in it; the block whose frequencies are decoded. */
  block: i32;
  decoded: i32;
  at: i32;
  count: i32;
  freqsOf: i32;
  freqBits: u32;
  /** Packed positions behind a decoded list. */
  listPositions: usize;
  /** Positions before document `startDoc` of block `startBlock`. */
  startBlock: i32;
  startDoc: i32;
  startSum: i32;
  /** A short term's only entries of the block arrays; `isShort`: they are in use. */
  isShort: i32;
  shortBits: u32;
  shortLastDoc: i32;
  shortBound: f32;
  /** Clause that it belongs to. */
  clause: i32;
  /** It is one of the terms of which every match has one. */
  isLead: i32;
  /** Every match has it. */
  isMandatory: i32;
  /** What it is in the range of documents at hand: one of `READ`, `LOOKED_UP` and `LEFT_OUT`. */
  role: i32;
}

/** Behind the fields: documents with their sentinels, then frequencies less one. */
const DOCS_AT: usize = 192;
const FREQS_AT: usize = DOCS_AT + ((<usize>BLOCK + SENTINELS) << 2);
/** From a document to its frequency. */
export const TO_FREQ: usize = FREQS_AT - DOCS_AT;
export const TERM_BYTES: usize = FREQS_AT + (<usize>BLOCK << 2);

@inline
export function docsOf(term: Term): usize {
  return changetype<usize>(term) + DOCS_AT;
}

@inline
export function freqsOf(term: Term): usize {
  return changetype<usize>(term) + FREQS_AT;
}

@inline
export function lastDoc(term: Term, block: i32): i32 {
  return load<i32>(term.lastDocs + (<usize>block << 2));
}

@inline
function bitsOf(term: Term, block: i32): u32 {
  return load<u32>(term.blockBits + (<usize>block << 2));
}

@inline
function packedAt(term: Term, block: i32): usize {
  return term.packed + (<usize>load<u32>(term.blockData + (<usize>block << 2)) << 4);
}

/** Puts the term before its first document. */
export function rewind(term: Term): void {
  if (offsetof<Term>() > DOCS_AT) ERROR('the fields of a term run into its documents');
  term.block = 0;
  term.decoded = -1;
  term.at = 0;
  term.count = 0;
  term.freqsOf = -1;
  term.startBlock = -1;
  endDocs(term, BLOCK);
}

@inline
function endDocs(term: Term, count: i32): void {
  const end = docsOf(term) + (<usize>count << 2);
  const none = i32x4.splat(NO_MORE_DOCS);
  v128.store(end, none);
  v128.store(end, none, 16);
  v128.store(end, none, 32);
  v128.store(end, none, 48);
}

/** Decodes the documents of a block unless they are there; the place is then its first. */
export function decodeDocs(term: Term, block: i32): void {
  if (term.decoded == block) return;
  const base = block > 0 ? lastDoc(term, block - 1) : -1;
  const bits = bitsOf(term, block);
  term.at = 0;
  if (bits == LIST_BLOCK) {
    decodeList(term, block, term.lists + load<u32>(term.blockData + (<usize>block << 2)), base);
    return;
  }
  term.decoded = block;
  term.count = BLOCK;
  term.freqBits = (bits >>> 8) & 0xff;
  unpackDocs(bits & 0xff, packedAt(term, block), docsOf(term), base);
}

/** Decodes a list with its frequencies. */
export function decodeList(term: Term, block: i32, start: usize, base: i32): void {
  const count = term.docFreq - block * BLOCK;
  const docs = docsOf(term);
  const freqs = freqsOf(term);
  let from = start;
  let doc = base;
  let union: u32 = 0;
  for (let i = 0; i < count; i++) {
    let byte: u32 = load<u8>(from++);
    let value = byte & 0x7f;
    for (let shift: u32 = 7; byte > 0x7f; shift += 7) {
      byte = load<u8>(from++);
      value |= (byte & 0x7f) << shift;
    }
    doc += <i32>(value >>> 1);
    let freq: u32 = 0;
    if (!(value & 1)) {
      byte = load<u8>(from++);
      freq = byte & 0x7f;
      for (let shift: u32 = 7; byte > 0x7f; shift += 7) {
        byte = load<u8>(from++);
        freq |= (byte & 0x7f) << shift;
      }
    }
    union |= freq;
    store<i32>(docs + (<usize>i << 2), doc);
    store<u32>(freqs + (<usize>i << 2), freq);
  }
  term.decoded = block;
  term.at = 0;
  term.count = count;
  term.freqsOf = block;
  term.freqBits = 32 - clz(union);
  term.listPositions = from;
  endDocs(term, count);
}

/** Decodes the frequencies, less one, of the block whose documents are decoded. */
@inline
export function decodeFreqs(term: Term): void {
  const block = term.decoded;
  if (term.freqsOf != block) unpackBlockFreqs(term, block);
}

function unpackBlockFreqs(term: Term, block: i32): void {
  const bits = bitsOf(term, block);
  term.freqsOf = block;
  unpackFreqs((bits >>> 8) & 0xff, packedAt(term, block) + <usize>((bits & 0xff) << 4), freqsOf(term));
}

/** Moves the cursor to the first block that may hold `doc` or one behind it; `blockCount` when there is none. */
export function skipTo(term: Term, doc: i32): i32 {
  let block = term.block;
  const count = term.blockCount;
  if (block >= count || lastDoc(term, block) >= doc) return block;
  // Mostly the next block or one near it: steps that double, then a search between the last two.
  let step = 1;
  let low = block;
  let high = block + 1;
  while (high < count && lastDoc(term, high) < doc) {
    low = high;
    high += step;
    step <<= 1;
  }
  if (high > count) high = count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (lastDoc(term, middle) < doc) low = middle;
    else high = middle;
  }
  term.block = high;
  term.at = 0;
  return high;
}

/** The place in the decoded block of the first document >= `doc`; there must be one. */
@inline
export function findInBlock(docs: usize, from: usize, doc: i32): usize {
  let p = from;
  while (load<i32>(p, 60) < doc) p += 64;
  while (load<i32>(p, 12) < doc) p += 16;
  return p + (<usize>popcnt(i32x4.bitmask(i32x4.lt_s(v128.load(p), i32x4.splat(doc)))) << 2);
}

/** In a column: at least so many. */
export const COLUMN_FULL: u32 = 255;

/** Fills a column, which is clear, with the term's frequencies. */
export function fillColumn(term: Term, column: usize): void {
  const docs = docsOf(term);
  for (let block = 0; block < term.blockCount; block++) {
    decodeDocs(term, block);
    decodeFreqs(term);
    for (let p = docs, end = docs + (<usize>term.count << 2); p < end; p += 4) {
      store<u8>(column + <usize>load<i32>(p), min(load<u32>(p + TO_FREQ) + 1, COLUMN_FULL));
    }
  }
  rewind(term);
}

/** Frequency less one of a document that the term has; the cursor moves there. */
export function freqAt(term: Term, doc: i32): u32 {
  const block = skipTo(term, doc);
  decodeDocs(term, block);
  decodeFreqs(term);
  const docs = docsOf(term);
  const p = findInBlock(docs, docs + (<usize>term.at << 2), doc);
  term.at = <i32>((p - docs) >> 2);
  return load<u32>(p + TO_FREQ);
}

/** Positions of the decoded block before those of the document at `index`; its frequencies are decoded. */
export function positionsBefore(term: Term, index: i32): i32 {
  let i = 0;
  let sum = 0;
  if (term.startBlock == term.decoded && term.startDoc <= index) {
    i = term.startDoc;
    sum = term.startSum;
  }
  sum += index - i;
  const freqs = freqsOf(term);
  if (i + 4 <= index) {
    let sums = v128.load(freqs + (<usize>i << 2));
    for (i += 4; i + 4 <= index; i += 4) sums = i32x4.add(sums, v128.load(freqs + (<usize>i << 2)));
    sum += i32x4.extract_lane(sums, 0) + i32x4.extract_lane(sums, 1);
    sum += i32x4.extract_lane(sums, 2) + i32x4.extract_lane(sums, 3);
  }
  for (; i < index; i++) sum += load<i32>(freqs + (<usize>i << 2));
  term.startBlock = term.decoded;
  term.startDoc = index;
  term.startSum = sum;
  return sum;
}

/** Where the packed positions of the decoded block start. */
@inline
export function positionsOf(term: Term): usize {
  const block = term.decoded;
  if (bitsOf(term, block) == LIST_BLOCK) return term.listPositions + 1;
  return term.positions + (<usize>load<u32>(term.blockPositions + (<usize>block << 2)) << 2);
}

/** How wide each of them is. */
@inline
export function positionBitsOf(term: Term): u32 {
  const bits = bitsOf(term, term.decoded);
  return bits == LIST_BLOCK ? load<u8>(term.listPositions) : bits >>> 16;
}
