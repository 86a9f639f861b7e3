/**
 * What one field of an index declares: how its values are read, indexed and kept.
 *
 * A multi-field (`name.raw`) is a `FieldMapping` of its own, reached by its full dotted path and listed by its parent.
 * Every choice is resolved here (defaults filled in), so that nobody else needs to know Elasticsearch's defaults.
 */

export type NumericKind = 'long' | 'integer' | 'short' | 'byte' | 'double' | 'float';
export type FieldKind = 'text' | 'keyword' | NumericKind | 'boolean' | 'date' | 'ip';

export interface FieldMapping {
  /** Full dotted path, multi-fields included: `name.raw`. */
  readonly path: string;
  readonly kind: FieldKind;
  readonly isIndexed: boolean;
  /** Sorting and aggregations are allowed. Columns of numbers are written either way. */
  readonly hasDocValues: boolean;
  readonly hasNorms: boolean;
  /** Frequencies, and positions, are kept in the postings. */
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  readonly isStored: boolean;
  readonly analyzer: string;
  readonly searchAnalyzer: string;
  /** Keyword values longer than this (in UTF-16 units) are neither indexed nor in the column; null: no limit. */
  readonly ignoreAbove: number | null;
  /** Takes the place of an explicit null; null when not declared. */
  readonly nullValue: string | number | boolean | null;
  /** Date format as declared, such as `strict_date_optional_time||epoch_millis`; empty for other kinds. */
  readonly format: string;
  readonly coerce: boolean;
  readonly ignoreMalformed: boolean;
  /** Positions between two values of one text field. */
  readonly positionIncrementGap: number;
  readonly boost: number;
  /** Full paths of the fields that get a copy of each value. */
  readonly copyTo: readonly string[];
  /** Fields that index the same value in another way. */
  readonly multiFields: readonly FieldMapping[];
  readonly isMultiField: boolean;
}

/** `runtime` behaves as `false` here: values stay in `_source` and are not indexed. */
export type DynamicMode = 'true' | 'false' | 'strict' | 'runtime';

/** An object on the way to fields; the root has path ''. */
export interface ObjectMapping {
  readonly path: string;
  /** Already inherited from the parent where not set. */
  readonly dynamic: DynamicMode;
  /** false: kept in `_source`, never parsed. */
  readonly isEnabled: boolean;
}

export function isNumericKind(kind: FieldKind): kind is NumericKind {
  switch (kind) {
    case 'long':
    case 'integer':
    case 'short':
    case 'byte':
    case 'double':
    case 'float':
      return true;
    default:
      return false;
  }
}
