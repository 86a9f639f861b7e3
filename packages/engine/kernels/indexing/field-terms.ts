/**
 * Distinct terms of one field while documents come in: a hash table over one stretch of bytes.
 *
 * A term is its number; its record says where its bytes stand and how often it came. Memory comes from outside: where it
 * does not suffice nothing is changed, and the caller makes room and asks again.
 */

/** One field of the segment being written. */
@unmanaged
export class Field {
  /** Start of a hash and two odd factors, which nobody outside knows: terms that share a place cannot be found without. */
  seed: u64;
  firstFactor: u64;
  secondFactor: u64;
  /** Hash of a term and its number plus one, beside each other; 0 where there is none. A power of two, twice `termsMax`. */
  slots: usize;
  slotMask: u32;
  /** Records by number. */
  terms: usize;
  termsMax: u32;
  termCount: u32;
  bytes: usize;
  bytesMax: u32;
  byteCount: u32;
  /** The stretch of the stream that is written now, where the next word goes, and where it ends. */
  stretch: usize;
  stream: usize;
  streamEnd: usize;
  /** 1 when positions are kept. */
  hasPositions: u32;
  /** Document of the last token; -1 before any. */
  lastDoc: i32;
  /** Where the next token stands unless the stream says otherwise. */
  nextPosition: u32;
  /** Documents that have a token. */
  docCount: u32;
  /** Pairs of a term and a document. */
  postingCount: u32;
  tokenCount: u32;
  /** Text being cut: where to go on, and words found so far. */
  textAt: u32;
  wordCount: u32;
}

/** A record of a term: its first eight bytes, where it stands, its length, what came, and its last document twice. */
const RECORD_SHIFT: usize = 5;
const START_AT: usize = 8;
const LENGTH_AT: usize = 12;
export const DOC_FREQ_AT: usize = 16;
export const COUNT_AT: usize = 20;
export const LAST_DOC_AT: usize = 24;
/** Last document as readers see it: a document may be taken back, and inverting leaves it as it is. */
export const SHOWN_DOC_AT: usize = 28;

const PREFIX_BYTES: u32 = 8;
/** Bytes that may be read behind a term. */
export const OVERRUN: u32 = 16;

@inline
export function record(field: Field, number: u32): usize {
  return field.terms + (<usize>number << RECORD_SHIFT);
}

@inline
export function numberOf(field: Field, term: usize): u32 {
  return <u32>((term - field.terms) >> RECORD_SHIFT);
}

@inline
export function lengthOf(term: usize): u32 {
  return load<u32>(term, LENGTH_AT);
}

@inline
export function startOf(term: usize): u32 {
  return load<u32>(term, START_AT);
}

/** Up to eight bytes of a term from `offset` on, as a number that orders terms as their bytes do; zeros behind its end. */
@inline
export function keyAt(field: Field, term: usize, offset: u32): u64 {
  if (offset == 0) return bswap<u64>(load<u64>(term));
  const length = lengthOf(term);
  if (offset >= length) return 0;
  return bswap<u64>(eightBytes(field.bytes + startOf(term) + offset, length - offset));
}

/** The first of `length` bytes, at most eight, as they stand in memory. */
@inline
function eightBytes(at: usize, length: u32): u64 {
  const all = load<u64>(at);
  return length >= PREFIX_BYTES ? all : all & (((<u64>1) << (<u64>length << 3)) - 1);
}

@inline
function hashOf(field: Field, at: usize, length: u32, prefix: u64): u32 {
  let hash = prefix ^ field.seed ^ length;
  for (let i: u32 = PREFIX_BYTES; i < length; i += PREFIX_BYTES) {
    // Spread by both factors: what two terms differ in is not undone by the next bytes without knowing them.
    hash *= field.firstFactor;
    hash = (hash ^ (hash >> 32)) * field.secondFactor;
    hash ^= (hash >> 32) ^ eightBytes(at + i, length - i);
  }
  hash *= field.firstFactor;
  // The last bytes of a word change the upper bits alone: they come down to where small tables look.
  return <u32>hash ^ rotl<u32>(<u32>(hash >> 32), 16);
}

@inline
function isSame(a: usize, b: usize, length: u32): bool {
  let i: u32 = 0;
  while (i < length && load<u8>(a + i) == load<u8>(b + i)) i++;
  return i == length;
}

/** Record of the term of `length` bytes at `at`, new or known; 0 when there is no room for a new one. */
export function findOrAdd(field: Field, at: usize, length: u32): usize {
  return look(field, at, length, true);
}

/** Record of the term of `length` bytes at `at`; 0 when there is none. */
export function find(field: Field, at: usize, length: u32): usize {
  return look(field, at, length, false);
}

@inline
function look(field: Field, at: usize, length: u32, adds: bool): usize {
  const prefix = eightBytes(at, length);
  const hash = hashOf(field, at, length, prefix);
  const slots = field.slots;
  const mask = field.slotMask;
  let index = hash & mask;
  for (;;) {
    const slot = slots + (<usize>index << 3);
    const number = load<u32>(slot, 4);
    if (number == 0) return adds ? add(field, slot, hash, prefix, at, length) : 0;
    if (load<u32>(slot) == hash) {
      const term = record(field, number - 1);
      if (load<u64>(term) == prefix && lengthOf(term) == length) {
        if (length <= PREFIX_BYTES) return term;
        const bytes = field.bytes + startOf(term);
        if (isSame(bytes + PREFIX_BYTES, at + PREFIX_BYTES, length - PREFIX_BYTES)) return term;
      }
    }
    index = (index + 1) & mask;
  }
  return 0;
}

function add(field: Field, slot: usize, hash: u32, prefix: u64, at: usize, length: u32): usize {
  const number = field.termCount;
  const start = field.byteCount;
  if (number == field.termsMax || start + length + OVERRUN > field.bytesMax) return 0;
  memory.copy(field.bytes + start, at, length);
  field.byteCount = start + length;
  field.termCount = number + 1;
  store<u32>(slot, hash);
  store<u32>(slot, number + 1, 4);
  const term = record(field, number);
  store<u64>(term, prefix);
  store<u32>(term, start, START_AT);
  store<u32>(term, length, LENGTH_AT);
  store<u32>(term, 0, DOC_FREQ_AT);
  store<u32>(term, 0, COUNT_AT);
  store<i32>(term, -1, LAST_DOC_AT);
  return term;
}

/** Gives the table room for `termsMax` terms, a power of two, in new stretches; the old ones are no longer used then. */
export function moveTerms(field: Field, terms: usize, slots: usize, termsMax: u32): void {
  const mask = termsMax * 2 - 1;
  memory.fill(slots, 0, <usize>termsMax << 4);
  if (field.termCount > 0) {
    memory.copy(terms, field.terms, <usize>field.termCount << RECORD_SHIFT);
    const end = field.slots + ((<usize>field.slotMask + 1) << 3);
    for (let slot = field.slots; slot < end; slot += 8) {
      const both = load<u64>(slot);
      if (both >> 32 == 0) continue;
      let index = <u32>both & mask;
      while (load<u32>(slots + (<usize>index << 3), 4) != 0) index = (index + 1) & mask;
      store<u64>(slots + (<usize>index << 3), both);
    }
  }
  field.terms = terms;
  field.termsMax = termsMax;
  field.slots = slots;
  field.slotMask = mask;
}

export function moveBytes(field: Field, bytes: usize, bytesMax: u32): void {
  memory.copy(bytes, field.bytes, field.byteCount);
  field.bytes = bytes;
  field.bytesMax = bytesMax;
}
