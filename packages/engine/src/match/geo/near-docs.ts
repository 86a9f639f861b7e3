/**
 * Documents with a value near a shape: the tree of boxes tells which to look at, and of some that they need no look.
 */
import { assert } from '@shoal/core';
import type { BoxTree, ComparedShape, RelateBox, ShapeGrid } from '@shoal/geo';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import { BitsIterator, countBits, wordsOf } from '../bits/doc-bits.ts';
import type { Candidates, DocBits, DocIterator } from '../weight/doc-iterator.ts';

export interface NearTest {
  /** How a box lies to the shape. */
  readonly relate: RelateBox;
  /** A document with a box inside of the shape matches without a test. */
  readonly takesInside: boolean;
  /** Whether a document matches; asked of those with a box that is not outside. */
  readonly matches: (doc: number) => boolean;
}

/** Documents near the shape that are tested at once, so that exact bits can be given. */
const TESTED_MAX = 1_024;

/** The documents near the shape that match; null where no box is near. */
export function nearDocs(tree: BoxTree, docCount: number, test: NearTest): DocIterator | null {
  const { near, sure } = markNear(tree, docCount, test);
  const count = countBits(near, 0, near.length);
  if (count === 0) return null;
  if (count - countBits(sure, 0, sure.length) > TESTED_MAX) {
    return new NearDocs({ near, sure, count, docCount }, test.matches);
  }
  const found = testDoubtful(near, sure, test.matches);
  return found === 0 ? null : new BitsIterator(new MarkedBits(near, found), docCount);
}

/** Takes those out of `near` that do not match, and counts the others. */
function testDoubtful(near: Uint32Array, sure: Uint32Array, matches: NearTest['matches']): number {
  for (let i = 0; i < near.length; i++) {
    for (let rest = (near[i] as number) & ~(sure[i] as number); rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      if (!matches((i << 5) + 31 - Math.clz32(bit))) near[i] = (near[i] as number) & ~bit;
    }
  }
  return countBits(near, 0, near.length);
}

/** Documents as bits: with a box that is not outside of the shape, and with one inside of it. */
export function markNear(
  tree: BoxTree,
  docCount: number,
  { relate, takesInside }: Pick<NearTest, 'relate' | 'takesInside'>,
): { readonly near: Uint32Array; readonly sure: Uint32Array } {
  const near = new Uint32Array(wordsOf(docCount));
  const sure = new Uint32Array(wordsOf(docCount));
  tree.search(relate, (docs, from, to, isInside) => {
    markAll(near, docs, from, to);
    if (isInside && takesInside) markAll(sure, docs, from, to);
  });
  return { near, sure };
}

/** How a box in steps lies to a shape. */
export function relationOnGrid(shape: ComparedShape, grid: ShapeGrid): RelateBox {
  return (minX, minY, maxX, maxY) =>
    shape.relate({ minX: grid.xOf(minX), minY: grid.yOf(minY), maxX: grid.xOf(maxX), maxY: grid.yOf(maxY) });
}

export function isMarked(words: Uint32Array, doc: number): boolean {
  return ((words[doc >>> 5] as number) & (1 << (doc & 31))) !== 0;
}

function markAll(words: Uint32Array, docs: Uint32Array, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const doc = docs[i] as number;
    words[doc >>> 5] = (words[doc >>> 5] as number) | (1 << (doc & 31));
  }
}

interface Marked {
  readonly near: Uint32Array;
  readonly sure: Uint32Array;
  /** Documents marked as near. */
  readonly count: number;
  readonly docCount: number;
}

class NearDocs implements DocIterator {
  doc = -1;
  readonly cost: number;
  readonly candidates: Candidates;
  private readonly docs: DocIterator;
  private readonly matches: () => boolean;

  constructor({ near, sure, count, docCount }: Marked, matches: (doc: number) => boolean) {
    assert(count > 0, `none of ${docCount} documents is near`);
    this.cost = count;
    const docs = new OneByOne(new BitsIterator(new MarkedBits(near, count), docCount));
    this.docs = docs;
    this.matches = () => isMarked(sure, docs.doc) || matches(docs.doc);
    this.candidates = { docs, matches: () => this.isMatch() };
  }

  next(): number {
    return this.found(this.docs.next());
  }

  advance(target: number): number {
    return this.found(this.docs.advance(target));
  }

  /** Whether the candidate matches, at which the iterator then stands. */
  private isMatch(): boolean {
    this.doc = this.docs.doc;
    return this.matches();
  }

  private found(first: number): number {
    let doc = first;
    while (doc !== NO_MORE_DOCS && !this.matches()) doc = this.docs.next();
    return (this.doc = doc);
  }
}

/** Documents of another iterator without its bits, which are those of candidates only. */
class OneByOne implements DocIterator {
  private readonly docs: DocIterator;

  constructor(docs: DocIterator) {
    this.docs = docs;
  }

  get doc(): number {
    return this.docs.doc;
  }

  get cost(): number {
    return this.docs.cost;
  }

  next(): number {
    return this.docs.next();
  }

  advance(target: number): number {
    return this.docs.advance(target);
  }
}

class MarkedBits implements DocBits {
  readonly cost: number;
  private readonly marked: Uint32Array;

  constructor(marked: Uint32Array, count: number) {
    this.marked = marked;
    this.cost = count;
  }

  fill(words: Uint32Array, at: number, from: number, to: number): void {
    const first = from >>> 5;
    words.set(this.marked.subarray(first, first + wordsOf(to - from)), at);
  }
}
