/**
 * Ranges of a source that a script takes.
 */
import type { IntervalTest } from '@shoal/script';
import type { DocIterator } from '../weight/doc-iterator.ts';
import { Part, type PositionNode } from './position-node.ts';
import type { PositionRanges } from './position-ranges.ts';

export class ScriptedIntervals implements PositionNode {
  readonly docs: DocIterator;
  private readonly part: Part;
  private readonly isTaken: IntervalTest;

  constructor(node: PositionNode, isTaken: IntervalTest) {
    this.docs = node.docs;
    this.part = new Part(node);
    this.isTaken = isTaken;
  }

  read(into: PositionRanges): void {
    const list = this.part.read();
    for (let i = 0; i < list.count; i++)
      if (this.isTaken(list.start(i), list.end(i) - 1, list.gap(i))) into.addFrom(list, i);
  }
}
