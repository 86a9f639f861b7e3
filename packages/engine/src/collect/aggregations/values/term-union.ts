/**
 * Numbers for the distinct terms of a field over several segments, built segment by segment: the terms of the first keep their
 * ordinals, and what a later segment adds gets the next numbers.
 *
 * A term is compared with those of all segments before at once, since their numbers are kept in the order of their terms. What
 * is built is cached with the first segment: a refresh that adds a segment adds one level.
 */
import { assert, type StepMeter, type Steps } from '@shoal/core';
import { GrowableU32 } from '../../../bytes/growable-arrays.ts';
import type { OrdinalColumn, SegmentReader } from '../../../format/reader/segment-reader.ts';
import { type SortedTerms, termStart } from '../../../format/reader/term-prefixes.ts';
import type { TermUnion, UnionLevel } from '../../../memory/union-cache.ts';

/** Shorter runs are copied faster one by one. */
const COPIED_RUN_MIN = 32;
/** Microseconds to place a term, about. */
const PLACE_UNITS = 0.25;

/** Terms of a field in segments, in the order of a union's levels; a union may have fewer levels than there are segments. */
export interface SegmentTerms {
  readonly field: string;
  readonly segments: readonly SegmentReader[];
}

const NO_TERMS: SortedTerms = { termLength: 1, termStarts: new Uint32Array(0), termBytes: new Uint8Array(0) };

/** null: the segment has none. */
function columnAt({ segments, field }: SegmentTerms, at: number): OrdinalColumn | null {
  return segments[at]?.ordinalColumn(field) ?? null;
}

/** Terms of the segment at a position. */
export function termCountAt(terms: SegmentTerms, at: number): number {
  return columnAt(terms, at)?.valueCount ?? 0;
}

/** The union of the first segment: its ordinals are the numbers. */
export function unionOfFirst(terms: SegmentTerms): TermUnion {
  const segment = terms.segments[0]?.name ?? '';
  const level = { segment, first: 0, size: termCountAt(terms, 0), numbers: null, added: null };
  return { levels: [level], order: null, bytes: 0 };
}

/** Bytes that a union takes when `more` terms follow, at most. */
export function bytesWith(union: TermUnion, more: number): number {
  return union.bytes + (sizeOf(union) + 3 * more) * Uint32Array.BYTES_PER_ELEMENT;
}

/** Terms that have a number. */
export function sizeOf({ levels }: TermUnion): number {
  return levels.at(-1)?.size ?? 0;
}

/** Leading levels that are those of `segments`. */
export function levelsShared({ levels }: TermUnion, { segments }: SegmentTerms): number {
  let count = 0;
  while (count < levels.length && levels[count]?.segment === segments[count]?.name) count++;
  return count;
}

/** The first `count` levels of a union. */
export function leadingLevels(union: TermUnion, count: number): TermUnion {
  assert(count > 0 && count <= union.levels.length, `${count} of ${union.levels.length} levels`);
  if (count === union.levels.length) return union;
  const levels = union.levels.slice(0, count);
  const size = levels.at(-1)?.size ?? 0;
  const order = count === 1 ? null : (union.order as Uint32Array).filter((number) => number < size);
  assert(order === null || order.length === size, `${order?.length} of ${size} terms are in order`);
  return withBytes(levels, order);
}

/** The union with the level of the next segment. */
export function* withNextSegment(union: TermUnion, all: SegmentTerms, meter: StepMeter): Steps<TermUnion> {
  const at = union.levels.length;
  const first = sizeOf(union);
  const count = termCountAt(all, at);
  const numbers = new Uint32Array(count);
  const added = new GrowableU32();
  const order = new Uint32Array(first + count);
  let terms = new OrderedTerms(union, all);
  let own = columnAt(all, at)?.sorted() ?? NO_TERMS;
  let from = 0;
  let length = 0;
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const to = terms.ceiling(own, ordinal, from);
    terms.copyNumbers(from, to, order, length);
    length += to - from;
    from = to;
    if (terms.isFound) numbers[ordinal] = terms.number(to);
    else {
      numbers[ordinal] = order[length++] = first + added.length;
      added.push(ordinal);
    }
    if (!meter.isDue(PLACE_UNITS)) continue;
    yield;
    // Views of dictionaries are only good for one turn.
    terms = new OrderedTerms(union, all);
    own = columnAt(all, at)?.sorted() ?? NO_TERMS;
  }
  terms.copyNumbers(from, first, order, length);
  const size = first + added.length;
  assert(length + first - from === size, `${length + first - from} of ${size} terms are in order`);
  const segment = all.segments[at]?.name ?? '';
  const level = { segment, first, size, numbers, added: added.values.slice(0, added.length) };
  return withBytes([...union.levels, level], order.slice(0, size));
}

function withBytes(levels: readonly UnionLevel[], order: Uint32Array | null): TermUnion {
  let bytes = order?.byteLength ?? 0;
  for (const { numbers, added } of levels) bytes += (numbers?.byteLength ?? 0) + (added?.byteLength ?? 0);
  return { levels, order, bytes };
}

/** Number of a term by binary search in each level; -1 when none has it. */
export function numberOfTerm({ levels }: TermUnion, all: SegmentTerms, term: Uint8Array): number {
  for (const [at, { first, size, added }] of levels.entries()) {
    const column = columnAt(all, at);
    if (column === null) continue;
    let low = first;
    let high = size - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const compared = Buffer.compare(column.value(ordinalAt(added, middle - first)), term);
      if (compared === 0) return middle;
      if (compared < 0) low = middle + 1;
      else high = middle - 1;
    }
  }
  return -1;
}

/** The term of a number. A view: valid until the next call. */
export function termOfNumber({ levels }: TermUnion, all: SegmentTerms, number: number): Uint8Array {
  const at = levelOf(levels, number);
  const { first, added } = levels[at] as UnionLevel;
  const column = columnAt(all, at);
  assert(column !== null, `number ${number} is of a segment without terms`);
  return column.value(ordinalAt(added, number - first));
}

function ordinalAt(added: Uint32Array | null, index: number): number {
  return added === null ? index : (added[index] as number);
}

/** Position of the level that gave a number. */
function levelOf(levels: readonly UnionLevel[], number: number): number {
  let low = 0;
  let high = levels.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((levels[middle] as UnionLevel).first <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The terms of a union by their order, as they stand in memory in this turn of the thread. */
class OrderedTerms {
  /** The last `ceiling` is the term that was sought. */
  isFound = false;
  private readonly union: TermUnion;
  private readonly size: number;
  private readonly sorted: readonly SortedTerms[];

  constructor(union: TermUnion, all: SegmentTerms) {
    this.union = union;
    this.size = sizeOf(union);
    this.sorted = union.levels.map((_, at) => columnAt(all, at)?.sorted() ?? NO_TERMS);
  }

  number(position: number): number {
    return this.union.order === null ? position : (this.union.order[position] as number);
  }

  copyNumbers(from: number, to: number, into: Uint32Array, at: number): void {
    const { order } = this.union;
    if (order !== null && to - from >= COPIED_RUN_MIN) into.set(order.subarray(from, to), at);
    else for (let position = from; position < to; position++) into[at++] = this.number(position);
  }

  /** First position from `from` on whose term is not below that of `ordinal` in `own`. */
  ceiling(own: SortedTerms, ordinal: number, from: number): number {
    this.isFound = false;
    let low = from;
    let high = this.size;
    // Terms follow each other closely: ever longer steps from the last one.
    for (let step = 1; low < this.size; step *= 2) {
      const at = Math.min(low + step, this.size) - 1;
      const compared = this.compare(at, own, ordinal);
      if (compared >= 0) {
        high = at;
        this.isFound = compared === 0;
        break;
      }
      low = at + 1;
    }
    while (low < high) {
      const middle = (low + high) >>> 1;
      const compared = this.compare(middle, own, ordinal);
      if (compared < 0) low = middle + 1;
      else {
        high = middle;
        this.isFound = compared === 0;
      }
    }
    return low;
  }

  private compare(position: number, own: SortedTerms, ordinal: number): number {
    const number = this.number(position);
    const { levels } = this.union;
    const at = levelOf(levels, number);
    const { first, added } = levels[at] as UnionLevel;
    return compareTerms(this.sorted[at] as SortedTerms, ordinalAt(added, number - first), own, ordinal);
  }
}

function compareTerms(a: SortedTerms, ordinalA: number, b: SortedTerms, ordinalB: number): number {
  const startA = termStart(a, ordinalA);
  const startB = termStart(b, ordinalB);
  const lengthA = termStart(a, ordinalA + 1) - startA;
  const lengthB = termStart(b, ordinalB + 1) - startB;
  const shared = Math.min(lengthA, lengthB);
  for (let i = 0; i < shared; i++) {
    const difference = (a.termBytes[startA + i] as number) - (b.termBytes[startB + i] as number);
    if (difference !== 0) return difference;
  }
  return lengthA - lengthB;
}
