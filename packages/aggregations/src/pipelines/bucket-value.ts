/**
 * The number that a path leads to from a bucket.
 */
import { illegalArgument } from '@shoal/core';
import { type PathContext, severalValues } from '../contract/path-context.ts';
import { assertResult, bucketedResult, kindOf } from '../kinds/aggregation-kinds.ts';
import type { AggregationNode } from '../tree/aggregation-node.ts';
import type { FinishedBucket } from '../tree/finished-level.ts';
import type { GapPolicy } from '../tree/pipeline-node.ts';

/** NaN where there is none, and the policy does not put one there; null: a pipeline made nothing for this bucket. */
export function bucketValue(
  children: readonly AggregationNode[],
  bucket: FinishedBucket,
  path: readonly string[],
  gapPolicy: GapPolicy,
): number | null {
  const [first = '', second] = path;
  if (first === '_count' && second === undefined) return bucket.docCount;
  const isOfPipeline =
    first !== '_key' && (bucket.children.length === 0 || !children.some(({ name }) => name === first));
  if (isOfPipeline && bucket.values?.get(first) === undefined) return null;
  const value = first === '_key' && second === undefined ? keyNumber(bucket.key) : numberIn(children, bucket, path);
  if (Number.isFinite(value) && (bucket.docCount > 0 || gapPolicy === 'keep_values')) return value;
  return gapPolicy === 'insert_zeros' ? 0 : Number.NaN;
}

/** The number that buckets of a sequence are in order of; NaN for other keys. */
export function keyNumber(key: unknown): number {
  return typeof key === 'number' || typeof key === 'bigint' ? Number(key) : Number.NaN;
}

function numberIn(children: readonly AggregationNode[], bucket: FinishedBucket, path: readonly string[]): number {
  const [name = '', ...rest] = path;
  if (name === '_count') return bucket.docCount;
  const at = children.findIndex((child) => child.name === name);
  const child = children[at];
  const partial = bucket.children[at];
  if (child !== undefined && partial !== undefined) {
    const kind = kindOf(child);
    if (kind.family === 'bucket') return kind.pathNumber(child, bucketedResult(kind, partial), rest, PATHS);
    assertResult(kind, partial);
    return kind.pathNumber(child, partial, rest, PATHS);
  }
  const made = bucket.values?.get(name);
  if (made === undefined) throw illegalArgument(`Cannot find an aggregation named [${name}] in [${path.join('>')}]`);
  const number = made.number(rest[0]);
  if (number === null) throw severalValues(name);
  return number;
}

const PATHS: PathContext = { numberIn };
