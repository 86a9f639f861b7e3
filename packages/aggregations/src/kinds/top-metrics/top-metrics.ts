/**
 * `top_metrics`: values of the documents that are first by the value of a field.
 */
import { illegalArgument } from '@shoal/core';
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import { severalValues } from '../../contract/path-context.ts';
import type { Members } from '../../render/members.ts';
import { invalidOrderPath } from '../../request/bucket-order.ts';
import type { BucketKey } from '../../values/bucket-key.ts';
import { formatOf, PLAIN_FORMAT, valuePrinter } from '../../values/value-format.ts';
import {
  TOP_METRICS_PARTIAL,
  type TopMetricsField,
  type TopMetricsPartial,
  type TopMetricsRow,
} from './top-metrics-partial.ts';
import { parseTopMetrics, readTopMetrics, type TopMetricsAggregation } from './top-metrics-request.ts';

export const topMetrics: MetricKind<TopMetricsAggregation, TopMetricsPartial> = {
  family: 'metric',
  kind: 'topMetrics',
  parsers: { top_metrics: parseTopMetrics },
  read: readTopMetrics,
  partial: TOP_METRICS_PARTIAL,
  reduceUnits: 2,
  isWholeAlone: true,
  resultType: () => 'top_metrics',
  reduce: (aggregation, partials) => ({
    kind: 'topMetrics',
    sort: commonField(partials.map(({ sort }) => sort)),
    metrics: aggregation.metrics.map((_, i) => commonField(partials.flatMap(({ metrics }) => metrics[i] ?? []))),
    rows: firstRows(aggregation, partials),
  }),
  members: renderTop,
  orderMetric: (aggregation, named, path) => {
    if (aggregation.size !== 1) {
      throw invalidOrderPath(
        path,
        `[top_metrics] can only the be target if [size] is [1] but was [${aggregation.size}]`,
      );
    }
    return String(positionOf(aggregation, named));
  },
  orderNumber: ({ rows }, position) => numberOf(rows[0]?.metrics[Number(position)]),
  pathNumber: (aggregation, { rows }, [metric]) => {
    if (aggregation.size !== 1) throw severalValues(aggregation.name);
    return numberOf(rows[0]?.metrics[positionOf(aggregation, metric ?? null)]);
  },
};

/** @throws ShoalError for a name that is no metric */
function positionOf({ name, metrics }: TopMetricsAggregation, named: string | null): number {
  const position = metrics.findIndex(({ field }) => field === named);
  if (position >= 0) return position;
  const known = metrics.map(({ field }) => field).join(', ');
  throw illegalArgument(`[${name}] of [top_metrics] has no metric [${named ?? ''}]: its metrics are [${known}]`);
}

function numberOf(value: BucketKey | null | undefined): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}

/** How a field is shown over all shards: those of indices without it know nothing of it. */
function commonField(fields: readonly TopMetricsField[]): TopMetricsField {
  const known = fields.find(({ keyKind }) => keyKind !== 'text');
  return { keyKind: known?.keyKind ?? 'text', format: fields.length === 0 ? PLAIN_FORMAT : formatOf(fields) };
}

/** First documents of all shards; of equal ones those of the earlier shard. */
function firstRows(
  { sort, size }: TopMetricsAggregation,
  partials: readonly TopMetricsPartial[],
): readonly TopMetricsRow[] {
  const sign = sort.isAscending ? 1 : -1;
  const rows = partials.flatMap((partial) => partial.rows);
  return rows.sort((a, b) => (a.sort < b.sort ? -sign : a.sort > b.sort ? sign : 0)).slice(0, size);
}

function renderTop({ metrics }: TopMetricsAggregation, partial: TopMetricsPartial): Members {
  const showSort = valueShower(partial.sort);
  const showMetrics = partial.metrics.map(valueShower);
  const top = partial.rows.map((row) => ({
    sort: [showSort(row.sort)],
    metrics: Object.fromEntries(
      metrics.map(({ field }, i) => [field, showMetrics[i]?.(row.metrics[i] ?? null) ?? null]),
    ),
  }));
  return { top };
}

const LONG_MAX = 2n ** 63n - 1n;
const LONG_MIN = -(2n ** 63n);

/** Shows values as JSON: dates as texts, booleans by name. */
function valueShower({ keyKind, format }: TopMetricsField): (value: BucketKey | null) => unknown {
  const printer = valuePrinter(format);
  return (value) => {
    if (value === null) return null;
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
      // A document without a sort value shows the largest or smallest value of the field's type.
      if (keyKind === 'double') return String(value);
      return value > 0 ? LONG_MAX : LONG_MIN;
    }
    if (format.kind === 'boolean') return Number(value) !== 0;
    return printer.text(value) ?? printer.shown(value, keyKind);
  };
}
