/**
 * Entries that can stand at a stretch of an order, told by their first key alone: the few that are left are then sorted.
 *
 * Keys are counted by which of many equal ranges they fall into, so that most entries are looked at twice and never again.
 */
import { assert } from '@shoal/core';
import type { KeyColumn } from './order-words.ts';
import { bucketStretch, type Steps } from './radix-order.ts';

const RANGES = 65_536;
/** Two more for infinite keys. */
const BUCKETS = RANGES + 2;
/** Leaves the sign of 32 bits. */
const SIGN_SHIFT = 31;
/** So few entries are sorted at once. */
const ENTRIES_MIN = 4_096;
/** Not worth a copy when more of them are left than this share. */
const LEFT_MAX = 0.5;

export interface PageCandidates {
  /** In the order given. */
  readonly entries: Uint32Array;
  /** Entries that come before all of them. */
  readonly skipped: number;
}

/** null where the key hardly tells the entries apart. `from < to <= keys.length`. */
export function* pageCandidates(
  keys: KeyColumn,
  isDescending: boolean,
  from: number,
  to: number,
): Steps<PageCandidates | null> {
  if (keys.length < ENTRIES_MIN) return null;
  assert(from < to && to <= keys.length, `entries ${from}..${to} of ${keys.length}`);
  const place = placesOf(keys);
  yield;
  if (place === null) return null;
  const counts = countPlaces(keys, place);
  yield;
  const stretch = bucketStretch(isDescending ? counts.reverse() : counts, from, to);
  if (stretch.kept > keys.length * LEFT_MAX) return null;
  const [first, last] = isDescending
    ? [BUCKETS - 1 - stretch.last, BUCKETS - 1 - stretch.first]
    : [stretch.first, stretch.last];
  return { entries: entriesIn(keys, place, { first, last, kept: stretch.kept }), skipped: stretch.before };
}

interface Places {
  readonly lowest: number;
  readonly scale: number;
}

/** null when no two finite keys differ by anything that can be told. */
function placesOf(keys: KeyColumn): Places | null {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as number;
    if (key === Number.POSITIVE_INFINITY || key === Number.NEGATIVE_INFINITY) continue;
    if (key < lowest) lowest = key;
    if (key > highest) highest = key;
  }
  const scale = (RANGES - 1) / (highest - lowest);
  return scale > 0 && Number.isFinite(scale) ? { lowest, scale } : null;
}

/** Never descends while keys ascend: each of its operations does not. */
function placeOf(key: number, lowest: number, scale: number): number {
  const place = (key - lowest) * scale + 1;
  return place < 1 ? 0 : place >= RANGES + 1 ? RANGES + 1 : place | 0;
}

function countPlaces(keys: KeyColumn, { lowest, scale }: Places): Uint32Array {
  const counts = new Uint32Array(BUCKETS);
  for (let i = 0; i < keys.length; i++) {
    const at = placeOf(keys[i] as number, lowest, scale);
    counts[at] = (counts[at] as number) + 1;
  }
  return counts;
}

function entriesIn(
  keys: KeyColumn,
  { lowest, scale }: Places,
  { first, last, kept }: { readonly first: number; readonly last: number; readonly kept: number },
): Uint32Array {
  const entries = new Uint32Array(kept + 1);
  let length = 0;
  for (let i = 0; i < keys.length; i++) {
    const at = placeOf(keys[i] as number, lowest, scale);
    // Written in any case and counted when good: a branch here would be guessed wrong too often.
    entries[length] = i;
    length += 1 ^ (((at - first) | (last - at)) >>> SIGN_SHIFT);
  }
  assert(length === kept, `${length} entries in ranges that hold ${kept}`);
  return entries.subarray(0, kept);
}
