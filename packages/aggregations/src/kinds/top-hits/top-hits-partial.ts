/**
 * Partial result of `top_hits`: the first documents of a bucket, as they are shown, with the keys by which they are ordered.
 */
import { assert, DamagedBytes } from '@shoal/core';
import type { LeafPartialKind } from '../../contract/partial-kind.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import type { BucketKey } from '../../values/bucket-key.ts';
import { readKey, writeKey } from '../../wire/value-codec.ts';
import { readItems } from '../../wire/wire-list.ts';

export interface TopHitsRow {
  /** One a sort field, or the score alone; texts are the bytes that sort, null where a document has none. */
  readonly keys: readonly (BucketKey | null)[];
  /** JSON of the hit. */
  readonly hit: string;
}

export interface TopHitsPartial extends PartialNode {
  readonly kind: 'topHits';
  /** Documents of the bucket. */
  readonly total: number;
  /** Highest score of all documents; null where they have none that counts. */
  readonly maxScore: number | null;
  /** The total is shown as a plain number. */
  readonly showsPlainTotal: boolean;
  /** In order, no more than `from + size`. */
  readonly rows: readonly TopHitsRow[];
}

/** Microseconds to write or read one, about. */
const UNITS = 10;

export const TOP_HITS_PARTIAL: LeafPartialKind<TopHitsPartial> = {
  family: 'leaf',
  kind: 'topHits',
  units: UNITS,
  write: (sink, { total, maxScore, showsPlainTotal, rows }) => {
    sink.f64(total);
    writeKey(sink, maxScore);
    sink.u8(showsPlainTotal ? 1 : 0);
    const keyCount = rows[0]?.keys.length ?? 0;
    sink.varint(keyCount);
    sink.varint(rows.length);
    for (const { keys, hit } of rows) {
      assert(keys.length === keyCount, `${keys.length} of ${keyCount} sort keys`);
      for (const key of keys) writeKey(sink, key);
      sink.text(hit);
    }
  },
  read: (from) => {
    const total = from.f64();
    const maxScore = readKey(from);
    if (!Number.isSafeInteger(total) || total < 0) throw new DamagedBytes(`${total} documents of a bucket`);
    if (maxScore !== null && typeof maxScore !== 'number') throw new DamagedBytes(`a score of ${typeof maxScore}`);
    const showsPlainTotal = from.u8() === 1;
    const keyCount = from.varint();
    const rows = readItems(from, () => {
      const keys: (BucketKey | null)[] = [];
      // Each key takes a byte at least: the bytes end before a count that cannot be true does harm.
      for (let k = 0; k < keyCount; k++) keys.push(readKey(from));
      return { keys, hit: from.text() };
    });
    return { kind: 'topHits', total, maxScore, showsPlainTotal, rows };
  },
  emptied: (partial) => ({ ...partial, total: 0, maxScore: null, rows: [] }),
};
