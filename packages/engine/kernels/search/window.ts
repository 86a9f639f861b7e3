/**
 * A window of documents whose scores are summed term by term, in double precision: exact in any order of the terms for all
 * that float32 can tell.
 */
import {
  Area,
  candidateDocs,
  candidateScores,
  maximum,
  ordered,
  setMaximum,
  setOrdered,
  spill,
  windowSums,
} from './area.ts';
import { blockBound, bm25, TABLE_FREQ_BITS, tableScore } from './score.ts';
import { decodeDocs, decodeFreqs, docsOf, lastDoc, skipTo, Term, TO_FREQ } from './term.ts';

/** Adds the term's scores for documents in [base, end). */
export function accumulate(area: Area, term: Term, base: i32, end: i32): void {
  let block = skipTo(term, base);
  const blockCount = term.blockCount;
  const sums = windowSums(area) - (<usize>base << 3);
  const table = term.table;
  const weight = term.weight;
  const inverses = term.inverses;
  const norms = term.norms;
  const first = docsOf(term);
  while (block < blockCount) {
    decodeDocs(term, block);
    decodeFreqs(term);
    const last = first + (<usize>term.count << 2);
    let p = first + (<usize>term.at << 2);
    while (p < last && load<i32>(p) < base) p += 4;
    // Blocks that end in the window need no look at its end.
    let stop = last;
    if (lastDoc(term, block) >= end) {
      stop = p;
      while (load<i32>(stop) < end) stop += 4;
    }
    if (table != 0 && term.freqBits <= TABLE_FREQ_BITS) {
      while (p < stop) {
        const doc = <usize>load<i32>(p);
        const sum = sums + (doc << 3);
        store<f64>(sum, load<f64>(sum) + <f64>tableScore(table, load<u32>(p + TO_FREQ), load<u8>(norms + doc)));
        p += 4;
      }
    } else {
      while (p < stop) {
        const doc = <usize>load<i32>(p);
        const sum = sums + (doc << 3);
        store<f64>(sum, load<f64>(sum) + <f64>bm25(weight, inverses, load<u32>(p + TO_FREQ), load<u8>(norms + doc)));
        p += 4;
      }
    }
    if (p < last) {
      term.at = <i32>((p - first) >> 2);
      break;
    }
    const wasLast = lastDoc(term, block) >= end - 1;
    block++;
    term.block = block;
    term.at = 0;
    if (wasLast) break;
  }
}

/** Makes candidates of the documents above `cut` among the first `size` of the window, and clears those. */
export function collect(area: Area, base: i32, size: i32, cut: f64): i32 {
  const sums = windowSums(area);
  // Eight at a time: what is behind the window's end is clear anyway.
  const end = sums + (<usize>((size + 7) & ~7) << 3);
  const docs = candidateDocs(area);
  const scores = candidateScores(area);
  const spilled = spill(area);
  const cuts = f64x2.splat(cut);
  const zeros = f64x2.splat(0);
  let count = 0;
  for (let p = sums; p < end; p += 64) {
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    const d = v128.load(p, 48);
    const aboveA = f64x2.gt(a, cuts);
    const aboveB = f64x2.gt(b, cuts);
    const aboveC = f64x2.gt(c, cuts);
    const aboveD = f64x2.gt(d, cuts);
    v128.store(p, zeros);
    v128.store(p, zeros, 16);
    v128.store(p, zeros, 32);
    v128.store(p, zeros, 48);
    if (!v128.any_true(v128.or(v128.or(aboveA, aboveB), v128.or(aboveC, aboveD)))) continue;
    v128.store(spilled, a);
    v128.store(spilled, b, 16);
    v128.store(spilled, c, 32);
    v128.store(spilled, d, 48);
    let mask: u32 =
      i64x2.bitmask(aboveA) | (i64x2.bitmask(aboveB) << 2) | (i64x2.bitmask(aboveC) << 4) | (i64x2.bitmask(aboveD) << 6);
    const doc = base + <i32>((p - sums) >> 3);
    while (mask != 0) {
      const j = ctz(mask);
      mask &= mask - 1;
      store<i32>(docs + (<usize>count << 2), doc + <i32>j);
      store<f64>(scores + (<usize>count << 3), load<f64>(spilled + (<usize>j << 3)));
      count++;
    }
  }
  return count;
}

/** Bound of the term's scores in [base, end). */
export function windowBound(term: Term, base: i32, end: i32): f64 {
  let block = skipTo(term, base);
  const blockCount = term.blockCount;
  const weight = term.weight;
  let most: f64 = 0;
  while (block < blockCount) {
    // A block that starts behind the window is one too many, which only costs tightness.
    most = max(most, blockBound(term, block, weight));
    if (lastDoc(term, block) >= end - 1) break;
    block++;
  }
  return most;
}

/** Orders the terms by their bounds in [base, end), lowest first. */
export function orderByBound(area: Area, base: i32, end: i32): void {
  const termCount = area.termCount;
  for (let i = 0; i < termCount; i++) {
    const term = ordered(area, i);
    const bound = windowBound(term, base, end);
    let j = i;
    while (j > 0 && maximum(area, j - 1) > bound) {
      setOrdered(area, j, ordered(area, j - 1));
      setMaximum(area, j, maximum(area, j - 1));
      j--;
    }
    setOrdered(area, j, term);
    setMaximum(area, j, bound);
  }
}
