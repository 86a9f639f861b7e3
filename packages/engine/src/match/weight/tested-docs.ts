/**
 * Documents of a segment that pass a test, each looked at by itself.
 */
import { assert } from '@shoal/core';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import type { Candidates, DocIterator } from './doc-iterator.ts';

export class TestedDocs implements DocIterator {
  doc = -1;
  readonly cost: number;
  readonly candidates: Candidates;
  private readonly test: (doc: number) => boolean;

  constructor(docCount: number, test: (doc: number) => boolean) {
    assert(docCount > 0, `a segment of ${docCount} documents`);
    this.cost = docCount;
    this.test = test;
    const docs = new EachDoc(docCount);
    this.candidates = { docs, matches: () => test((this.doc = docs.doc)) };
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { cost, test } = this;
    let doc = target;
    while (doc < cost && !test(doc)) doc++;
    return (this.doc = doc < cost ? doc : NO_MORE_DOCS);
  }
}

class EachDoc implements DocIterator {
  doc = -1;
  readonly cost: number;

  constructor(docCount: number) {
    this.cost = docCount;
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    return (this.doc = target < this.cost ? target : NO_MORE_DOCS);
  }
}
