/**
 * `order` of buckets: `_count`, `_key`, or a metric among the children; one or several.
 */
import { type JsonNode, parsingException, ShoalError, ValueReader } from '@shoal/core';
import { readString } from '@shoal/query';

/** One criterion of the order of buckets. */
export interface BucketOrder {
  readonly by: 'count' | 'key' | 'metric';
  /** `child`, `child.value`, `single>child.avg`; empty unless `by` is `metric`. */
  readonly path: string;
  readonly isAscending: boolean;
}

export const BY_KEY: BucketOrder = { by: 'key', path: '', isAscending: true };
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
    // The key has two old names.
    if (name === '_key' || name === '_term' || name === '_time') return { by: 'key', path: '', isAscending };
    return { by: 'metric', path: name, isAscending };
  });
}

/** Criteria of one order in a message: a request names each child once at most. */
const CRITERIA_MAX = 100_000;

/** @throws ShoalError for an order that is not total: it must end with the key */
export function readOrder(r: ValueReader): readonly BucketOrder[] {
  const order = r.list('order', readCriterion, CRITERIA_MAX);
  return order.at(-1)?.by === 'key' ? order : r.refuse('order', 'an order that ends with the key');
}

function readCriterion(value: unknown, field: string): BucketOrder {
  const r = ValueReader.of(value, field);
  const by = r.oneOf('by', ['count', 'key', 'metric']);
  return { by, path: r.string('path'), isAscending: r.boolean('isAscending') };
}

/** Orders by the largest counts first: then a bucket that a shard left out has at most the count of its last one. */
export function isByCountDescending(order: readonly BucketOrder[]): boolean {
  const [first] = order;
  return first?.by === 'count' && !first.isAscending;
}

export function isByKey(order: readonly BucketOrder[]): boolean {
  return order[0]?.by === 'key';
}

/** 400: the path of an order names no metric of the children. */
export function invalidOrderPath(path: string, why: string): Error {
  return new ShoalError('aggregation_execution_exception', 400, `Invalid aggregation order path [${path}]. ${why}`);
}
