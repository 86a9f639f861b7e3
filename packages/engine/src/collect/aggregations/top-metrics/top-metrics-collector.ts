/**
 * Keeps of each bucket the documents that are first by the value of a field, with values of other fields.
 */
import type { Aggregation, BucketKey, PartialResult } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { NumericColumn, OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { DocScores } from '../collector/doc-scores.ts';
import { keyOfTerm, numbersOf, type ResolvedSource } from '../values/field-values.ts';

export type TopMetricsRequest = Extract<Aggregation, { kind: 'topMetrics' }>;
type TopMetricsRow = Extract<PartialResult, { kind: 'topMetrics' }>['rows'][number];

/** Bytes of a row without its metrics, about. */
const ROW_BYTES = 96;
/** Bytes of one metric, about: texts are short. */
const METRIC_BYTES = 48;

const NO_ROWS: readonly TopMetricsRow[] = [];

export interface TopMetricsFields {
  readonly sort: ResolvedSource;
  /** The documents are sorted by their scores; null: by a field. */
  readonly scores: DocScores | null;
  /** Sort value of documents that have none. */
  readonly missing: number | bigint;
  /** One a metric. */
  readonly metrics: readonly ResolvedSource[];
}

export class TopMetricsCollector implements BucketCollector {
  private readonly request: TopMetricsRequest;
  private readonly fields: TopMetricsFields;
  /** Rows of each bucket in the order of the sort; of equal ones the earlier document is first. */
  private readonly rows: TopMetricsRow[][] = [];
  private readonly metrics: readonly MetricReader[];
  private rowCount = 0;
  private sortColumn: NumericColumn | null = null;

  constructor(request: TopMetricsRequest, fields: TopMetricsFields) {
    this.request = request;
    this.fields = fields;
    this.metrics = fields.metrics.map((source) => new MetricReader(source));
  }

  get memoryBytes(): number {
    return this.rows.length * 16 + this.rowCount * (ROW_BYTES + METRIC_BYTES * this.metrics.length);
  }

  enter(view: SegmentView): void {
    this.sortColumn = numbersOf(view, this.fields.sort);
    this.fields.scores?.enter(view);
    for (const metric of this.metrics) metric.enter(view);
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    const { docs, count } = batch;
    const { size, sort } = this.request;
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const rows = this.rowsOf(buckets[i] as number);
      const value = this.sortValue(doc);
      const last = rows[size - 1];
      if (last !== undefined && !isBefore(value, last.sort, sort.isAscending)) continue;
      this.insert(rows, { sort: value, metrics: this.metrics.map((metric) => metric.value(doc)) });
    }
  }

  private rowsOf(bucket: number): TopMetricsRow[] {
    // Each bucket up to it gets its list: an array with holes would become a table of hashes.
    while (this.rows.length <= bucket) this.rows.push([]);
    return this.rows[bucket] as TopMetricsRow[];
  }

  private sortValue(doc: number): number | bigint {
    const { sortColumn: column, fields, request } = this;
    if (fields.scores !== null) return fields.scores.at(doc);
    if (column === null) return fields.missing;
    const [from, to] = [column.start(doc), column.start(doc + 1)];
    if (from === to) return fields.missing;
    return valueAt(column, request.sort.mode === 'min' ? from : to - 1);
  }

  private insert(rows: TopMetricsRow[], row: TopMetricsRow): void {
    const { size, sort } = this.request;
    let at = rows.length;
    while (at > 0 && isBefore(row.sort, (rows[at - 1] as TopMetricsRow).sort, sort.isAscending)) at--;
    rows.splice(at, 0, row);
    if (rows.length > size) rows.pop();
    else this.rowCount++;
    assert(rows.length <= size, `${rows.length} rows of at most ${size}`);
  }

  leave(): null {
    this.sortColumn = null;
    for (const metric of this.metrics) metric.leave();
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { sort, metrics } = this.fields;
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const rows = this.rows[buckets[i] as number] ?? NO_ROWS;
      partials.push({ kind: 'topMetrics', sort: shownAs(sort), metrics: metrics.map(shownAs), rows });
      if (meter.isDue(1)) yield;
    }
    return partials;
  }
}

function isBefore(a: number | bigint, b: number | bigint, isAscending: boolean): boolean {
  return isAscending ? a < b : a > b;
}

function shownAs({ keyKind, format }: ResolvedSource): Pick<ResolvedSource, 'keyKind' | 'format'> {
  return { keyKind, format };
}

function valueAt(column: NumericColumn, index: number): number | bigint {
  return column.isWide ? column.bigValue(index) : column.value(index);
}

/** Reads the first value of a field of a document. */
class MetricReader {
  private readonly source: ResolvedSource;
  private numbers: NumericColumn | null = null;
  private texts: OrdinalColumn | null = null;

  constructor(source: ResolvedSource) {
    this.source = source;
  }

  enter(view: SegmentView): void {
    this.numbers = numbersOf(view, this.source);
    this.texts = this.source.keyKind === 'text' ? view.segment.ordinalColumn(this.source.field) : null;
  }

  /** null where the document has none, and nothing stands for none. */
  value(doc: number): BucketKey | null {
    const { source, numbers, texts } = this;
    const column = numbers ?? texts;
    if (column === null || column.start(doc) === column.start(doc + 1)) return source.missing;
    const first = column.start(doc);
    if (numbers !== null) return valueAt(numbers, first);
    return texts === null ? source.missing : keyOfTerm(source, texts.value(texts.ordinal(first)));
  }

  leave(): void {
    this.numbers = null;
    this.texts = null;
  }
}
