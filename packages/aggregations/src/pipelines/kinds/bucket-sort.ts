/**
 * `bucket_sort`: buckets sorted by values of theirs, and cut.
 */
import {
  illegalArgument,
  type JsonNode,
  parsingException,
  type StepMeter,
  type Steps,
  sortInSteps,
  ValueReader,
} from '@shoal/core';
import { readString } from '@shoal/query';
import type { ParentKind } from '../../contract/pipeline-kind.ts';
import { readWhole } from '../../request/number-options.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { FinishedBucket } from '../../tree/finished-level.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { bucketValue, keyNumber } from '../bucket-value.ts';
import { parseBucketsPath, parseGapPolicy, readPath } from '../pipeline-options.ts';

interface SortCriterion {
  readonly path: readonly string[];
  readonly isAscending: boolean;
}

interface Pipeline extends PipelineNode {
  readonly kind: 'bucket_sort';
  readonly sort: readonly SortCriterion[];
  readonly from: number;
  /** null: all. */
  readonly size: number | null;
}

/** Criteria of one sort in a message. */
const CRITERIA_MAX = 100_000;

export const bucketSort: ParentKind<Pipeline> = {
  family: 'parent',
  kind: 'bucket_sort',
  needs: 'buckets',
  isLast: true,
  parse: (named, options) => {
    const node = options.take('sort');
    const items = node === null ? [] : node.kind === 'array' ? node.items : [node];
    const sort = items.flatMap(parseSort);
    const from = options.integer('from') ?? 0;
    const size = options.integer('size');
    const gapPolicy = parseGapPolicy(options.string('gap_policy')) ?? 'skip';
    if (from < 0) throw illegalArgument(`[from] must be a non-negative integer: [${from}]`);
    if (size !== null && size <= 0) throw illegalArgument(`[size] must be a positive integer: [${size}]`);
    return { ...named, path: [], gapPolicy, format: null, kind: 'bucket_sort', sort, from, size };
  },
  problem: ({ name, sort, size, from }) =>
    sort.length === 0 && size === null && from === 0
      ? `[${name}] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort`
      : null,
  read: (r, parts) => ({
    ...parts,
    kind: 'bucket_sort',
    sort: r.list('sort', readCriterion, CRITERIA_MAX),
    from: readWhole(r, 'from', 0),
    size: r.has('size') ? readWhole(r, 'size', 1) : null,
  }),
  paths: ({ sort }) => sort.map(({ path }) => path),
  run: sortBuckets,
};

function parseSort(node: JsonNode): readonly SortCriterion[] {
  if (node.kind === 'string') return [{ path: parseBucketsPath(node.value), isAscending: node.value !== '_count' }];
  if (node.kind !== 'object') throw parsingException('Expected object for [sort]', node.at);
  return node.members.map(({ name, value }) => {
    const orderNode = value.kind === 'object' ? value.members.find((member) => member.name === 'order')?.value : value;
    const order = orderNode === undefined ? 'asc' : readString(orderNode, 'order').toLowerCase();
    if (order !== 'asc' && order !== 'desc') throw illegalArgument(`Unknown sort order [${order}]`);
    return { path: parseBucketsPath(name), isAscending: order === 'asc' };
  });
}

function readCriterion(value: unknown, field: string): SortCriterion {
  const r = ValueReader.of(value, field);
  return { path: r.item('path', readPath), isAscending: r.boolean('isAscending') };
}

/** Microseconds that a bucket costs, about. */
const BUCKET_UNITS = 0.7;

interface SortedBucket {
  readonly bucket: FinishedBucket;
  readonly values: readonly (number | string)[];
}

function* sortBuckets(
  { sort, from, size, gapPolicy }: Pipeline,
  parent: AggregationNode,
  buckets: readonly FinishedBucket[],
  meter: StepMeter,
): Steps<readonly FinishedBucket[]> {
  const to = size === null ? buckets.length : from + size;
  if (sort.length === 0) return buckets.slice(from, to);
  const present: SortedBucket[] = [];
  for (const bucket of buckets) {
    const values = sort.map(({ path }) => sortValue(parent, bucket, path, gapPolicy));
    if (values.some((value) => typeof value === 'string' || !Number.isNaN(value))) present.push({ bucket, values });
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  const compare = (a: SortedBucket, b: SortedBucket): number => {
    for (const [i, { isAscending }] of sort.entries()) {
      const c = compareValues(a.values[i] ?? Number.NaN, b.values[i] ?? Number.NaN, isAscending ? 1 : -1);
      if (c !== 0) return c;
    }
    return 0;
  };
  const ordered = yield* sortInSteps(present, compare, meter);
  return ordered.slice(from, to).map(({ bucket }) => bucket);
}

function sortValue(
  { children }: AggregationNode,
  bucket: FinishedBucket,
  path: readonly string[],
  gapPolicy: Pipeline['gapPolicy'],
): number | string {
  if (path.length === 1 && path[0] === '_key') {
    return typeof bucket.key === 'string' ? bucket.key : keyNumber(bucket.key);
  }
  return bucketValue(children, bucket, path, gapPolicy) ?? Number.NaN;
}

/** Order of values; what has none is last in either direction. */
function compareValues(a: number | string, b: number | string, sign: number): number {
  const [isNoA, isNoB] = [Number.isNaN(a), Number.isNaN(b)];
  if (isNoA || isNoB) return Number(isNoA) - Number(isNoB);
  return a === b ? 0 : a < b ? -sign : sign;
}
