/**
 * What each kind of partial result brings: its codec, and what it is without any document.
 *
 * The functions are methods, so that kinds can stand in one list. The lookup by kind guarantees that each is given only its own
 * results.
 */
import type { ByteSink, ByteSource, Steps } from '@shoal/core';
import type { Bucket, BucketedPartial, PartialNode } from '../tree/partial-node.ts';

/** Microseconds that a sketch costs to write, read or merge, about: sketches are some kilobytes each. */
export const SKETCH_UNITS = 20;

/** Results without buckets. */
export interface LeafPartialKind<P extends PartialNode> {
  readonly family: 'leaf';
  readonly kind: P['kind'];
  /** Microseconds to write or read one, about. */
  readonly units: number;
  write(sink: ByteSink, partial: P): void;
  /** @throws DamagedBytes for what could not have been written */
  read(from: ByteSource): P;
  /** The result of no documents. */
  emptied(partial: P): P;
}

/** Results with buckets, and so with partial results of children. */
export interface BucketedPartialKind<P extends BucketedPartial> {
  readonly family: 'bucketed';
  readonly kind: P['kind'];
  write(to: PartialSink, partial: P): Steps<void>;
  /** @throws DamagedBytes for what could not have been written */
  read(from: PartialSource): Steps<P>;
  /** The result of no documents; made of one with documents, since shards alone know what the ends of a range are as numbers. */
  emptied(partial: P, emptiedChild: (child: PartialNode) => PartialNode): P;
}

export type PartialKind = LeafPartialKind<PartialNode> | BucketedPartialKind<BucketedPartial>;

/** Writes partial results; buckets may be many, so that writing is work in steps. */
export interface PartialSink {
  readonly sink: ByteSink;
  /** Writes of each bucket what `writeHead` writes, its count of documents and its children. */
  buckets<B extends Bucket<unknown>>(buckets: readonly B[], writeHead: (bucket: B) => void): Steps<void>;
}

/** Reads what a `PartialSink` wrote. */
export interface PartialSource {
  readonly from: ByteSource;
  buckets<Head, B>(
    readHead: () => Head,
    made: (head: Head, docCount: number, children: readonly PartialNode[]) => B,
  ): Steps<B[]>;
}

/** Reads buckets whose head is their key. */
export function readKeyedBuckets<Key>(source: PartialSource, readKey: () => Key): Steps<Bucket<Key>[]> {
  return source.buckets(readKey, (key, docCount, children) => ({ key, docCount, children }));
}
