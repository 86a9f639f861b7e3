/**
 * Registry of field types in the engine: one line for each type that a mapping may declare. It does not compile while a type
 * of the schema is missing.
 */
import { illegalArgument } from '@shoal/core';
import { type FieldKind, type FieldMapping, noColumn, noDocValues, noFielddata } from '@shoal/schema';
import { BINARY } from './binary/binary.ts';
import { BOOLEAN } from './boolean/boolean.ts';
import { COMPLETION } from './completion/completion.ts';
import { CONSTANT_KEYWORD } from './constant-keyword/constant-keyword.ts';
import type { FieldType } from './contract/field-type.ts';
import { DATE } from './date/date.ts';
import { DATE_NANOS } from './date-nanos/date-nanos.ts';
import { DENSE_VECTOR } from './dense-vector/dense-vector.ts';
import { FLATTENED } from './flattened/flattened.ts';
import { GEO_POINT } from './geo-point/geo-point.ts';
import { GEO_SHAPE, SHAPE } from './geo-shape/geo-shape.ts';
import { HISTOGRAM } from './histogram/histogram.ts';
import { IP } from './ip/ip.ts';
import { JOIN } from './join/join.ts';
import { KEYWORD } from './keyword/keyword.ts';
import { BYTE_RANGE, INTEGER_RANGE, LONG_RANGE, SHORT_RANGE } from './number/number-ranges.ts';
import { fractionType, wholeNumberType } from './number/number-type.ts';
import { PERCOLATOR } from './percolator/percolator.ts';
import { POINT } from './point/point.ts';
import { rangeType } from './range/range-type.ts';
import { RANK_FEATURE } from './rank-feature/rank-feature.ts';
import { RANK_FEATURES } from './rank-feature/rank-features.ts';
import { SCALED_FLOAT } from './scaled-float/scaled-float.ts';
import { TEXT } from './text/text.ts';
import { TOKEN_COUNT } from './token-count/token-count.ts';
import { UNSIGNED_LONG } from './unsigned-long/unsigned-long.ts';
import { VERSION } from './version/version.ts';

const FIELD_TYPES: { readonly [K in FieldKind]: FieldType } = {
  text: TEXT,
  join: JOIN,
  percolator: PERCOLATOR,
  keyword: KEYWORD,
  long: wholeNumberType(LONG_RANGE),
  integer: wholeNumberType(INTEGER_RANGE),
  short: wholeNumberType(SHORT_RANGE),
  byte: wholeNumberType(BYTE_RANGE),
  double: fractionType('double'),
  float: fractionType('float'),
  half_float: fractionType('half'),
  scaled_float: SCALED_FLOAT,
  boolean: BOOLEAN,
  date: DATE,
  date_nanos: DATE_NANOS,
  ip: IP,
  unsigned_long: UNSIGNED_LONG,
  binary: BINARY,
  geo_point: GEO_POINT,
  geo_shape: GEO_SHAPE,
  shape: SHAPE,
  point: POINT,
  dense_vector: DENSE_VECTOR,
  knn_vector: DENSE_VECTOR,
  completion: COMPLETION,
  token_count: TOKEN_COUNT,
  search_as_you_type: TEXT,
  rank_feature: RANK_FEATURE,
  rank_features: RANK_FEATURES,
  flattened: FLATTENED,
  constant_keyword: CONSTANT_KEYWORD,
  wildcard: KEYWORD,
  version: VERSION,
  histogram: HISTOGRAM,
  match_only_text: TEXT,
  integer_range: rangeType('integer'),
  long_range: rangeType('long'),
  float_range: rangeType('float'),
  double_range: rangeType('double'),
  date_range: rangeType('date'),
  ip_range: rangeType('ip'),
};

/** Type of a field, or of a name that `isFieldKind` has accepted. */
export function fieldType(kind: FieldKind): FieldType {
  return FIELD_TYPES[kind];
}

/** @throws ShoalError when the field has no column to sort or aggregate by */
export function checkColumn({ path, kind, hasDocValues, fielddata }: FieldMapping): void {
  if (fielddata !== null) return;
  const { hasColumn, sort } = FIELD_TYPES[kind];
  if (!hasColumn && sort.column === 'none' && sort.refusal !== undefined) throw illegalArgument(sort.refusal);
  if (!hasColumn && kind === 'text') throw illegalArgument(noFielddata(path));
  if (!hasColumn) throw illegalArgument(noColumn(path, kind));
  if (hasDocValues) return;
  throw illegalArgument(noDocValues(path, kind));
}
