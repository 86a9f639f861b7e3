/**
 * Documents whose scores were found before the query runs.
 */
import { assert } from '@shoal/core';
import type { DocIterator } from '../weight/doc-iterator.ts';
import type { Scorer } from '../weight/scorer.ts';

export class KeptScores implements Scorer {
  private readonly docs: DocIterator;
  private readonly scores: ReadonlyMap<number, number> | null;
  private readonly otherwise: number;

  /** @param otherwise score of documents without one of their own; null for `scores`: of all */
  constructor(docs: DocIterator, scores: ReadonlyMap<number, number> | null, otherwise: number) {
    assert(docs.doc === -1, `a scorer of documents that stand at ${docs.doc}`);
    this.docs = docs;
    this.scores = scores;
    this.otherwise = otherwise;
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

  score(): number {
    return this.scores?.get(this.docs.doc) ?? this.otherwise;
  }
}
