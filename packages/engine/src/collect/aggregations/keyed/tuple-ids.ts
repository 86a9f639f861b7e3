/**
 * Numbers buckets whose keys are tuples of doubles: a tree with a level for each part, so that no key is an object.
 */
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { HashSecret } from '../../../bytes/hash-secret.ts';
import { BucketIds } from '../collector/bucket-ids.ts';

export class TupleIds {
  private readonly levels: readonly BucketIds[];
  private readonly last: BucketIds;

  constructor(width: number, secret: HashSecret) {
    this.levels = Array.from({ length: width }, () => new BucketIds(secret));
    const last = this.levels.at(-1);
    assert(last !== undefined, `tuples of ${width} parts`);
    this.last = last;
  }

  get memoryBytes(): number {
    return this.levels.reduce((sum, level) => sum + level.memoryBytes, 0);
  }

  /**
   * One more part of a tuple.
   *
   * @param parent bucket of the parent at level 0, else what this gave for the part before
   * @returns at the last level the number of the bucket
   */
  next(level: number, parent: number, part: number): number {
    const ids = this.levels[level];
    assert(ids !== undefined, `part ${level} of tuples of ${this.levels.length}`);
    return ids.idOf(parent, part);
  }

  /** Parts of the tuple of a bucket. */
  tuple(id: number): readonly number[] {
    const parts: number[] = [];
    let at = id;
    for (const level of this.levels.toReversed()) {
      parts.unshift(level.keys.at(at));
      at = level.parents.at(at);
    }
    return parts;
  }

  /** Numbers of the buckets of each of the given parents. */
  byParent(parents: ArrayLike<number>, meter: StepMeter): Steps<number[][]> {
    const upwards = this.levels.toReversed();
    return this.last.byParent(parents, meter, (id) => upwards.reduce((at, level) => level.parents.at(at), id));
  }
}
