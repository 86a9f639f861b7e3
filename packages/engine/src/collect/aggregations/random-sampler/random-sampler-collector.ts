/**
 * Hands on the documents that were drawn.
 */
import type { PartialResult } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { singleResults } from '../collector/single-results.ts';
import { DocCounts } from '../values/doc-counts.ts';
import { RandomDocs } from './random-docs.ts';

interface Draw {
  readonly probability: number;
  readonly seed: string;
}

export class RandomSamplerCollector implements BucketCollector {
  readonly #draw: Draw;
  readonly #children: ChildBatch;
  readonly #counts = new BucketCounts();
  #docCounts: DocCounts | null = null;
  /** null: all documents are handed on. */
  #drawn: RandomDocs | null = null;

  constructor(draw: Draw, children: ChildBatch) {
    this.#draw = draw;
    this.#children = children;
  }

  get memoryBytes(): number {
    return this.#counts.memoryBytes + this.#children.memoryBytes;
  }

  get owed(): Steps<void> | null {
    return this.#children.owed;
  }

  enter(view: SegmentView): void {
    const { probability, seed } = this.#draw;
    this.#drawn = probability === 1 ? null : new RandomDocs(probability, `${seed}/${view.docBase}`);
    this.#docCounts = DocCounts.of(view);
    this.#children.enter(view);
  }

  collect({ docs, count }: DocBatch, buckets: Uint32Array): void {
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      if (this.#drawn !== null && !this.#drawn.has(doc)) continue;
      const bucket = buckets[i] as number;
      this.#counts.add(bucket, this.#docCounts === null ? 1 : this.#docCounts.at(doc));
      this.#children.push(doc, bucket);
    }
  }

  leave(meter: StepMeter): Steps<void> {
    return this.#children.leave(meter);
  }

  results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    return singleResults(this.#counts, this.#children, buckets, meter);
  }
}
