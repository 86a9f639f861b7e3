/**
 * Partial result of `composite`: buckets in the order of the sources.
 */
import { assert } from '@shoal/core';
import { type BucketedPartialKind, readKeyedBuckets } from '../../contract/partial-kind.ts';
import type { Bucket, BucketedPartial } from '../../tree/partial-node.ts';
import type { BucketKey, KeyKind } from '../../values/bucket-key.ts';
import type { ValueFormat } from '../../values/value-format.ts';
import { readFormat, readKey, readKeyKind, writeFormat, writeKey, writeKeyKind } from '../../wire/value-codec.ts';
import { readItems } from '../../wire/wire-list.ts';

/** One value a source; null where the document had none. */
export type CompositeKey = readonly (BucketKey | null)[];

export interface CompositePartial extends BucketedPartial {
  readonly kind: 'composite';
  /** One a source. */
  readonly formats: readonly ValueFormat[];
  /** One a source. */
  readonly keyKinds: readonly KeyKind[];
  readonly buckets: readonly Bucket<CompositeKey>[];
  /** Key of the last bucket of the page, behind which the next page starts: pipelines that take buckets away leave it. */
  readonly lastKey: CompositeKey | null;
}

export const COMPOSITE_PARTIAL: BucketedPartialKind<CompositePartial> = {
  family: 'bucketed',
  kind: 'composite',
  *write(to, partial) {
    const { sink } = to;
    sink.varint(partial.formats.length);
    for (const format of partial.formats) writeFormat(sink, format);
    sink.varint(partial.keyKinds.length);
    for (const kind of partial.keyKinds) writeKeyKind(sink, kind);
    yield* to.buckets(partial.buckets, ({ key }) => {
      assert(
        key.length === partial.formats.length,
        `a composite key of ${key.length} values for ${partial.formats.length} sources`,
      );
      for (const value of key) writeKey(sink, value);
    });
  },
  *read(source) {
    const { from } = source;
    const formats = readItems(from, () => readFormat(from));
    const keyKinds = readItems(from, () => readKeyKind(from));
    const key = (): CompositeKey => formats.map(() => readKey(from));
    const buckets = yield* readKeyedBuckets(source, key);
    // No page crosses the wire after pipelines.
    return { kind: 'composite', formats, keyKinds, buckets, lastKey: buckets.at(-1)?.key ?? null };
  },
  emptied: (partial) => ({ ...partial, buckets: [], lastKey: null }),
};
