/**
 * Registry of field types: every name that "type" of a field may have. A new type is a folder and one line here; the engine's
 * own registry then does not compile until it says what having that type means.
 */
import { ALIAS } from './alias/alias.ts';
import { BINARY } from './binary/binary.ts';
import { BOOLEAN } from './boolean/boolean.ts';
import { COMPLETION } from './completion/completion.ts';
import { CONSTANT_KEYWORD } from './constant-keyword/constant-keyword.ts';
import type { DeclaredType, ReferenceType } from './contract/declared-type.ts';
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
import { KNN_VECTOR } from './knn-vector/knn-vector.ts';
import { MATCH_ONLY_TEXT } from './match-only-text/match-only-text.ts';
import { BYTE, DOUBLE, FLOAT, HALF_FLOAT, INTEGER, LONG, SHORT } from './number/number.ts';
import { PERCOLATOR } from './percolator/percolator.ts';
import { POINT } from './point/point.ts';
import { DATE_RANGE, DOUBLE_RANGE, FLOAT_RANGE, INTEGER_RANGE, IP_RANGE, LONG_RANGE } from './range/range.ts';
import { RANK_FEATURE, RANK_FEATURES } from './rank-feature/rank-feature.ts';
import { SCALED_FLOAT } from './scaled-float/scaled-float.ts';
import { SEARCH_AS_YOU_TYPE } from './search-as-you-type/search-as-you-type.ts';
import { TEXT } from './text/text.ts';
import { TOKEN_COUNT } from './token-count/token-count.ts';
import { UNSIGNED_LONG } from './unsigned-long/unsigned-long.ts';
import { VERSION } from './version/version.ts';
import { WILDCARD } from './wildcard/wildcard.ts';

/** Field types by name. A class, so that the names are derived from the one list: its members. */
class DeclaredTypes {
  readonly text: DeclaredType = TEXT;
  readonly keyword: DeclaredType = KEYWORD;
  readonly long: DeclaredType = LONG;
  readonly integer: DeclaredType = INTEGER;
  readonly short: DeclaredType = SHORT;
  readonly byte: DeclaredType = BYTE;
  readonly double: DeclaredType = DOUBLE;
  readonly float: DeclaredType = FLOAT;
  readonly half_float: DeclaredType = HALF_FLOAT;
  readonly scaled_float: DeclaredType = SCALED_FLOAT;
  readonly boolean: DeclaredType = BOOLEAN;
  readonly date: DeclaredType = DATE;
  readonly date_nanos: DeclaredType = DATE_NANOS;
  readonly ip: DeclaredType = IP;
  readonly unsigned_long: DeclaredType = UNSIGNED_LONG;
  readonly binary: DeclaredType = BINARY;
  readonly geo_point: DeclaredType = GEO_POINT;
  readonly geo_shape: DeclaredType = GEO_SHAPE;
  readonly shape: DeclaredType = SHAPE;
  readonly point: DeclaredType = POINT;
  readonly dense_vector: DeclaredType = DENSE_VECTOR;
  readonly knn_vector: DeclaredType = KNN_VECTOR;
  readonly completion: DeclaredType = COMPLETION;
  readonly integer_range: DeclaredType = INTEGER_RANGE;
  readonly long_range: DeclaredType = LONG_RANGE;
  readonly float_range: DeclaredType = FLOAT_RANGE;
  readonly double_range: DeclaredType = DOUBLE_RANGE;
  readonly date_range: DeclaredType = DATE_RANGE;
  readonly ip_range: DeclaredType = IP_RANGE;
  readonly constant_keyword: DeclaredType = CONSTANT_KEYWORD;
  readonly wildcard: DeclaredType = WILDCARD;
  readonly version: DeclaredType = VERSION;
  readonly histogram: DeclaredType = HISTOGRAM;
  readonly match_only_text: DeclaredType = MATCH_ONLY_TEXT;
  readonly flattened: DeclaredType = FLATTENED;
  readonly rank_feature: DeclaredType = RANK_FEATURE;
  readonly rank_features: DeclaredType = RANK_FEATURES;
  readonly join: DeclaredType = JOIN;
  readonly percolator: DeclaredType = PERCOLATOR;
  readonly search_as_you_type: DeclaredType = SEARCH_AS_YOU_TYPE;
  readonly token_count: DeclaredType = TOKEN_COUNT;
  readonly alias: ReferenceType = ALIAS;
}

type TypeName = keyof DeclaredTypes;

/** Name of a type of fields with values of their own. */
export type FieldKind = { [K in TypeName]: DeclaredTypes[K] extends DeclaredType ? K : never }[TypeName];

const TYPES: DeclaredTypes = new DeclaredTypes();

/** True when `type` names a type of fields with values of their own. */
export function isFieldKind(type: string): type is FieldKind {
  const declared = declaredType(type);
  return declared !== null && !isReference(declared);
}

/** Type of a name of the registry; null for an unknown name. */
export function declaredType(name: string): DeclaredType | ReferenceType | null {
  return isTypeName(name) ? TYPES[name] : null;
}

/** Declaration of a type of fields with values of their own. */
export function typeOfField(kind: FieldKind): DeclaredType {
  return TYPES[kind];
}

/** True for a list or an object that a field of this type takes as one value. */
export function isWholeValue(kind: FieldKind, value: object): boolean {
  return TYPES[kind].isWhole?.(value) === true;
}

function isTypeName(name: string): name is TypeName {
  return Object.hasOwn(TYPES, name);
}

export function isReference(type: DeclaredType | ReferenceType): type is ReferenceType {
  return 'target' in type;
}
