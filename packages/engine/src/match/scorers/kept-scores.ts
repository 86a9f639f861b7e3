/**
 * Documents whose scores were found before the query runs.
 */
import type { DocIterator } from '../weight/doc-iterator.ts';
import { FoundDocs } from '../weight/found-docs.ts';
import type { Scorer } from '../weight/scorer.ts';

export class KeptScores extends FoundDocs implements Scorer {
  private readonly scores: ReadonlyMap<number, number> | null;
  private readonly otherwise: number;

  /** @param otherwise score of documents without one of their own; null for `scores`: of all */
  constructor(docs: DocIterator, scores: ReadonlyMap<number, number> | null, otherwise: number) {
    super(docs);
    this.scores = scores;
    this.otherwise = otherwise;
  }

  score(): number {
    return this.scores?.get(this.docs.doc) ?? this.otherwise;
  }
}
