/**
 * Partial result of `top_metrics`: the first documents of a bucket, each with its sort value and its metrics.
 */
import { assert, type ByteSink, type ByteSource, DamagedBytes } from '@shoal/core';
import type { LeafPartialKind } from '../../contract/partial-kind.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import type { BucketKey, KeyKind } from '../../values/bucket-key.ts';
import type { ValueFormat } from '../../values/value-format.ts';
import { readFormat, readKey, readKeyKind, writeFormat, writeKey, writeKeyKind } from '../../wire/value-codec.ts';
import { readItems } from '../../wire/wire-list.ts';

/** How the values of one field are shown. */
export interface TopMetricsField {
  readonly keyKind: KeyKind;
  readonly format: ValueFormat;
}

export interface TopMetricsRow {
  /** Infinite where the document has no value: of the sign that puts it after or before all others. */
  readonly sort: number | bigint;
  /** One a metric; null where the document has none. */
  readonly metrics: readonly (BucketKey | null)[];
}

export interface TopMetricsPartial extends PartialNode {
  readonly kind: 'topMetrics';
  readonly sort: TopMetricsField;
  /** One a metric. */
  readonly metrics: readonly TopMetricsField[];
  /** In the order of the sort, no more than the size. */
  readonly rows: readonly TopMetricsRow[];
}

export const TOP_METRICS_PARTIAL: LeafPartialKind<TopMetricsPartial> = {
  family: 'leaf',
  kind: 'topMetrics',
  units: 1,
  write: (sink, { sort, metrics, rows }) => {
    writeField(sink, sort);
    sink.varint(metrics.length);
    for (const metric of metrics) writeField(sink, metric);
    sink.varint(rows.length);
    for (const row of rows) {
      assert(row.metrics.length === metrics.length, `${row.metrics.length} values of ${metrics.length} metrics`);
      writeKey(sink, row.sort);
      for (const value of row.metrics) writeKey(sink, value);
    }
  },
  read: (from) => {
    const sort = readField(from);
    const metrics = readItems(from, () => readField(from));
    const rows = readItems(from, () => ({ sort: readSortValue(from), metrics: metrics.map(() => readKey(from)) }));
    return { kind: 'topMetrics', sort, metrics, rows };
  },
  emptied: (partial) => ({ ...partial, rows: [] }),
};

function writeField(sink: ByteSink, { keyKind, format }: TopMetricsField): void {
  writeKeyKind(sink, keyKind);
  writeFormat(sink, format);
}

function readField(from: ByteSource): TopMetricsField {
  return { keyKind: readKeyKind(from), format: readFormat(from) };
}

function readSortValue(from: ByteSource): number | bigint {
  const value = readKey(from);
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isNaN(value))) return value;
  throw new DamagedBytes(`a sort value of type ${typeof value}`);
}
