/**
 * Hands on the documents of each bucket that match best, once all are known.
 */
import type { PartialResult } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import { BucketSketches } from '../collector/bucket-sketches.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { DocScores } from '../collector/doc-scores.ts';
import { singleResults } from '../collector/single-results.ts';
import { BestDocs, type SampleSize } from './best-docs.ts';
import type { DocKeys } from './doc-keys.ts';

/** Microseconds that a document costs, about. */
const DOC_UNITS = 0.3;

export interface SamplerParts {
  readonly views: readonly SegmentView[];
  readonly size: SampleSize;
  /** null: all match alike. */
  readonly scores: DocScores | null;
  /** What documents are told apart by; null: nothing. */
  readonly keys: DocKeys | null;
}

class Sample {
  readonly docs: BestDocs;

  constructor(size: SampleSize) {
    this.docs = new BestDocs(size);
  }

  get sizeBytes(): number {
    return this.docs.memoryBytes;
  }
}

export class SamplerCollector implements BucketCollector {
  readonly #parts: SamplerParts;
  readonly #children: ChildBatch;
  readonly #samples: BucketSketches<Sample>;
  readonly #counts = new BucketCounts();
  #base = 0;

  constructor(parts: SamplerParts, children: ChildBatch) {
    this.#parts = parts;
    this.#children = children;
    this.#samples = new BucketSketches(() => new Sample(parts.size));
  }

  get memoryBytes(): number {
    return this.#samples.memoryBytes + this.#counts.memoryBytes + this.#children.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.#base = view.docBase;
    this.#parts.scores?.enter(view);
    this.#parts.keys?.enter(view);
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    const { scores, keys } = this.#parts;
    const { docs, count } = batch;
    assert(count <= buckets.length, `${count} documents in ${buckets.length} buckets`);
    keys?.read(batch);
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const sample = this.#samples.of(buckets[i] as number).docs;
      sample.add(this.#base + doc, scores?.at(doc) ?? 1, keys?.at(i) ?? null);
    }
  }

  leave(): null {
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    yield* this.#handOn(buckets, meter);
    return yield* singleResults(this.#counts, this.#children, buckets, meter);
  }

  *#handOn(buckets: ArrayLike<number>, meter: StepMeter): Steps<void> {
    const pairs: (readonly [doc: number, bucket: number])[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const bucket = buckets[i] as number;
      for (const doc of this.#samples.at(bucket).docs.docs()) pairs.push([doc, bucket]);
      if (meter.isDue(DOC_UNITS)) yield;
    }
    pairs.sort(([a], [b]) => a - b);
    let at = 0;
    for (const view of this.#parts.views) {
      const end = view.docBase + view.segment.docCount;
      if ((pairs[at]?.[0] ?? Number.POSITIVE_INFINITY) >= end) continue;
      this.#children.enter(view);
      for (let pair = pairs[at]; pair !== undefined && pair[0] < end; pair = pairs[++at]) {
        const [doc, bucket] = pair;
        this.#counts.add(bucket, 1);
        this.#children.push(doc - view.docBase, bucket);
        if (meter.isDue(DOC_UNITS)) yield;
      }
      yield* this.#children.leave(meter);
    }
    assert(at === pairs.length, `${pairs.length - at} documents of no segment`);
  }
}
