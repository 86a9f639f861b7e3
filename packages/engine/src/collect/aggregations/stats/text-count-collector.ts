/**
 * `value_count` of a field of texts or addresses.
 */

import type { PartialResult } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import { assert } from '@shoal/core';
import { fieldType } from '../../../field-types/field-types.ts';
import type { OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { fixedSharing } from '../collector/fixed-sharing.ts';
import { SideBySide, type StateSharing } from '../collector/state-sharing.ts';
import { CodeBatch } from '../values/batch-values.ts';
import type { ResolvedSource } from '../values/field-values.ts';

export class TextCountCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly batch = new CodeBatch();
  private readonly counts = new BucketCounts();
  private column: OrdinalColumn | null = null;
  /** All values of a document count as one. */
  private readonly countsDocuments: boolean;

  constructor(source: ResolvedSource) {
    this.source = source;
    this.countsDocuments = source.kind !== null && fieldType(source.kind).aggregation.countsDocuments === true;
  }

  get memoryBytes(): number {
    return this.counts.memoryBytes;
  }

  /** One bucket in each of the parent's. */
  share(): StateSharing {
    return fixedSharing(this.counts, 1, new SideBySide([]));
  }

  enter(view: SegmentView): void {
    assert(
      this.column === null,
      `[${this.source.field}] entered a segment of ${view.segment.docCount} documents before it left another`,
    );
    this.column = view.segment.ordinalColumn(this.source.field);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    const { batch } = this;
    batch.readOrdinals(this.column, docs, this.source.missing === null ? -1 : 0);
    const { positions, length } = batch;
    for (let k = 0; k < length; k++) {
      const at = positions[k] as number;
      if (this.countsDocuments && k > 0 && positions[k - 1] === at) continue;
      this.counts.add(buckets[at] as number, 1);
    }
  }

  leave(): null {
    this.column = null;
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { format } = this.source;
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const count = this.counts.at(buckets[i] as number);
      partials.push({ kind: 'stats', format, count, sum: 0, min: 0, max: 0, sumOfSquares: 0 });
      if (meter.isDue(0.1)) yield;
    }
    return partials;
  }
}
