/**
 * Partial result of `multi_terms`: the first tuples of a shard, and what their values are.
 */
import { assert, DamagedBytes } from '@shoal/core';
import type { BucketedPartialKind } from '../../contract/partial-kind.ts';
import type { BucketedPartial } from '../../tree/partial-node.ts';
import type { KeyTuple } from '../../values/key-tuple.ts';
import { type KeyShape, readKeyShape, readPresentKey, writeKey, writeKeyShape } from '../../wire/value-codec.ts';
import { readItems } from '../../wire/wire-list.ts';
import { readTermsList, type TermsBucket, type TermsList, writeTermsList } from '../terms/terms-list.ts';

export interface MultiTermsPartial extends BucketedPartial, TermsList<KeyTuple> {
  readonly kind: 'multiTerms';
  /** One a source. */
  readonly shapes: readonly KeyShape[];
  readonly buckets: readonly TermsBucket<KeyTuple>[];
}

export const MULTI_TERMS_PARTIAL: BucketedPartialKind<MultiTermsPartial> = {
  family: 'bucketed',
  kind: 'multiTerms',
  *write(to, partial) {
    const { sink } = to;
    const { length } = partial.shapes;
    sink.varint(length);
    for (const shape of partial.shapes) writeKeyShape(sink, shape);
    yield* writeTermsList(to, partial, (key) => {
      assert(key.length === length, `a tuple of ${key.length} values for ${length} sources`);
      for (const value of key) writeKey(sink, value);
    });
  },
  *read(source) {
    const shapes = readItems(source.from, () => readKeyShape(source.from));
    if (shapes.length === 0) throw new DamagedBytes('tuples of no values');
    const list = yield* readTermsList(source, (from): KeyTuple => shapes.map(() => readPresentKey(from)));
    return { kind: 'multiTerms', shapes, ...list };
  },
  emptied: (partial) => ({ ...partial, otherDocCount: 0, error: 0, buckets: [] }),
};
