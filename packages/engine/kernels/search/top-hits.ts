/**
 * The best hits of a query over all its segments: a heap of 64-bit keys, the worst kept one on top.
 *
 * A key is the score's bits above the complement of the document, so that a higher key is a better hit: scores are never
 * negative, and of equal scores the lower document wins.
 */
import { Area, candidateDocs, candidateScores } from './area.ts';

@inline
function keyAt(heap: usize, index: i32): usize {
  return heap + (<usize>index << 3);
}

/** All hits were counted that are wanted: those that cannot enter need not be seen. */
@inline
export function mayPrune(area: Area): bool {
  return area.hits > area.hitsWanted && area.heapSize == area.heapCapacity;
}

function push(area: Area, doc: i32, score: f32): void {
  const heap = area.heap;
  const key = (<u64>reinterpret<u32>(score) << 32) | <u64>~(<u32>doc + area.docBase);
  let size = area.heapSize;
  if (size < area.heapCapacity) {
    let i = size++;
    area.heapSize = size;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = load<u64>(keyAt(heap, parent));
      if (above <= key) break;
      store<u64>(keyAt(heap, i), above);
      i = parent;
    }
    store<u64>(keyAt(heap, i), key);
    if (size < area.heapCapacity) return;
  } else {
    if (key <= load<u64>(heap)) return;
    sink(heap, size, key);
  }
  area.threshold = <f64>reinterpret<f32>(<u32>(load<u64>(heap) >> 32));
}

/** Orders the keys, best first: the heap is none afterwards. */
export function sortHits(area: Area): void {
  const heap = area.heap;
  for (let size = area.heapSize - 1; size > 0; size--) {
    // The worst goes behind all others, whose last one sinks from the top.
    const key = load<u64>(keyAt(heap, size));
    store<u64>(keyAt(heap, size), load<u64>(heap));
    sink(heap, size, key);
  }
}

/** Puts a key on top of the first `size` and lets it sink to its place. */
@inline
function sink(heap: usize, size: i32, key: u64): void {
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= size) break;
    let below = load<u64>(keyAt(heap, child));
    if (child + 1 < size) {
      const other = load<u64>(keyAt(heap, child + 1));
      if (other < below) {
        below = other;
        child++;
      }
    }
    if (below >= key) break;
    store<u64>(keyAt(heap, i), below);
    i = child;
  }
  store<u64>(keyAt(heap, i), key);
}

@inline
export function offer(area: Area, doc: i32, sum: f64): void {
  const score = <f32>sum;
  if (score > area.maxScore) area.maxScore = score;
  if (sum <= area.threshold || score > area.below) return;
  if (score == area.below && <u32>doc + area.docBase <= area.belowOrd) return;
  push(area, doc, score);
}

/** Offers the first `count` candidates. */
export function offerCandidates(area: Area, count: i32): void {
  const docs = candidateDocs(area);
  const scores = candidateScores(area);
  for (let i = 0; i < count; i++) {
    offer(area, load<i32>(docs + (<usize>i << 2)), load<f64>(scores + (<usize>i << 3)));
  }
}
