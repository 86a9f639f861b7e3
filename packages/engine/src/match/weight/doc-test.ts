/**
 * Whether documents are among those of an iterator: candidates that nobody asks for are not tested.
 */
import { assert } from '@shoal/core';
import type { Candidates, DocIterator } from './doc-iterator.ts';

export class DocTest {
  private readonly docs: DocIterator;
  private readonly candidates: Candidates | null;
  private tested = -1;
  private isIn = false;

  /** Nobody else may move `docs`. */
  constructor(docs: DocIterator) {
    assert(docs.doc === -1, `a test by documents that stand at ${docs.doc}`);
    this.candidates = docs.candidates ?? null;
    this.docs = this.candidates?.docs ?? docs;
  }

  /** Document that it stands at: none before can be asked for. */
  get doc(): number {
    return this.docs.doc;
  }

  /** Documents come in ascending order; the same one may come again. */
  has(doc: number): boolean {
    const { docs, candidates } = this;
    const at = docs.doc < doc ? docs.advance(doc) : docs.doc;
    if (at !== doc || candidates === null) return at === doc;
    if (this.tested !== doc) {
      this.tested = doc;
      this.isIn = candidates.matches();
    }
    return this.isIn;
  }
}
