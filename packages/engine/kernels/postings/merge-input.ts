/**
 * One segment's share of a field that is merged: its terms in order, and the postings of one of them at a time.
 */
import { BLOCK, LIST_BLOCK } from '../shared/postings-format.ts';
import { unpackFreqs } from '../shared/unpack.ts';

const PREFIX_BYTES: u32 = 8;

/** Addresses of sections are 0 where the field has none. */
@unmanaged
export class Input {
  termCount: u32;
  /** Bytes of every term; 0: they differ, and `termStarts` says where each begins. */
  termLength: u32;
  termStarts: usize;
  termBytes: usize;
  docFreqs: usize;
  postingsAt: usize;
  totalFreqs: usize;
  lists: usize;
  lastDocs: usize;
  blockData: usize;
  blockBits: usize;
  packed: usize;
  blockPositions: usize;
  positions: usize;
  /** New number of each document, -1 where it was deleted; 0: all follow each other from `docBase` on. */
  docMap: usize;
  docBase: i32;
  /** A byte a term, 1 where a live document has it, of a field without postings; 0: all are in use. */
  used: usize;
  /** Gets the new number of each term that is kept; 0: nobody asks. */
  ordinals: usize;
  /** Number in its field of the first block that is not there: whoever gets to it waits for the next ones. */
  blocksEnd: u32;
  /** The next term: number, first bytes so that they compare as a number, and where it stands. */
  next: u32;
  prefix: u64;
  term: usize;
  length: u32;
}

export const INPUT_BYTES: usize = 128;

/** Reads the next term. False when there is none. */
export function readTerm(input: Input): bool {
  if (offsetof<Input>() > INPUT_BYTES) ERROR('an input runs into the next');
  const next = input.next;
  if (next >= input.termCount) return false;
  let start: u32;
  let end: u32;
  if (input.termLength > 0) {
    start = next * input.termLength;
    end = start + input.termLength;
  } else {
    const at = input.termStarts + (<usize>next << 2);
    start = load<u32>(at);
    end = load<u32>(at, 4);
  }
  const term = input.termBytes + start;
  const length = end - start;
  input.term = term;
  input.length = length;
  const prefix = bswap(load<u64>(term));
  // What follows a short term is another's.
  input.prefix =
    length >= PREFIX_BYTES ? prefix : length == 0 ? 0 : prefix & (<u64>-1 << (<u64>(PREFIX_BYTES - length) << 3));
  return true;
}

/** Order of two terms with the same first bytes. */
export function compareRest(a: Input, b: Input): i32 {
  const lengthA = a.length;
  const lengthB = b.length;
  const common = min(lengthA, lengthB);
  let i = PREFIX_BYTES;
  while (i + 8 <= common) {
    const wordA = load<u64>(a.term + i);
    const wordB = load<u64>(b.term + i);
    if (wordA != wordB) return bswap(wordA) < bswap(wordB) ? -1 : 1;
    i += 8;
  }
  for (; i < common; i++) {
    const difference = <i32>load<u8>(a.term + i) - <i32>load<u8>(b.term + i);
    if (difference != 0) return difference;
  }
  return <i32>lengthA - <i32>lengthB;
}

/** Postings of one block of one input, under their new numbers. */
@unmanaged
export class Run {
  count: i32;
  /** Place in it: what is before was appended. */
  at: i32;
  /** Packed positions: where, how wide, and the number of the first that was not appended. */
  positions: usize;
  positionBits: u32;
  positionAt: u32;
  /** Some documents were left out: positions are found by `starts`. */
  isThinned: i32;
}

const RUN_DOCS_AT: usize = 32;
const RUN_FREQS_AT: usize = RUN_DOCS_AT + 512;
const RUN_STARTS_AT: usize = RUN_FREQS_AT + 512;
export const RUN_BYTES: usize = RUN_STARTS_AT + 512;

@inline
export function runDocs(run: Run): usize {
  return changetype<usize>(run) + RUN_DOCS_AT;
}

@inline
export function runFreqs(run: Run): usize {
  return changetype<usize>(run) + RUN_FREQS_AT;
}

/** Number of the first position of each document of a thinned run. */
@inline
export function runStarts(run: Run): usize {
  return changetype<usize>(run) + RUN_STARTS_AT;
}

@inline
function varintEnd(from: usize): usize {
  while (load<u8>(from) > 0x7f) from++;
  return from + 1;
}

@inline
function varintAt(from: usize): u32 {
  let byte: u32 = load<u8>(from++);
  let value = byte & 0x7f;
  for (let shift: u32 = 7; byte > 0x7f; shift += 7) {
    byte = load<u8>(from++);
    value |= (byte & 0x7f) << shift;
  }
  return value;
}

function readList(run: Run, from: usize, count: i32, base: i32, hasPositions: i32): void {
  const docs = runDocs(run);
  const end = docs + (<usize>count << 2);
  let doc = base;
  for (let p = docs; p < end; p += 4) {
    const value = varintAt(from);
    from = varintEnd(from);
    doc += <i32>(value >>> 1);
    store<i32>(p, doc);
    let freq: u32 = 1;
    if (!(value & 1)) {
      freq += varintAt(from);
      from = varintEnd(from);
    }
    store<u32>(p, freq, RUN_FREQS_AT - RUN_DOCS_AT);
  }
  run.count = count;
  if (!hasPositions) return;
  run.positionBits = load<u8>(from);
  run.positions = from + 1;
}

/** The only document of a term, which is in no list. */
function readOne(run: Run, input: Input, ordinal: usize, freq: u32): void {
  store<i32>(runDocs(run), load<i32>(input.postingsAt + (ordinal << 2)));
  store<u32>(runFreqs(run), freq);
  run.count = 1;
}

/** Turns distances into documents; merging needs no second set of unpackers that do both at once. */
function sumDeltas(docs: usize, base: i32): void {
  const zero = i32x4.splat(0);
  let last = i32x4.splat(base);
  for (let p = docs; p < docs + 512; p += 16) {
    let row = v128.load(p);
    row = i32x4.add(row, v128.shuffle<i32>(zero, row, 0, 4, 5, 6));
    row = i32x4.add(row, v128.shuffle<i32>(zero, row, 0, 1, 4, 5));
    row = i32x4.add(row, last);
    v128.store(p, row);
    last = v128.shuffle<i32>(row, row, 3, 3, 3, 3);
  }
}

function readPacked(run: Run, input: Input, at: usize, base: i32, hasFreqs: i32, hasPositions: i32): void {
  const bits = load<u32>(input.blockBits + at);
  const docBits = bits & 0xff;
  const packed = input.packed + (<usize>load<u32>(input.blockData + at) << 4);
  const freqs = runFreqs(run);
  unpackFreqs(docBits, packed, runDocs(run));
  sumDeltas(runDocs(run), base);
  if (hasFreqs) unpackFreqs((bits >>> 8) & 0xff, packed + <usize>(docBits << 4), freqs);
  else memory.fill(freqs, 0, 512);
  const one = i32x4.splat(1);
  for (let p = freqs; p < freqs + 512; p += 16) v128.store(p, i32x4.add(v128.load(p), one));
  run.count = BLOCK;
  if (!hasPositions) return;
  run.positionBits = bits >>> 16;
  run.positions = input.positions + (<usize>load<u32>(input.blockPositions + at) << 2);
}

/** Reads block `block` of a term of `docFreq` documents. */
export function readRun(run: Run, input: Input, ordinal: u32, docFreq: u32, block: u32, hasFreqs: i32, hasPositions: i32): void {
  run.at = 0;
  run.positionAt = 0;
  run.isThinned = 0;
  if (docFreq == 1 && !hasPositions) {
    readOne(run, input, ordinal, hasFreqs ? load<u32>(input.totalFreqs + (<usize>ordinal << 2)) : 1);
  } else {
    const start = load<u32>(input.postingsAt + (<usize>ordinal << 2));
    if (docFreq < <u32>BLOCK) {
      readList(run, input.lists + start, docFreq, -1, hasPositions);
    } else {
      const at = <usize>(start + block) << 2;
      const base = block == 0 ? -1 : load<i32>(input.lastDocs + at - 4);
      if (load<u32>(input.blockBits + at) == LIST_BLOCK) {
        const list = input.lists + load<u32>(input.blockData + at);
        readList(run, list, <i32>(docFreq - block * <u32>BLOCK), base, hasPositions);
      } else readPacked(run, input, at, base, hasFreqs, hasPositions);
    }
  }
  if (input.docMap != 0) keepLive(run, input.docMap);
  else if (input.docBase != 0) move(run, input.docBase);
}

/** All documents get numbers that are greater by `by`. */
function move(run: Run, by: i32): void {
  const docs = runDocs(run);
  const end = docs + (<usize>run.count << 2);
  const more = i32x4.splat(by);
  // What is behind the last of them is never looked at.
  for (let p = docs; p < end; p += 16) v128.store(p, i32x4.add(v128.load(p), more));
}

function keepLive(run: Run, docMap: usize): void {
  const docs = runDocs(run);
  const freqs = runFreqs(run);
  const starts = runStarts(run);
  const end = <usize>run.count << 2;
  let kept: usize = 0;
  let positions: u32 = 0;
  for (let i: usize = 0; i < end; i += 4) {
    const to = load<i32>(docMap + (<usize>load<i32>(docs + i) << 2));
    const freq = load<u32>(freqs + i);
    store<i32>(docs + kept, to);
    store<u32>(freqs + kept, freq);
    store<u32>(starts + kept, positions);
    positions += freq;
    kept += to < 0 ? 0 : 4;
  }
  run.isThinned = 1;
  run.count = <i32>(kept >> 2);
}
