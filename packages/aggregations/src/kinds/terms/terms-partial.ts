/**
 * Partial result of terms: the first buckets of a shard, and what their keys are.
 */
import type { BucketedPartialKind } from '../../contract/partial-kind.ts';
import type { BucketedPartial } from '../../tree/partial-node.ts';
import type { BucketKey } from '../../values/bucket-key.ts';
import { type KeyShape, readKeyShape, readPresentKey, writeKey, writeKeyShape } from '../../wire/value-codec.ts';
import { readTermsList, type TermsBucket, type TermsList, writeTermsList } from './terms-list.ts';

export interface TermsPartial extends BucketedPartial, KeyShape, TermsList<BucketKey> {
  readonly kind: 'terms';
  readonly buckets: readonly TermsBucket<BucketKey>[];
}

export const TERMS_PARTIAL: BucketedPartialKind<TermsPartial> = {
  family: 'bucketed',
  kind: 'terms',
  *write(to, partial) {
    writeKeyShape(to.sink, partial);
    yield* writeTermsList(to, partial, (key) => writeKey(to.sink, key));
  },
  *read(source) {
    const shape = readKeyShape(source.from);
    return { kind: 'terms', ...shape, ...(yield* readTermsList(source, readPresentKey)) };
  },
  emptied: (partial) => ({ ...partial, otherDocCount: 0, error: 0, buckets: [] }),
};
