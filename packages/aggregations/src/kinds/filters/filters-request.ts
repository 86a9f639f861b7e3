/**
 * Requests of all aggregations whose buckets are queries, in one form: a list of filters with keys.
 */
import { ValueReader } from '@shoal/core';
import { type Query, readQuery } from '@shoal/query';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface BucketFilter {
  readonly key: string;
  readonly query: Query;
  /** First address of a range of addresses, as it is shown; null where open, and for other filters. */
  readonly from: string | null;
  /** First address behind a range of addresses; null where open, and for other filters. */
  readonly to: string | null;
}

const TYPES = ['filters', 'filter', 'missing', 'global', 'adjacency_matrix', 'ip_range'] as const;

export interface FiltersAggregation extends AggregationNode {
  readonly kind: 'filters';
  /** `filter`, `missing` and `global` show one bucket as the aggregation itself. */
  readonly type: (typeof TYPES)[number];
  readonly filters: readonly BucketFilter[];
  /** Shown under their keys; else in a list. */
  readonly isKeyed: boolean;
  /** Buckets of a list say their keys themselves. */
  readonly hasListedKeys: boolean;
  /** Bucket of the documents that no filter matches; null without one. */
  readonly otherKey: string | null;
}

/** One bucket, shown as the aggregation itself. */
export function isSingle({ type }: FiltersAggregation): boolean {
  return type === 'filter' || type === 'missing' || type === 'global';
}

export function filterOf(key: string, query: Query): BucketFilter {
  return { key, query, from: null, to: null };
}

export function compareFilters(a: BucketFilter, b: BucketFilter): number {
  return a.key < b.key ? -1 : Number(a.key > b.key);
}

/** Most filters in a message: a request of ten megabytes has fewer. */
const FILTERS_MAX = 1_000_000;

export function readFilters(r: ValueReader, named: NamedParts): FiltersAggregation {
  const [type, filters] = [r.oneOf('type', TYPES), r.list('filters', readFilter, FILTERS_MAX)];
  // A matrix alone may be of nothing.
  if (filters.length === 0 && type !== 'adjacency_matrix') r.refuse('filters', 'at least one filter');
  return {
    ...named,
    kind: 'filters',
    type,
    filters,
    isKeyed: r.boolean('isKeyed'),
    hasListedKeys: r.boolean('hasListedKeys'),
    otherKey: r.optionalString('otherKey'),
  };
}

function readFilter(value: unknown, field: string): BucketFilter {
  const r = ValueReader.of(value, field);
  const [from, to] = [r.optionalString('from'), r.optionalString('to')];
  return { key: r.string('key'), query: readQuery(r.object('query')), from, to };
}
