/**
 * What a field of each type holds in a document, as TypeScript. A new field type does not compile until it says so here.
 */
import type { FieldKind, FieldMapping } from '@shoal/schema';

/** A type, and the names that it takes from the client's module. */
export interface ValueType {
  readonly text: string;
  readonly imports: readonly string[];
}

const STRING = plain('string');
const NUMBER = plain('number');
/** Numbers beyond 2^53 are written as texts, or lose digits. */
const LONG_NUMBER = plain('number | string');
const INSTANT = plain('string | number');
const OBJECT = plain('Readonly<Record<string, unknown>>');

const VALUE_TYPES: Readonly<Record<FieldKind, ValueType>> = {
  text: STRING,
  match_only_text: STRING,
  search_as_you_type: STRING,
  keyword: STRING,
  constant_keyword: STRING,
  wildcard: STRING,
  version: STRING,
  ip: STRING,
  binary: STRING,
  long: LONG_NUMBER,
  unsigned_long: LONG_NUMBER,
  integer: NUMBER,
  short: NUMBER,
  byte: NUMBER,
  double: NUMBER,
  float: NUMBER,
  half_float: NUMBER,
  scaled_float: NUMBER,
  rank_feature: NUMBER,
  // The text whose words are counted, or their number.
  token_count: plain('string | number'),
  boolean: plain('boolean'),
  date: INSTANT,
  date_nanos: INSTANT,
  integer_range: range('number'),
  long_range: range('number | string'),
  float_range: range('number'),
  double_range: range('number'),
  date_range: range('string | number'),
  // A network in CIDR notation is a range too.
  ip_range: { text: 'RangeValue<string> | string', imports: ['RangeValue'] },
  flattened: OBJECT,
  percolator: OBJECT,
  rank_features: plain('Readonly<Record<string, number>>'),
  geo_point: imported('GeoPointValue'),
  geo_shape: imported('ShapeValue'),
  shape: imported('ShapeValue'),
  point: imported('PointValue'),
  completion: imported('CompletionValue'),
  histogram: imported('HistogramValue'),
  dense_vector: plain('readonly number[]'),
  knn_vector: plain('readonly number[]'),
  join: imported('JoinValue'),
};

export function valueType(field: FieldMapping): ValueType {
  if (field.kind !== 'join') return VALUE_TYPES[field.kind];
  const names = new Set([...field.relations].flatMap(([parent, children]) => [parent, ...children]));
  return { text: `JoinValue<${[...names].map((name) => JSON.stringify(name)).join(' | ')}>`, imports: ['JoinValue'] };
}

function plain(text: string): ValueType {
  return { text, imports: [] };
}

function imported(name: string): ValueType {
  return { text: name, imports: [name] };
}

function range(bound: string): ValueType {
  return { text: `RangeValue<${bound}>`, imports: ['RangeValue'] };
}
