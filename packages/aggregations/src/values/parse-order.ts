/**
 * `order` of buckets: `_count`, `_key`, or a metric among the children; one or several.
 */
import { illegalArgument, type JsonNode, parsingException } from '@shoal/core';
import { readString } from '@shoal/query';
import type { Aggregation, BucketOrder } from '../tree/aggregation.ts';
import { MEDIAN_DEVIATION } from './metric-value.ts';

const BY_KEY: BucketOrder = { by: 'key', path: '', isAscending: true };
export const BY_COUNT: BucketOrder = { by: 'count', path: '', isAscending: false };

/** Ends with the key, so that equal buckets have an order too. */
export function parseOrder(node: JsonNode | null, fallback: BucketOrder): readonly BucketOrder[] {
  const items = node === null ? [] : node.kind === 'array' ? node.items : [node];
  const order = items.length === 0 ? [fallback] : items.flatMap(parseOrderItem);
  return order.at(-1)?.by === 'key' ? order : [...order, BY_KEY];
}

function parseOrderItem(node: JsonNode): readonly BucketOrder[] {
  if (node.kind !== 'object') throw parsingException('Expected object for [order]', node.at);
  if (node.members.length !== 1) throw parsingException('Must specify at least one field for [order]', node.at);
  return node.members.map(({ name, value }) => {
    const direction = readString(value, 'order').toLowerCase();
    if (direction !== 'asc' && direction !== 'desc') {
      throw parsingException(`Unknown order direction [${direction}]`, value.at);
    }
    const isAscending = direction === 'asc';
    if (name === '_count') return { by: 'count', path: '', isAscending };
    // The two old names of the key.
    if (name === '_key' || name === '_term' || name === '_time') return { by: 'key', path: '', isAscending };
    return { by: 'metric', path: name, isAscending };
  });
}

/** A metric that an order names: children by position on the way, and which of its values. */
export interface MetricPath {
  readonly steps: readonly number[];
  readonly metric: string;
}

/** @throws ShoalError when the path leads to no metric of the children */
export function resolveMetricPath(children: readonly Aggregation[], path: string): MetricPath {
  const [way = '', named = null] = splitMetric(path);
  const steps: number[] = [];
  let level = children;
  const names = way.split('>');
  for (const [depth, name] of names.entries()) {
    const at = level.findIndex((child) => child.name === name);
    const child = level[at];
    if (child === undefined) throw invalidPath(path, `Cannot find aggregation named [${name}].`);
    steps.push(at);
    const isLast = depth === names.length - 1;
    if (isLast) return { steps, metric: metricOf(child, named, path) };
    if (child.kind !== 'filters' || child.type === 'filters') {
      throw invalidPath(path, `The aggregation [${name}] is not a single-bucket aggregation.`);
    }
    level = child.children;
  }
  throw invalidPath(path, 'The path is empty.');
}

function splitMetric(path: string): readonly [string, string | null] {
  const bracket = /^(.*)\[([^\]]+)\]$/.exec(path);
  if (bracket) return [bracket[1] ?? '', bracket[2] ?? ''];
  const last = path.lastIndexOf('>');
  const dot = path.indexOf('.', last + 1);
  return dot < 0 ? [path, null] : [path.slice(0, dot), path.slice(dot + 1)];
}

function metricOf(child: Aggregation, named: string | null, path: string): string {
  if (child.kind === 'filters' && child.type !== 'filters' && (named === null || named === 'doc_count'))
    return 'doc_count';
  if (child.kind === 'cardinality' || child.kind === 'weightedAverage') return 'value';
  if (child.kind === 'percentiles' && child.type === MEDIAN_DEVIATION) return MEDIAN_DEVIATION;
  if (child.kind === 'percentiles' && named !== null) return named;
  if (child.kind !== 'stats') throw invalidPath(path, `The aggregation [${child.name}] is not a metric.`);
  if (child.type === 'stats' || child.type === 'extended_stats') {
    if (named === null) throw invalidPath(path, `[${child.name}] has several values, one must be named.`);
    return named;
  }
  return 'value';
}

function invalidPath(path: string, why: string): Error {
  return illegalArgument(`Invalid aggregation order path [${path}]. ${why}`);
}
