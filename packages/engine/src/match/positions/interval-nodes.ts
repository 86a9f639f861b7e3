/**
 * Intervals: of everything that matches in a document the shortest ranges, none of which holds another.
 *
 * `gaps` of a range are its positions that belong to none of its parts.
 *
 * @see Clarke, Cormack & Burkowski, "An Algebra for Structured Text Search" (1995)
 */
import { assert } from '@shoal/core';
import type { DocIterator } from '../weight/doc-iterator.ts';
import { docsOfAll, docsOfAny, Part, type PositionNode, partsOf, rangesAt } from './position-node.ts';
import type { PositionRanges } from './position-ranges.ts';

/** The shortest ranges of any source. */
export class AnyInterval implements PositionNode {
  readonly docs: DocIterator;
  private readonly parts: readonly Part[];

  constructor(nodes: readonly PositionNode[]) {
    this.docs = docsOfAny(nodes);
    this.parts = partsOf(nodes);
  }

  read(into: PositionRanges): void {
    const { found } = rangesAt(this.parts, this.docs.doc);
    // Among equal ends the shortest comes first: a later one is kept when it begins later than all before.
    found.sort((a, b) => a.list.end(a.i) - b.list.end(b.i) || b.list.start(b.i) - a.list.start(a.i));
    let last = -1;
    for (const { list, i } of found) {
      if (list.start(i) <= last) continue;
      last = list.start(i);
      into.addFrom(list, i);
    }
  }
}

/** Sources one behind the other. */
export class OrderedIntervals implements PositionNode {
  readonly docs: DocIterator;
  private readonly parts: readonly Part[];
  /** No positions between the sources. */
  private readonly isBlock: boolean;
  private readonly next: Uint32Array;

  constructor(nodes: readonly PositionNode[], isBlock: boolean) {
    assert(nodes.length > 0, `a sequence of ${nodes.length} sources`);
    this.docs = docsOfAll(nodes);
    this.parts = partsOf(nodes);
    this.isBlock = isBlock;
    this.next = new Uint32Array(nodes.length);
  }

  read(into: PositionRanges): void {
    const { parts, next } = this;
    for (const part of parts) part.read();
    next.fill(0);
    const lead = (parts[0] as Part).list;
    for (let i = 0; i < lead.count; i++) {
      const start = lead.start(i);
      let end = lead.end(i);
      let gaps = gapsInside(parts[0] as Part, i);
      for (let p = 1; p < parts.length; p++) {
        const part = parts[p] as Part;
        const { list } = part;
        let at = next[p] as number;
        while (at < list.count && list.start(at) < end) at++;
        next[p] = at;
        if (at === list.count) return;
        gaps += list.start(at) - end + gapsInside(part, at);
        end = list.end(at);
      }
      if (this.isBlock && gaps > 0) continue;
      // The same end from a later start is shorter.
      if (into.count > 0 && into.end(into.count - 1) === end) into.drop();
      into.add(start, end, gaps);
    }
  }
}

/** Sources in any order; they may overlap. */
export class UnorderedIntervals implements PositionNode {
  readonly docs: DocIterator;
  private readonly parts: readonly Part[];
  private readonly at: Uint32Array;

  constructor(nodes: readonly PositionNode[]) {
    this.docs = docsOfAll(nodes);
    this.parts = partsOf(nodes);
    this.at = new Uint32Array(nodes.length);
  }

  read(into: PositionRanges): void {
    const { parts, at } = this;
    at.fill(0);
    let end = 0;
    for (const part of parts) {
      const list = part.read();
      if (list.count === 0) return;
      end = Math.max(end, list.end(0));
    }
    for (;;) {
      const behind = this.behind();
      const { list } = parts[behind] as Part;
      const i = at[behind] as number;
      const start = list.start(i);
      // While the end stays, a later start is shorter.
      if (into.count > 0 && into.end(into.count - 1) === end) into.drop();
      if (into.count === 0 || into.start(into.count - 1) < start) into.add(start, end, end - start - this.inside());
      if (i + 1 === list.count) return;
      at[behind] = i + 1;
      end = Math.max(end, list.end(i + 1));
    }
  }

  /** Positions of the parts where they stand. */
  private inside(): number {
    let sum = 0;
    for (let p = 0; p < this.parts.length; p++) {
      const part = this.parts[p] as Part;
      const i = this.at[p] as number;
      sum += part.list.end(i) - part.list.start(i) - gapsInside(part, i);
    }
    return sum;
  }

  /** The source that begins first; of those the longest. */
  private behind(): number {
    const { parts, at } = this;
    let least = 0;
    for (let p = 1; p < parts.length; p++) {
      const [a, b] = [(parts[p] as Part).list, (parts[least] as Part).list];
      const [i, j] = [at[p] as number, at[least] as number];
      if (a.start(i) < b.start(j) || (a.start(i) === b.start(j) && a.end(i) > b.end(j))) least = p;
    }
    return least;
  }
}

/** So many ranges of a source, one behind the other. Gaps between them are gaps of whatever holds them. */
export class RepeatedInterval implements PositionNode {
  readonly docs: DocIterator;
  readonly isLoose = true;
  private readonly part: Part;
  private readonly count: number;

  constructor(node: PositionNode, count: number) {
    assert(count > 1, `a source repeated ${count} times`);
    this.docs = node.docs;
    this.part = new Part(node);
    this.count = count;
  }

  read(into: PositionRanges): void {
    const list = this.part.read();
    for (let last = this.count - 1; last < list.count; last++) {
      const first = last - this.count + 1;
      let inside = 0;
      for (let i = first; i <= last; i++) inside += list.end(i) - list.start(i);
      const [start, end] = [list.start(first), list.end(last)];
      into.add(start, end, end - start - inside);
    }
  }
}

/** Gaps that a part brings into what it is a part of. */
function gapsInside({ node, list }: Part, i: number): number {
  return node.isLoose === true ? list.gap(i) : 0;
}

/** Ranges with at most so many gaps. */
export class LimitedGaps implements PositionNode {
  readonly docs: DocIterator;
  private readonly part: Part;
  private readonly maxGaps: number;

  constructor(node: PositionNode, maxGaps: number) {
    this.docs = node.docs;
    this.part = new Part(node);
    this.maxGaps = maxGaps;
  }

  read(into: PositionRanges): void {
    const list = this.part.read();
    for (let i = 0; i < list.count; i++) if (list.gap(i) <= this.maxGaps) into.addFrom(list, i);
  }
}

/** Ranges that begin so many positions sooner: where analysis left out a word. */
export class ExtendedInterval implements PositionNode {
  readonly docs: DocIterator;
  private readonly part: Part;
  private readonly before: number;

  constructor(node: PositionNode, before: number) {
    assert(before >= 0, `ranges extended by ${before} positions`);
    this.docs = node.docs;
    this.part = new Part(node);
    this.before = before;
  }

  read(into: PositionRanges): void {
    const list = this.part.read();
    for (let i = 0; i < list.count; i++) {
      into.add(Math.max(0, list.start(i) - this.before), list.end(i), list.gap(i));
    }
  }
}

/** Whether range i of one list and range j of another stand to each other as wanted. */
export type RangeRelation = (a: PositionRanges, i: number, b: PositionRanges, j: number) => boolean;

export const contains: RangeRelation = (a, i, b, j) => a.start(i) <= b.start(j) && a.end(i) >= b.end(j);
/** What keeps a range from not containing another: Lucene looks at the first that does not end before it and begin before it, and asks no more than that it begins within. */
export const reachesInto: RangeRelation = (a, i, b, j) =>
  b.start(j) < a.end(i) && (b.start(j) >= a.start(i) || b.end(j) >= a.end(i));
export const isContained: RangeRelation = (a, i, b, j) => contains(b, j, a, i);
export const overlaps: RangeRelation = (a, i, b, j) => a.start(i) < b.end(j) && b.start(j) < a.end(i);
/** Nothing stands before the first position but itself: Lucene takes the position before a range, and of the first one the first. */
export const isBefore: RangeRelation = (a, i, b, j) => a.end(i) <= Math.max(1, b.start(j));
export const isAfter: RangeRelation = (a, i, b, j) => a.start(i) >= b.end(j);

/** Ranges of a source for which another has one that stands to it as wanted, or has none. */
export class RelatedIntervals implements PositionNode {
  readonly docs: DocIterator;
  private readonly source: Part;
  private readonly reference: Part;
  private readonly relation: RangeRelation;
  private readonly isWanted: boolean;

  constructor(source: PositionNode, reference: PositionNode, relation: RangeRelation, isWanted: boolean) {
    this.docs = isWanted ? docsOfAll([source, reference]) : source.docs;
    this.source = new Part(source);
    this.reference = new Part(reference);
    this.relation = relation;
    this.isWanted = isWanted;
  }

  read(into: PositionRanges): void {
    const list = this.source.read();
    const others = this.reference.readAt(this.docs.doc);
    for (let i = 0; i < list.count; i++) if (this.isRelated(list, i, others) === this.isWanted) into.addFrom(list, i);
  }

  private isRelated(list: PositionRanges, i: number, others: PositionRanges): boolean {
    for (let j = 0; j < others.count; j++) if (this.relation(list, i, others, j)) return true;
    return false;
  }
}
