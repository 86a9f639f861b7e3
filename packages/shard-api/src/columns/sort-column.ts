/**
 * Column of sort keys: one key of every entry that a shard returns.
 */

/** Form in which users see bytes that sort: UTF-8, addresses of 16 bytes, or terms of versions. */
export const SHOWN_BYTES = ['text', 'address', 'version'] as const;
export type ShownBytes = (typeof SHOWN_BYTES)[number];

/** One sort key of all returned entries. Missing numbers are replaced by the shard before sending. */
export type SortColumn =
  | { readonly kind: 'score'; readonly values: Float32Array }
  /** Longs, dates (ms) and booleans (0/1) within 2^53. */
  | { readonly kind: 'integer'; readonly values: Float64Array }
  /** Longs when any value is beyond 2^53. */
  | { readonly kind: 'bigint'; readonly values: BigInt64Array }
  /** Unsigned longs when any value is beyond 2^63. */
  | { readonly kind: 'unsigned'; readonly values: BigUint64Array }
  | { readonly kind: 'double'; readonly values: Float64Array }
  /** Entry i is bytes[offsets[i] .. offsets[i+1]). `missing[i]` is 1 where the document has no value. */
  | {
      readonly kind: 'string';
      readonly shown: ShownBytes;
      readonly offsets: Uint32Array;
      readonly bytes: Uint8Array;
      readonly missing: Uint8Array;
    };

/** Number of entries that a column has keys of. */
export function columnLength(column: SortColumn): number {
  return column.kind === 'string' ? column.missing.length : column.values.length;
}
