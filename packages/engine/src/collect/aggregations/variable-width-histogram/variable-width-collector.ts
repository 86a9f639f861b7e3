/**
 * `variable_width_histogram`: keeps the first values apart, and clusters when there are too many. It is in one bucket of its parent
 * alone.
 */
import {
  type PartialResult,
  reduceBatchInSteps,
  type VariableWidthAggregation,
  type VariableWidthPartial,
} from '@shoal/aggregations';
import { assert, type StepMeter, type Steps, sortInSteps } from '@shoal/core';
import { GrowableF64 } from '../../../bytes/growable-arrays.ts';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { NumberBatch } from '../values/batch-values.ts';
import { DocCounts } from '../values/doc-counts.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import { type Cluster, firstClusters, ValueClusters } from './value-clusters.ts';

/** Bytes of a cluster, about. */
const CLUSTER_BYTES = 120;

export class VariableWidthCollector implements BucketCollector {
  private readonly aggregation: VariableWidthAggregation;
  private readonly source: ResolvedSource;
  private readonly children: ChildBatch;
  private readonly batch = new NumberBatch();
  /** The first values, by the number of their bucket. */
  private readonly values = new GrowableF64();
  private clusters: ValueClusters | null = null;
  private readonly counts = new BucketCounts();
  private nextId = 0;
  private column: NumericColumn | null = null;
  private docCounts: DocCounts | null = null;

  constructor(aggregation: VariableWidthAggregation, source: ResolvedSource, children: ChildBatch) {
    this.aggregation = aggregation;
    this.source = source;
    this.children = children;
  }

  get memoryBytes(): number {
    const { values, clusters, counts, children } = this;
    const ofClusters = (clusters?.clusters.length ?? 0) * CLUSTER_BYTES;
    return values.sizeBytes + ofClusters + counts.memoryBytes + children.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.column = numbersOf(view, this.source);
    this.docCounts = DocCounts.of(view);
    this.children.enter(view);
  }

  collect(docs: DocBatch, parents: Uint32Array): void {
    const { batch } = this;
    batch.read(this.column, docs, missingNumber(this.source));
    const { positions, values, length } = batch;
    const { docs: list } = docs;
    for (let k = 0; k < length; k++) {
      const at = positions[k] as number;
      const value = values[k] as number;
      assert(parents[at] === 0, `clusters in bucket ${parents[at]} of the parent`);
      this.count(list[at] as number, this.idOf(value));
    }
  }

  private count(doc: number, id: number): void {
    this.counts.add(id, this.docCounts === null ? 1 : this.docCounts.at(doc));
    if (!this.children.isEmpty) this.children.push(doc, id);
  }

  private idOf(value: number): number {
    const { clusters, values } = this;
    if (clusters !== null) return clusters.add(value, () => this.nextId++);
    const { shardSize, bufferSize } = this.aggregation;
    values.push(value);
    if (values.length === bufferSize) {
      this.clusters = new ValueClusters(values.values.slice(0, values.length), shardSize);
    }
    return this.nextId++;
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.children.leave(meter);
    this.column = null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) partials.push(yield* this.result(meter));
    return partials;
  }

  private *result(meter: StepMeter): Steps<VariableWidthPartial> {
    const { aggregation, children, counts, source } = this;
    const clusters = this.clusters?.clusters ?? (yield* this.clustersAtEnd(meter));
    const lists = yield* children.resultsOf(
      clusters.map(({ ids }) => ids),
      meter,
    );
    const buckets: VariableWidthPartial['buckets'][number][] = [];
    for (const [at, { mean: key, min, max, ids }] of clusters.entries()) {
      let docCount = 0;
      for (const id of ids) docCount += counts.at(id);
      const own = lists[at] ?? [];
      const merged = own.length > 1 ? yield* reduceBatchInSteps(aggregation.children, own) : (own[0] ?? []);
      buckets.push({ key, min, max, docCount, children: merged });
      if (meter.isDue(0.3)) yield;
    }
    return { kind: 'variableWidthHistogram', format: source.format, buckets };
  }

  /** The clusters of fewer values than the buffer takes: they are grouped all the same once they are more than a shard groups into. */
  private *clustersAtEnd(meter: StepMeter): Steps<readonly Cluster[]> {
    const { values } = this;
    const { shardSize } = this.aggregation;
    if (values.length <= firstClusters(shardSize)) return yield* this.apart(meter);
    return new ValueClusters(values.values.slice(0, values.length), shardSize).clusters;
  }

  /** A cluster for each of the values, which are few. */
  private *apart(meter: StepMeter): Steps<readonly Cluster[]> {
    const { values } = this;
    const all = Array.from({ length: values.length }, (_, id) => id);
    const sorted = yield* sortInSteps(all, (a, b) => values.at(a) - values.at(b), meter);
    const clusters: (Cluster & { readonly ids: number[] })[] = [];
    for (const id of sorted) {
      const value = values.at(id);
      const last = clusters.at(-1);
      if (last?.mean === value) last.ids.push(id);
      else clusters.push({ mean: value, size: 1, min: value, max: value, ids: [id] });
      if (meter.isDue(0.1)) yield;
    }
    return clusters;
  }
}
