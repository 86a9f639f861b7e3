/**
 * One key of the order of hits, with its reader.
 */
import { type ItemReader, ValueReader } from '@shoal/core';
import { readScript, type ScriptRequest } from '@shoal/script';
import type { ReadInner } from '../node/query-kind.ts';
import type { QueryValue } from '../node/query-node.ts';
import { type GeoSort, readGeoSort } from './geo-sort.ts';
import { type NestedSort, nestedSortReader } from './nested-sort.ts';

const KINDS = ['score', 'doc', 'shardDoc', 'field', 'geoDistance', 'script'] as const;
const ORDERS = ['asc', 'desc'] as const;
const MODES = ['min', 'max', 'sum', 'avg', 'median'] as const;

export const NUMERIC_TYPES = ['long', 'double', 'date', 'date_nanos'] as const;

export const SCRIPT_SORT_TYPES = ['number', 'string'] as const;

export type ScriptSortType = (typeof SCRIPT_SORT_TYPES)[number];
export type NumericType = (typeof NUMERIC_TYPES)[number];
export type SortOrder = (typeof ORDERS)[number];
export type SortMode = (typeof MODES)[number];

export interface SortField {
  readonly kind: (typeof KINDS)[number];
  /** `_score`, `_doc` and `_shard_doc` for those kinds. */
  readonly field: string;
  readonly order: SortOrder;
  /** Which value of several; null: the smallest ascending, the largest descending. */
  readonly mode: SortMode | null;
  /** `_last`, `_first`, or a value that takes the place of none. */
  readonly missing: QueryValue;
  /** Kind to assume where an index does not have the field; null: an error there. */
  readonly unmappedType: string | null;
  readonly format: string | null;
  /** Type as which numbers are compared and shown; null: that of the field. */
  readonly numericType: NumericType | null;
  /** From where distances are measured; of that kind alone. */
  readonly geo?: GeoSort;
  /** Nested objects whose values are meant; left out for those of the documents themselves. */
  readonly nested?: NestedSort;
  /** What gives the value that hits are ordered by; of that kind alone. */
  readonly script?: ScriptRequest;
  /** Type of that value; left out where there is no script. */
  readonly gives?: ScriptSortType;
}

/** @param readInner reads the filters of nested objects */
export function sortFieldReader(readInner: ReadInner): ItemReader<SortField> {
  const readNested = nestedSortReader(readInner);
  return (value, path) => readSortField(ValueReader.of(value, path), readNested);
}

function readSortField(r: ValueReader, readNested: ItemReader<NestedSort>): SortField {
  return {
    kind: r.oneOf('kind', KINDS),
    field: r.string('field'),
    order: r.oneOf('order', ORDERS),
    mode: r.has('mode') ? r.oneOf('mode', MODES) : null,
    missing: r.item('missing', ValueReader.asScalar),
    unmappedType: r.optionalString('unmappedType'),
    format: r.optionalString('format'),
    numericType: r.has('numericType') ? r.oneOf('numericType', NUMERIC_TYPES) : null,
    ...(r.has('geo') && { geo: r.item('geo', readGeoSort) }),
    ...(r.has('nested') && { nested: r.item('nested', readNested) }),
    ...(r.has('script') && { script: readScript(ValueReader.of(r.raw('script'), 'script')) }),
    ...(r.has('gives') && { gives: r.oneOf('gives', SCRIPT_SORT_TYPES) }),
  };
}
