/**
 * What every query has, whatever its kind: the base of all nodes of the typed tree.
 *
 * A tree says what the user asked, with every default filled in, before any index is known. Field names and values are as
 * the user wrote them: whether a field exists, and what a value means for it, each shard decides with its own mapping.
 * Plain data that msgpack can encode: it can be compared, logged, walked and sent to another node as it is.
 */
import { ValueReader } from '@shoal/core';

/** A scalar of request JSON; integers beyond 2^53 are bigints, those beyond 64 bits their text. */
export type QueryValue = string | number | bigint | boolean | null;

/** A query inside another: its kind is known to the registry, which has the union of all kinds. */
export interface QueryNode {
  readonly kind: string;
  /** Factor on the score of this query. */
  readonly boost: number;
  /** `_name`, by which hits say that they match this query; null when not given. */
  readonly name: string | null;
}

/** Entries of one list of a decoded query: more than the largest body that a node takes can hold. */
export const LIST_ENTRIES_MAX = 0x400_0000;

/** Reads what every query has. */
export function readBase(r: ValueReader): { readonly boost: number; readonly name: string | null } {
  return { boost: r.number('boost'), name: r.optionalString('name') };
}

export function readValue(r: ValueReader, field: string): QueryValue {
  return r.item(field, ValueReader.asScalar);
}

/** A number without a fraction, of any size: what a request gives where Elasticsearch reads an integer. */
export function readWhole(r: ValueReader, field: string): number {
  const number = r.number(field);
  return Math.trunc(number) === number ? number : r.refuse(field, 'a whole number');
}

/** A whole number that is not negative. */
export function readCount(r: ValueReader, field: string): number {
  const count = readWhole(r, field);
  return count >= 0 ? count : r.refuse(field, 'a number of at least 0');
}
