/**
 * Spans as Lucene enumerates them: which ranges are found, and how often one counts, decides scores.
 *
 * `gaps` of a range is its width for the score: what lies between its parts when they are ordered, its whole length when
 * they are not.
 */
import { assert } from '@shoal/core';
import type { DocIterator } from '../weight/doc-iterator.ts';
import { docsOfAll, docsOfAny, Part, type PositionNode, partsOf, rangesAt } from './position-node.ts';
import type { PositionRanges } from './position-ranges.ts';

/** A place of an ordered `near`: a node, or so many positions of anything. */
export type NearPosition = PositionNode | { readonly width: number };

/** Clauses one behind the other, with at most `slop` positions between them, all together. */
export class OrderedNear implements PositionNode {
  readonly docs: DocIterator;
  private readonly places: readonly (Part | number)[];
  private readonly slop: number;
  private readonly next: Uint32Array;

  /** The first place is a node. */
  constructor(places: readonly NearPosition[], slop: number) {
    this.docs = docsOfAll(places.filter((place) => 'docs' in place));
    this.places = places.map((place) => ('docs' in place ? new Part(place) : place.width));
    this.slop = slop;
    this.next = new Uint32Array(places.length);
  }

  read(into: PositionRanges): void {
    const { places, slop, next } = this;
    for (const place of places) if (place instanceof Part) place.read();
    next.fill(0);
    const [lead] = places;
    if (!(lead instanceof Part)) return;
    for (let i = 0; i < lead.list.count; i++) {
      let end = lead.list.end(i);
      let gaps = 0;
      for (let p = 1; p < places.length; p++) {
        const place = places[p] as Part | number;
        if (typeof place === 'number') {
          end += place;
          continue;
        }
        const { list } = place;
        let at = next[p] as number;
        while (at < list.count && list.start(at) < end) at++;
        next[p] = at;
        if (at === list.count) return;
        gaps += list.start(at) - end;
        end = list.end(at);
      }
      if (gaps <= slop) into.add(lead.list.start(i), end, gaps);
    }
  }
}

/** Clauses in any order, with at most `slop` positions that are of none. */
export class UnorderedNear implements PositionNode {
  readonly docs: DocIterator;
  private readonly parts: readonly Part[];
  private readonly slop: number;
  private readonly queue: ClauseQueue;

  constructor(nodes: readonly PositionNode[], slop: number) {
    this.docs = docsOfAll(nodes);
    this.parts = partsOf(nodes);
    this.slop = slop;
    this.queue = new ClauseQueue(this.parts);
  }

  read(into: PositionRanges): void {
    const { parts, slop, queue } = this;
    let end = 0;
    let inside = 0;
    for (const part of parts) {
      const list = part.read();
      if (list.count === 0) return;
      end = Math.max(end, list.end(0));
      inside += list.end(0) - list.start(0);
    }
    queue.fill();
    for (;;) {
      const { list } = parts[queue.top] as Part;
      const i = queue.at[queue.top] as number;
      const start = list.start(i);
      if (end - start - inside <= slop) into.add(start, end, end - start);
      if (i + 1 === list.count) return;
      inside += list.end(i + 1) - list.start(i + 1) - (list.end(i) - start);
      end = Math.max(end, list.end(i + 1));
      queue.moveTop();
    }
  }
}

/** Clauses by where they stand, the one furthest behind on top: a heap whose ties fall as they do in Lucene's. */
class ClauseQueue {
  /** Range at which each clause stands. */
  readonly at: Uint32Array;
  private readonly parts: readonly Part[];
  /** Clauses as a heap from index 1 on. */
  private readonly heap: Uint32Array;

  constructor(parts: readonly Part[]) {
    assert(parts.length > 0, `a queue of ${parts.length} clauses`);
    this.parts = parts;
    this.at = new Uint32Array(parts.length);
    this.heap = new Uint32Array(parts.length + 1);
  }

  get top(): number {
    return this.heap[1] as number;
  }

  fill(): void {
    const { heap } = this;
    this.at.fill(0);
    for (let p = 0; p < this.parts.length; p++) {
      let i = p + 1;
      for (; i > 1 && this.isBefore(p, heap[i >> 1] as number); i >>= 1) heap[i] = heap[i >> 1] as number;
      heap[i] = p;
    }
  }

  /** The clause on top goes on to its next range. */
  moveTop(): void {
    const { heap, parts } = this;
    const moved = this.top;
    this.at[moved] = (this.at[moved] as number) + 1;
    let i = 1;
    for (;;) {
      let child = i * 2;
      if (child > parts.length) break;
      if (child < parts.length && this.isBefore(heap[child + 1] as number, heap[child] as number)) child++;
      if (!this.isBefore(heap[child] as number, moved)) break;
      heap[i] = heap[child] as number;
      i = child;
    }
    heap[i] = moved;
  }

  private isBefore(p: number, q: number): boolean {
    const [a, b] = [(this.parts[p] as Part).list, (this.parts[q] as Part).list];
    const [i, j] = [this.at[p] as number, this.at[q] as number];
    return a.start(i) < b.start(j) || (a.start(i) === b.start(j) && a.end(i) < b.end(j));
  }
}

/** Every range of any clause, equal ones as often as they are found. */
export class AnySpan implements PositionNode {
  readonly docs: DocIterator;
  private readonly parts: readonly Part[];

  constructor(nodes: readonly PositionNode[]) {
    this.docs = docsOfAny(nodes);
    this.parts = partsOf(nodes);
  }

  read(into: PositionRanges): void {
    const { found, partCount } = rangesAt(this.parts, this.docs.doc);
    if (partCount > 1) {
      found.sort((a, b) => a.list.start(a.i) - b.list.start(b.i) || a.list.end(a.i) - b.list.end(b.i));
    }
    for (const { list, i } of found) into.addFrom(list, i);
  }
}

/** Ranges of `include` that no range of `exclude` overlaps or comes too near to. */
export class SpanExclusion implements PositionNode {
  readonly docs: DocIterator;
  private readonly include: Part;
  private readonly exclude: Part;
  private readonly pre: number;
  private readonly post: number;

  constructor(include: PositionNode, exclude: PositionNode, distance: { readonly pre: number; readonly post: number }) {
    this.docs = include.docs;
    this.include = new Part(include);
    this.exclude = new Part(exclude);
    this.pre = distance.pre;
    this.post = distance.post;
  }

  read(into: PositionRanges): void {
    const kept = this.include.read();
    const excluded = this.exclude.readAt(this.docs.doc);
    let at = 0;
    for (let i = 0; i < kept.count; i++) {
      while (at < excluded.count && excluded.end(at) <= kept.start(i) - this.pre) at++;
      if (at === excluded.count || excluded.start(at) - this.post >= kept.end(i)) into.addFrom(kept, i);
    }
  }
}

/** Ranges that end at or before a position. */
export class SpanBeginning implements PositionNode {
  readonly docs: DocIterator;
  private readonly part: Part;
  private readonly end: number;

  constructor(node: PositionNode, end: number) {
    this.docs = node.docs;
    this.part = new Part(node);
    this.end = end;
  }

  read(into: PositionRanges): void {
    const list = this.part.read();
    for (let i = 0; i < list.count && list.start(i) < this.end; i++) {
      if (list.end(i) <= this.end) into.addFrom(list, i);
    }
  }
}

/** Big ranges that hold a little one, or little ones that a big one holds. */
export class SpanNesting implements PositionNode {
  readonly docs: DocIterator;
  private readonly big: Part;
  private readonly little: Part;
  private readonly takesBig: boolean;

  constructor(big: PositionNode, little: PositionNode, takesBig: boolean) {
    this.docs = docsOfAll([big, little]);
    this.big = new Part(big);
    this.little = new Part(little);
    this.takesBig = takesBig;
  }

  read(into: PositionRanges): void {
    const big = this.big.read();
    const little = this.little.read();
    let at = 0;
    if (this.takesBig) {
      for (let i = 0; i < big.count; i++) {
        while (at < little.count && little.start(at) < big.start(i)) at++;
        if (at === little.count) return;
        if (big.end(i) >= little.end(at)) into.addFrom(big, i);
      }
      return;
    }
    for (let i = 0; i < little.count; i++) {
      while (at < big.count && big.end(at) < little.end(i)) at++;
      if (at === big.count) return;
      if (big.start(at) <= little.start(i)) into.addFrom(little, i);
    }
  }
}
