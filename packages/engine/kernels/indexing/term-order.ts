/**
 * The terms of a field in the order of their bytes.
 *
 * Eight bytes at a time, as one number: all terms by their first eight, then those that are still equal by their next, until none
 * are. Long runs go byte by byte of that number through buckets, short ones by insertion. The work is done in steps.
 */
import { Field, keyAt, lengthOf, record } from './field-terms.ts';

/** An entry: eight bytes of a term as a number, its number, and whether it is equal to the entry before so far. */
const ENTRY_SHIFT: usize = 4;
const NUMBER_AT: usize = 8;
const TIED_AT: usize = 12;
const SHORT_RUN: u32 = 24;
const RADIX: u32 = 256;

/** A sort that is under way. */
@unmanaged
class Sort {
  entries: usize;
  spare: usize;
  count: u32;
  /** Bytes of all terms that were compared. */
  offset: u32;
  /** Where the next run begins. */
  at: u32;
  /** Some run of this round is to be gone on with in the next. */
  hasTies: u32;
  /** The long run under way: from `at` to `runEnd`; 0 when there is none. */
  runEnd: u32;
  /** Its next byte, from the lowest, and those that differ at all. */
  shift: u32;
  differing: u64;
}

/** Counters of one pass. */
const COUNTS: usize = memory.data(1024, 8);

export function sortBytes(): usize {
  return offsetof<Sort>();
}

/** `entries` and `spare` take 16 bytes a term each. */
export function beginSort(field: Field, sort: Sort, entries: usize, spare: usize): void {
  sort.entries = entries;
  sort.spare = spare;
  sort.count = field.termCount;
  sort.offset = 0;
  sort.at = 0;
  sort.hasTies = 0;
  sort.runEnd = 0;
  for (let i: u32 = 0; i < sort.count; i++) {
    const entry = entryAt(entries, i);
    store<u32>(entry, i, NUMBER_AT);
    store<u32>(entry, i == 0 ? 0 : 1, TIED_AT);
  }
}

@inline
function entryAt(entries: usize, index: u32): usize {
  return entries + (<usize>index << ENTRY_SHIFT);
}

@inline
function isTied(sort: Sort, index: u32): bool {
  return load<u32>(entryAt(sort.entries, index), TIED_AT) != 0;
}

/** Goes on for about `budget` entries; true when all are in order. */
export function sortStep(field: Field, sort: Sort, budget: i32): bool {
  let left = budget;
  while (left > 0) {
    if (sort.runEnd != 0) {
      left -= <i32>(sort.runEnd - sort.at);
      passOfRun(sort);
      continue;
    }
    let from = sort.at;
    const count = sort.count;
    while (from + 1 < count && !isTied(sort, from + 1)) from++;
    if (from + 1 >= count) {
      if (sort.hasTies == 0) return true;
      sort.hasTies = 0;
      sort.offset += 8;
      sort.at = 0;
      left -= <i32>(count >> 4) + 1;
      continue;
    }
    let to = from + 2;
    while (to < count && isTied(sort, to)) to++;
    beginRun(field, sort, from, to);
    left -= <i32>(to - from);
  }
  return false;
}

/** Puts the keys of a run into its entries; a short run is put in order at once. */
function beginRun(field: Field, sort: Sort, from: u32, to: u32): void {
  const entries = sort.entries;
  sort.at = from;
  if (!loadKeys(field, sort, from, to)) loadLengths(field, sort, from, to);
  let isInOrder = true;
  let differing: u64 = 0;
  const first = load<u64>(entryAt(entries, from));
  for (let i = from + 1; i < to; i++) {
    const key = load<u64>(entryAt(entries, i));
    if (key < load<u64>(entryAt(entries, i - 1))) isInOrder = false;
    differing |= key ^ first;
  }
  if (isInOrder) endRun(sort, to);
  else if (to - from <= SHORT_RUN) {
    insertAll(entries, from, to);
    endRun(sort, to);
  } else {
    sort.runEnd = to;
    sort.shift = 0;
    sort.differing = differing;
  }
}

/** False when no term of the run has further bytes. */
function loadKeys(field: Field, sort: Sort, from: u32, to: u32): bool {
  const offset = sort.offset;
  let isAny = offset == 0;
  for (let i = from; i < to; i++) {
    const entry = entryAt(sort.entries, i);
    const term = record(field, load<u32>(entry, NUMBER_AT));
    store<u64>(entry, keyAt(field, term, offset));
    if (lengthOf(term) > offset) isAny = true;
  }
  return isAny;
}

/** Terms that differ in nothing but zeros at their end: the shorter comes first. */
function loadLengths(field: Field, sort: Sort, from: u32, to: u32): void {
  for (let i = from; i < to; i++) {
    const entry = entryAt(sort.entries, i);
    store<u64>(entry, lengthOf(record(field, load<u32>(entry, NUMBER_AT))));
  }
}

function insertAll(entries: usize, from: u32, to: u32): void {
  for (let i = from + 1; i < to; i++) {
    const key = load<u64>(entryAt(entries, i));
    const number = load<u32>(entryAt(entries, i), NUMBER_AT);
    let at = i;
    while (at > from && load<u64>(entryAt(entries, at - 1)) > key) {
      store<u64>(entryAt(entries, at), load<u64>(entryAt(entries, at - 1)));
      store<u32>(entryAt(entries, at), load<u32>(entryAt(entries, at - 1), NUMBER_AT), NUMBER_AT);
      at--;
    }
    store<u64>(entryAt(entries, at), key);
    store<u32>(entryAt(entries, at), number, NUMBER_AT);
  }
}

/** One byte of the keys of the long run: from the entries to the spare ones by buckets, and back. */
function passOfRun(sort: Sort): void {
  while (sort.shift < 64 && ((sort.differing >> sort.shift) & 0xff) == 0) sort.shift += 8;
  const shift = sort.shift;
  if (shift >= 64) {
    const to = sort.runEnd;
    sort.runEnd = 0;
    endRun(sort, to);
    return;
  }
  const from = sort.at;
  const to = sort.runEnd;
  memory.fill(COUNTS, 0, RADIX << 2);
  for (let i = from; i < to; i++) {
    const counter = COUNTS + (<usize>((load<u64>(entryAt(sort.entries, i)) >> shift) & 0xff) << 2);
    store<u32>(counter, load<u32>(counter) + 1);
  }
  let sum = from;
  for (let bucket: u32 = 0; bucket < RADIX; bucket++) {
    const counter = COUNTS + (<usize>bucket << 2);
    const count = load<u32>(counter);
    store<u32>(counter, sum);
    sum += count;
  }
  for (let i = from; i < to; i++) {
    const entry = entryAt(sort.entries, i);
    const counter = COUNTS + (<usize>((load<u64>(entry) >> shift) & 0xff) << 2);
    const place = load<u32>(counter);
    store<u32>(counter, place + 1);
    v128.store(entryAt(sort.spare, place), v128.load(entry));
  }
  memory.copy(entryAt(sort.entries, from), entryAt(sort.spare, from), (<usize>(to - from)) << ENTRY_SHIFT);
  sort.shift = shift + 8;
}

/** The run up to `to` is in order by its keys: notes which entries are still equal. */
function endRun(sort: Sort, to: u32): void {
  const entries = sort.entries;
  const from = sort.at;
  // Its first entry differs from the one before, whatever entry that was.
  store<u32>(entryAt(entries, from), 0, TIED_AT);
  for (let i = from + 1; i < to; i++) {
    const isEqual = load<u64>(entryAt(entries, i)) == load<u64>(entryAt(entries, i - 1));
    store<u32>(entryAt(entries, i), isEqual ? 1 : 0, TIED_AT);
    if (isEqual) sort.hasTies = 1;
  }
  sort.at = to;
}

/** Writes the numbers of the terms in order. */
export function finishSort(sort: Sort, order: usize): void {
  for (let i: u32 = 0; i < sort.count; i++) {
    store<u32>(order + (<usize>i << 2), load<u32>(entryAt(sort.entries, i), NUMBER_AT));
  }
}
