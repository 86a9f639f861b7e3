/**
 * Documents that any of several iterators has.
 */
import { assert } from '@shoal/core';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import type { DocIterator } from './doc-iterator.ts';

export class UnitedDocs implements DocIterator {
  doc = -1;
  readonly cost: number;
  private readonly parts: readonly DocIterator[];

  constructor(parts: readonly DocIterator[]) {
    this.parts = parts;
    this.cost = parts.reduce((sum, part) => sum + part.cost, 0);
    assert(parts.length > 0, `documents of any of ${parts.length} iterators`);
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { parts } = this;
    let least = NO_MORE_DOCS;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i] as DocIterator;
      const at = part.doc < target ? part.advance(target) : part.doc;
      if (at < least) least = at;
    }
    return (this.doc = least);
  }
}
