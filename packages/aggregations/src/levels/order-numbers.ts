/**
 * Orders of buckets by metrics of their children, as functions over buckets. Shards cut their lists by them, the coordinator
 * sorts the merged ones.
 */
import type { CompareBuckets } from '../contract/reduce-context.ts';
import { assertResult, kindOf } from '../kinds/aggregation-kinds.ts';
import { type BucketOrder, invalidOrderPath } from '../request/bucket-order.ts';
import type { AggregationNode } from '../tree/aggregation-node.ts';
import { isBucketed, type PartialNode } from '../tree/partial-node.ts';

/** Reads a number out of the results of a bucket's children; NaN where there is none. */
type OrderNumber = (partials: readonly PartialNode[]) => number;

/** @throws ShoalError when a path leads to no metric of the children */
export function checkOrder(order: readonly BucketOrder[], children: readonly AggregationNode[]): void {
  for (const { by, path } of order) if (by === 'metric') orderNumber(children, path);
}

export function bucketComparison<Key>(
  order: readonly BucketOrder[],
  children: readonly AggregationNode[],
  compareKeys: (a: Key, b: Key) => number,
): CompareBuckets<Key> {
  const criteria = order.map((one) => criterion(one, children, compareKeys));
  return (a, b) => {
    for (const compare of criteria) {
      const c = compare(a, b);
      if (c !== 0) return c;
    }
    return 0;
  };
}

function criterion<Key>(
  { by, path, isAscending }: BucketOrder,
  children: readonly AggregationNode[],
  compareKeys: (a: Key, b: Key) => number,
): CompareBuckets<Key> {
  const sign = isAscending ? 1 : -1;
  if (by === 'count') return (a, b) => sign * (a.docCount - b.docCount);
  if (by === 'key') return (a, b) => sign * compareKeys(a.key, b.key);
  const metric = orderNumber(children, path);
  return (a, b) => compareMetrics(metric(a.children), metric(b.children), sign);
}

/** Order of metrics; a bucket without values is last, whatever the direction. */
function compareMetrics(a: number, b: number, sign: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return sign * (a < b ? -1 : Number(a > b));
}

/** @throws ShoalError when the path leads to no metric of the children */
function orderNumber(children: readonly AggregationNode[], path: string): OrderNumber {
  const [way, named] = splitMetric(path);
  return descend(children, way.split('>'), named, path);
}

function splitMetric(path: string): readonly [string, string | null] {
  const bracket = /^(.*)\[([^\]]+)\]$/.exec(path);
  if (bracket) return [bracket[1] ?? '', bracket[2] ?? ''];
  const last = path.lastIndexOf('>');
  const dot = path.indexOf('.', last + 1);
  return dot < 0 ? [path, null] : [path.slice(0, dot), path.slice(dot + 1)];
}

function descend(
  children: readonly AggregationNode[],
  [name = '', ...rest]: readonly string[],
  named: string | null,
  path: string,
): OrderNumber {
  const at = children.findIndex((child) => child.name === name);
  const child = children[at];
  if (child === undefined) {
    const why = 'either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets';
    throw invalidOrderPath(path, `The provided aggregation [${name}] ${why}.`);
  }
  if (rest.length === 0) return numberAt(at, numberOf(child, named, path));
  const kind = kindOf(child);
  if (kind.family !== 'bucket' || !kind.isOrderStep(child)) {
    throw invalidOrderPath(path, `The aggregation [${name}] is not a single-bucket aggregation.`);
  }
  const inner = descend(child.children, rest, named, path);
  return numberAt(at, (partial) => inner(firstBucket(partial)?.children ?? []));
}

function numberAt(at: number, read: (partial: PartialNode) => number): OrderNumber {
  return (partials) => {
    const partial = partials[at];
    return partial === undefined ? Number.NaN : read(partial);
  };
}

function numberOf(child: AggregationNode, named: string | null, path: string): (partial: PartialNode) => number {
  const kind = kindOf(child);
  if (kind.family === 'metric') {
    const metric = kind.orderMetric(child, named, path);
    return (partial) => {
      assertResult(kind, partial);
      return kind.orderNumber(partial, metric);
    };
  }
  if (kind.isOrderStep(child) && (named === null || named === 'doc_count')) {
    return (partial) => firstBucket(partial)?.docCount ?? 0;
  }
  throw invalidOrderPath(path, `The aggregation [${child.name}] is not a metric.`);
}

function firstBucket(partial: PartialNode) {
  return isBucketed(partial) ? partial.buckets[0] : undefined;
}
