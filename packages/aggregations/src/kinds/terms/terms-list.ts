/**
 * The first of a shard's counted terms, and how much the others may change their counts; terms are values, or tuples of values.
 */
import type { ByteSource, Steps } from '@shoal/core';
import type { PartialSink, PartialSource } from '../../contract/partial-kind.ts';
import type { Bucket } from '../../tree/partial-node.ts';

export interface TermsBucket<Key> extends Bucket<Key> {
  /** How much the count may be short; -1: not known. */
  readonly error: number;
}

export interface TermsList<Key> {
  /** Documents whose buckets are not among the returned. */
  readonly otherDocCount: number;
  /** Largest count that a bucket not returned may have; -1: not known. */
  readonly error: number;
  /** Shards that this was made of. */
  readonly shardCount: number;
  /** In the order of the aggregation. */
  readonly buckets: readonly TermsBucket<Key>[];
}

/** List of a shard without documents. */
export const NO_TERMS: TermsList<never> = { otherDocCount: 0, error: 0, shardCount: 1, buckets: [] };

export function* writeTermsList<Key>(
  to: PartialSink,
  { otherDocCount, error, shardCount, buckets }: TermsList<Key>,
  writeKey: (key: Key) => void,
): Steps<void> {
  const { sink } = to;
  sink.f64(otherDocCount);
  sink.f64(error);
  sink.f64(shardCount);
  yield* to.buckets(buckets, (bucket) => {
    writeKey(bucket.key);
    sink.f64(bucket.error);
  });
}

export function* readTermsList<Key>(source: PartialSource, readKey: (from: ByteSource) => Key): Steps<TermsList<Key>> {
  const { from } = source;
  const [otherDocCount, error, shardCount] = [from.f64(), from.f64(), from.f64()];
  const buckets = yield* source.buckets(
    () => ({ key: readKey(from), error: from.f64() }),
    (head, docCount, children): TermsBucket<Key> => ({ key: head.key, docCount, error: head.error, children }),
  );
  return { otherDocCount, error, shardCount, buckets };
}
