/**
 * Requests of `top_metrics`.
 */
import { illegalArgument, type JsonNode, ValueReader } from '@shoal/core';
import { type QueryValue, readString } from '@shoal/query';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { OptionReader } from '../../request/option-reader.ts';
import { parseFieldSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface TopMetricsSort {
  /** `_score`: how well documents match. */
  readonly field: string;
  readonly isAscending: boolean;
  /** Value of documents that have none; `_last` and `_first`: after and before all others. */
  readonly missing: QueryValue;
  /** Value of several that a document is sorted by. */
  readonly mode: 'min' | 'max';
  /** A field that is not mapped is one that no document has; else it is an error. */
  readonly allowsUnmapped: boolean;
}

export interface TopMetricsAggregation extends AggregationNode {
  readonly kind: 'topMetrics';
  readonly metrics: readonly ValuesSource[];
  readonly sort: TopMetricsSort;
  /** Documents of each bucket; 1..10. */
  readonly size: number;
}

/** Sort by how well documents match. */
export const TOP_METRICS_SCORE = '_score';
/** Default of `index.top_metrics_max_size`. */
const SIZE_MAX = 10;
/** Most metrics of one aggregation. */
const METRICS_MAX = 1_000;

export const parseTopMetrics: AggregationParser<TopMetricsAggregation> = (named, options) => {
  const size = options.integer('size') ?? 1;
  const metricsNode = options.take('metrics');
  const sortNode = options.take('sort');
  if (metricsNode === null) throw illegalArgument('Required [metrics]');
  if (sortNode === null) throw illegalArgument('Required [sort]');
  const metrics = itemsOf(metricsNode).map(parseMetric);
  if (metrics.length === 0) throw illegalArgument('[metrics] must contain at least one metric');
  if (metrics.length > METRICS_MAX) throw illegalArgument(`[metrics] must contain at most [${METRICS_MAX}] metrics`);
  const sorts = itemsOf(sortNode).flatMap(parseSorts);
  const [sort] = sorts;
  if (sort === undefined || sorts.length !== 1) throw illegalArgument('[sort] must contain exactly one sort');
  if (size < 1) throw illegalArgument(`[size] must be more than 0 but was [${size}]`);
  if (size > SIZE_MAX) {
    throw illegalArgument(`[top_metrics.size] must not be more than [${SIZE_MAX}] but was [${size}].`);
  }
  return { ...named, kind: 'topMetrics', metrics, sort, size };
};

function itemsOf(node: JsonNode): readonly JsonNode[] {
  return node.kind === 'array' ? node.items : [node];
}

function parseMetric(node: JsonNode): ValuesSource {
  const options = new OptionReader('metrics', node);
  const source = parseFieldSource(options);
  options.finish();
  return source;
}

/** Sorts that one item names: a field alone, or fields with their order. */
function parseSorts(node: JsonNode): readonly TopMetricsSort[] {
  if (node.kind !== 'object') return [sortOf(readString(node, 'sort'), null, null)];
  return node.members.map(({ name, value }) => {
    if (value.kind !== 'object') return sortOf(name, readString(value, 'order'), null);
    const options = new OptionReader(name, value);
    const sort = sortOf(name, options.string('order'), options);
    options.finish();
    return sort;
  });
}

function sortOf(field: string, givenOrder: string | null, options: OptionReader | null): TopMetricsSort {
  const isScore = field === TOP_METRICS_SCORE;
  if (field.startsWith('_') && !isScore) {
    throw illegalArgument(`sorting [top_metrics] by [${field}] is not supported by this server`);
  }
  const orderText = givenOrder ?? (isScore ? 'desc' : 'asc');
  const order = orderText.toLowerCase();
  if (order !== 'asc' && order !== 'desc') throw illegalArgument(`Unknown SortOrder [${orderText}]`);
  if (isScore) return { field, isAscending: order === 'asc', missing: '_last', mode: 'min', allowsUnmapped: true };
  const mode = options?.string('mode') ?? (order === 'asc' ? 'min' : 'max');
  if (mode !== 'min' && mode !== 'max') {
    throw illegalArgument(`sorting [top_metrics] by the [${mode}] of several values is not supported by this server`);
  }
  const missing = options?.scalar('missing') ?? '_last';
  const allowsUnmapped = (options?.string('unmapped_type') ?? null) !== null;
  return { field, isAscending: order === 'asc', missing, mode, allowsUnmapped };
}

export function readTopMetrics(r: ValueReader, named: NamedParts): TopMetricsAggregation {
  const readMetric = (value: unknown, field: string): ValuesSource => readValuesSource(ValueReader.of(value, field));
  const metrics = r.list('metrics', readMetric, METRICS_MAX);
  if (metrics.length === 0) r.refuse('metrics', 'at least one metric');
  const sort = readSort(r.object('sort'));
  return { ...named, kind: 'topMetrics', metrics, sort, size: r.integer('size', 1, SIZE_MAX) };
}

function readSort(r: ValueReader): TopMetricsSort {
  return {
    field: r.string('field'),
    isAscending: r.boolean('isAscending'),
    missing: r.item('missing', ValueReader.asScalar),
    mode: r.oneOf('mode', ['min', 'max']),
    allowsUnmapped: r.boolean('allowsUnmapped'),
  };
}
