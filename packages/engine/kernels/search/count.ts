/**
 * How many documents match any, all or some number of several terms.
 *
 * Dense terms are marked in a window of bytes, which is read sixteen at a time; rare ones are looked up block by block.
 */
import { Area, candidateDocs, COUNT_WINDOW, countsWindow, isAccepted, ordered } from './area.ts';
import { keepCommon } from './candidates.ts';
import { decodeDocs, docsOf, lastDoc, skipTo, Term } from './term.ts';

/** Works through up to `budget` windows; true when the segment is done. `needed`: terms that a document must have at least. */
export function countWindows(area: Area, needed: i32, budget: i32): bool {
  const docCount = area.docCount;
  let base = area.next;
  for (let done = 0; done < budget && base < docCount; done++) {
    const end = min(base + COUNT_WINDOW, docCount);
    for (let i = 0; i < area.termCount; i++) mark(area, ordered(area, i), base, end, needed > 1);
    area.hits += countMarks(area, base, end, needed);
    base += COUNT_WINDOW;
  }
  area.next = base;
  return base >= docCount;
}

/** Does what `mark` does, sixteen documents at a time. What the column holds behind its last document is clear. */
function markColumn(area: Area, column: usize, base: i32, end: i32, adds: bool): void {
  const zeros = i8x16.splat(0);
  const ones = i8x16.splat(1);
  const start = countsWindow(area);
  const stop = start + <usize>((end - base + 15) & ~15);
  let from = column + <usize>base;
  for (let p = start; p < stop; p += 16) {
    const held = v128.and(i8x16.ne(v128.load(from), zeros), ones);
    const marks = v128.load(p);
    v128.store(p, adds ? i8x16.add(marks, held) : v128.or(marks, held));
    from += 16;
  }
}

/** Adds one to the bytes of the term's documents; when it is enough that one term matches, sets them. */
export function mark(area: Area, term: Term, base: i32, end: i32, adds: bool): void {
  if (term.column != 0) {
    markColumn(area, term.column, base, end, adds);
    return;
  }
  let block = skipTo(term, base);
  const blockCount = term.blockCount;
  const marks = countsWindow(area) - <usize>base;
  const first = docsOf(term);
  while (block < blockCount) {
    decodeDocs(term, block);
    const last = first + (<usize>term.count << 2);
    let p = first + (<usize>term.at << 2);
    while (p < last && load<i32>(p) < base) p += 4;
    let stop = last;
    if (lastDoc(term, block) >= end) {
      stop = p;
      while (load<i32>(stop) < end) stop += 4;
    }
    if (adds) {
      while (p < stop) {
        const mark = marks + <usize>load<i32>(p);
        store<u8>(mark, load<u8>(mark) + 1);
        p += 4;
      }
    } else {
      while (p < stop) {
        store<u8>(marks + <usize>load<i32>(p), 1);
        p += 4;
      }
    }
    if (p < last) {
      term.at = <i32>((p - first) >> 2);
      break;
    }
    block++;
    term.block = block;
    term.at = 0;
  }
}

function countMarks(area: Area, base: i32, end: i32, needed: i32): i32 {
  // No document has more than one mark where one is enough, nor more than there are terms.
  if (needed == 1 || needed == area.termCount) return countMarksBy(area, base, end, needed, true);
  return countMarksBy(area, base, end, needed, false);
}

/** `isExact`: documents with just as many marks as are needed are counted, which is faster; else those with more too. */
@inline
function countMarksBy(area: Area, base: i32, end: i32, needed: i32, isExact: bool): i32 {
  const start = countsWindow(area);
  const stop = start + <usize>((end - base + 15) & ~15);
  const wanted = i8x16.splat(<i8>needed);
  const zeros = i8x16.splat(0);
  const accept = area.accept;
  // A window starts at a multiple of sixteen documents: so do the bits beside it.
  let bits = accept + <usize>(base >> 3);
  let count = 0;
  for (let p = start; p < stop; p += 16) {
    const marks = v128.load(p);
    let mask = <u32>i8x16.bitmask(isExact ? i8x16.eq(marks, wanted) : i8x16.ge_s(marks, wanted));
    v128.store(p, zeros);
    if (accept != 0) {
      mask &= load<u16>(bits);
      bits += 2;
    }
    count += popcnt(mask);
  }
  return count;
}

/** Documents that all terms have, by blocks of the rarest, which is the first; true when the segment is done. */
export function countCommon(area: Area, budget: i32): bool {
  const lead = ordered(area, 0);
  const stop = min(area.next + budget, lead.blockCount);
  const docs = candidateDocs(area);
  const accept = area.accept;
  let block = area.next;
  for (; block < stop; block++) {
    decodeDocs(lead, block);
    let count = lead.count;
    memory.copy(docs, docsOf(lead), <usize>count << 2);
    for (let i = 1; i < area.termCount && count > 0; i++) count = keepCommon(area, ordered(area, i), count);
    if (accept == 0) area.hits += count;
    else {
      for (let i = 0; i < count; i++) area.hits += i32(isAccepted(accept, load<i32>(docs + (<usize>i << 2))));
    }
  }
  area.next = block;
  return block >= lead.blockCount;
}
