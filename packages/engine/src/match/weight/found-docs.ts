/**
 * What scorers of documents that something else finds have in common: they stand where the iterator stands.
 */
import { assert } from '@shoal/core';
import type { DocIterator } from './doc-iterator.ts';

export abstract class FoundDocs implements DocIterator {
  protected readonly docs: DocIterator;

  /** @param docs before its first document */
  constructor(docs: DocIterator) {
    assert(docs.doc === -1, `a scorer of documents that stand at ${docs.doc}`);
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
