/**
 * What one term adds to its clause: read whole for a window of documents, or looked up for candidates.
 */
import {
  Area,
  candidateDocs,
  candidateSlots,
  CLAUSE_WINDOW,
  clauseCounts,
  clauseSums,
  countsWindow,
  placesWindow,
  SPAN,
  touchedSlots,
} from './area.ts';
import { DENSE, endOfBlock, layOut } from './candidates.ts';
import { boundWith, clause } from './clauses.ts';
import { blockBound, scoreOf } from './score.ts';
import { BLOCK } from '../shared/postings-format.ts';
import { COLUMN_FULL, decodeDocs, decodeFreqs, docsOf, findInBlock, freqAt, lastDoc, skipTo, Term, TO_FREQ } from './term.ts';

/** Adds `score` to a slot of the clause whose sums are at `sums`; `counts`: 0 where it needs one term only. */
@inline
function add(sums: usize, counts: usize, slot: i32, score: f32): void {
  const sum = sums + (<usize>slot << 3);
  store<f64>(sum, load<f64>(sum) + <f64>score);
  if (counts == 0) return;
  const count = counts + <usize>slot;
  store<u8>(count, load<u8>(count) + 1);
}

@inline
function countsOf(area: Area, term: Term): usize {
  return clause(area, term.clause).needed == 1 ? 0 : clauseCounts(area, term.clause);
}

/**
 * Adds the term's scores for documents in [base, end), whose slots are counted from `base`, and marks them. `isOnly`: no other
 * term is read: blocks are left out that cannot hold a hit.
 */
export function readTerm(area: Area, term: Term, base: i32, end: i32, isOnly: bool): void {
  let block = skipTo(term, base);
  const blockCount = term.blockCount;
  const sums = clauseSums(area, term.clause);
  const counts = countsOf(area, term);
  const marks = countsWindow(area);
  const norms = term.norms;
  const first = docsOf(term);
  for (; block < blockCount; block++) {
    term.block = block;
    const lastOfBlock = lastDoc(term, block);
    if (!isOnly || boundWith(area, term.clause, blockBound(term, block, term.weight)) > area.threshold) {
      if (term.decoded != block) term.at = 0;
      decodeDocs(term, block);
      decodeFreqs(term);
      const last = first + (<usize>term.count << 2);
      let p = first + (<usize>term.at << 2);
      while (p < last && load<i32>(p) < base) p += 4;
      for (; p < last; p += 4) {
        const doc = load<i32>(p);
        if (doc >= end) break;
        store<u8>(marks + <usize>(doc - base), 1);
        add(sums, counts, doc - base, scoreOf(term, load<u32>(p + TO_FREQ), <u32>load<u8>(norms + <usize>doc)));
      }
      term.at = <i32>((p - first) >> 2);
    }
    if (lastOfBlock >= end) break;
    term.at = 0;
  }
  term.block = block;
}

/** Makes candidates of the marked documents of a window, and clears the marks; returns how many. */
export function listMarked(area: Area, base: i32, end: i32): i32 {
  const start = countsWindow(area);
  const stop = start + <usize>((end - base + 15) & ~15);
  const docs = candidateDocs(area);
  const slots = candidateSlots(area);
  const zeros = i8x16.splat(0);
  let count = 0;
  for (let p = start; p < stop; p += 16) {
    let mask = <u32>i8x16.bitmask(i8x16.ne(v128.load(p), zeros));
    if (mask == 0) continue;
    v128.store(p, zeros);
    const from = <i32>(p - start);
    while (mask != 0) {
      const slot = from + <i32>ctz(mask);
      mask &= mask - 1;
      store<i32>(docs + (<usize>count << 2), base + slot);
      store<i32>(slots + (<usize>count << 2), slot);
      count++;
    }
  }
  memory.copy(touchedSlots(area), slots, <usize>count << 2);
  return count;
}

/**
 * Makes candidates, with no score yet, of accepted documents from `from` on, until they are many; returns how many. Where the next
 * ones are looked for is then `area.next`.
 */
export function listAccepted(area: Area, from: i32): i32 {
  const docCount = area.docCount;
  const docs = candidateDocs(area);
  const slots = candidateSlots(area);
  let count = 0;
  let base = from;
  // A word has 64 documents at most.
  for (; base < docCount && count <= CLAUSE_WINDOW - 64; base += 64) {
    let bits = load<u64>(area.accept + <usize>(base >> 3));
    // Bits behind the last document say nothing.
    if (docCount - base < 64) bits &= (<u64>1 << (<u64>(docCount - base))) - 1;
    while (bits != 0) {
      store<i32>(docs + (<usize>count << 2), base + <i32>ctz(bits));
      store<i32>(slots + (<usize>count << 2), count);
      bits &= bits - 1;
      count++;
    }
  }
  memory.copy(touchedSlots(area), slots, <usize>count << 2);
  area.next = base;
  return count;
}

/** Makes candidates of a block of a term, with its scores; their slots are their places in the block. */
export function readBlock(area: Area, term: Term, block: i32): i32 {
  term.block = block;
  decodeDocs(term, block);
  decodeFreqs(term);
  term.at = 0;
  const sums = clauseSums(area, term.clause);
  const counts = countsOf(area, term);
  const norms = term.norms;
  const own = docsOf(term);
  const docs = candidateDocs(area);
  const slots = candidateSlots(area);
  const count = term.count;
  for (let i = 0; i < count; i++) {
    const p = own + (<usize>i << 2);
    const doc = load<i32>(p);
    store<i32>(docs + (<usize>i << 2), doc);
    store<i32>(slots + (<usize>i << 2), i);
    add(sums, counts, i, scoreOf(term, load<u32>(p + TO_FREQ), <u32>load<u8>(norms + <usize>doc)));
  }
  memory.copy(touchedSlots(area), slots, <usize>count << 2);
  return count;
}

/** Adds the term's scores to the candidates that it has. Those that it does not have are dropped when it is mandatory. */
export function lookUp(area: Area, term: Term, count: i32): i32 {
  if (term.column != 0) return lookUpInColumn(area, term, count);
  const docs = candidateDocs(area);
  const slots = candidateSlots(area);
  const sums = clauseSums(area, term.clause);
  const counts = countsOf(area, term);
  const isMandatory = term.isMandatory != 0;
  const norms = term.norms;
  const own = docsOf(term);
  let kept = 0;
  let i = 0;
  while (i < count) {
    const block = skipTo(term, load<i32>(docs + (<usize>i << 2)));
    if (block >= term.blockCount) break;
    const last = lastDoc(term, block);
    const end = endOfBlock(docs, i, count, last);
    decodeDocs(term, block);
    const first = load<i32>(own);
    const isDense = end - i > DENSE && term.count == BLOCK && last - first < SPAN;
    const places = placesWindow(area) - <usize>first;
    if (isDense) layOut(places, own);
    let p = own + (<usize>term.at << 2);
    for (; i < end; i++) {
      const doc = load<i32>(docs + (<usize>i << 2));
      const slot = load<i32>(slots + (<usize>i << 2));
      let isThere: bool;
      if (isDense) {
        const place: u32 = doc < first ? 0 : <u32>load<u8>(places + <usize>doc);
        isThere = place != 0;
        p = own + (<usize>(place - 1) << 2);
      } else {
        p = findInBlock(own, p, doc);
        isThere = load<i32>(p) == doc;
      }
      if (isThere) {
        decodeFreqs(term);
        add(sums, counts, slot, scoreOf(term, load<u32>(p + TO_FREQ), <u32>load<u8>(norms + <usize>doc)));
      }
      store<i32>(docs + (<usize>kept << 2), doc);
      store<i32>(slots + (<usize>kept << 2), slot);
      kept += i32(isThere || !isMandatory);
    }
    if (isDense) memory.fill(placesWindow(area), 0, <usize>(last - first + 1));
    else term.at = <i32>((p - own) >> 2);
  }
  return isMandatory ? kept : keepBehind(area, kept, i, count);
}

/** Keeps the candidates from `from` on, which are behind the term's last document. */
function keepBehind(area: Area, kept: i32, from: i32, count: i32): i32 {
  if (kept != from) {
    const bytes = <usize>(count - from) << 2;
    memory.copy(candidateDocs(area) + (<usize>kept << 2), candidateDocs(area) + (<usize>from << 2), bytes);
    memory.copy(candidateSlots(area) + (<usize>kept << 2), candidateSlots(area) + (<usize>from << 2), bytes);
  }
  return kept + count - from;
}

/** Does what `lookUp` does, without decoding anything. */
function lookUpInColumn(area: Area, term: Term, count: i32): i32 {
  const docs = candidateDocs(area);
  const slots = candidateSlots(area);
  const sums = clauseSums(area, term.clause);
  const counts = countsOf(area, term);
  const isMandatory = term.isMandatory != 0;
  const column = term.column;
  const norms = term.norms;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const doc = load<i32>(docs + (<usize>i << 2));
    const slot = load<i32>(slots + (<usize>i << 2));
    const held = <u32>load<u8>(column + <usize>doc);
    if (held != 0) {
      const freq = held == COLUMN_FULL ? freqAt(term, doc) : held - 1;
      add(sums, counts, slot, scoreOf(term, freq, <u32>load<u8>(norms + <usize>doc)));
    }
    store<i32>(docs + (<usize>kept << 2), doc);
    store<i32>(slots + (<usize>kept << 2), slot);
    kept += i32(held != 0 || !isMandatory);
  }
  return kept;
}
