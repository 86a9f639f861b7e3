/**
 * Partial result of `auto_date_histogram`: buckets of a unit that a shard found fine enough, and some of finer ones.
 */
import { DamagedBytes } from '@shoal/core';
import { type BucketedPartialKind, readKeyedBuckets } from '../../contract/partial-kind.ts';
import type { Bucket, BucketedPartial } from '../../tree/partial-node.ts';
import type { ValueFormat } from '../../values/value-format.ts';
import { readFormat, writeFormat } from '../../wire/value-codec.ts';
import { AUTO_UNITS } from './auto-intervals.ts';

export interface AutoDatePartial extends BucketedPartial {
  readonly kind: 'autoDate';
  readonly format: ValueFormat;
  /** Position of the unit among all. */
  readonly level: number;
  /** Units of one bucket; 1 but in the final result, 0 in one of no documents that was made of another. */
  readonly multiple: number;
  /** Starts of intervals of this or a finer unit. */
  readonly buckets: readonly Bucket<number>[];
}

export const AUTO_DATE_PARTIAL: BucketedPartialKind<AutoDatePartial> = {
  family: 'bucketed',
  kind: 'autoDate',
  *write(to, { format, level, multiple, buckets }) {
    writeFormat(to.sink, format);
    to.sink.u8(level);
    to.sink.u8(multiple);
    yield* to.buckets(buckets, ({ key }) => to.sink.f64(key));
  },
  *read(source) {
    const { from } = source;
    const format = readFormat(from);
    const [level, multiple] = [from.u8(), from.u8()];
    if (level >= AUTO_UNITS.length) throw new DamagedBytes(`a unit of level ${level}`);
    const buckets = yield* readKeyedBuckets(source, () => from.f64());
    return { kind: 'autoDate', format, level, multiple, buckets };
  },
  emptied: (partial) => ({ ...partial, multiple: 0, buckets: [] }),
};
