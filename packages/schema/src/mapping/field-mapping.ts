/**
 * Mapping of one field of an index: how its values are read, indexed and stored.
 *
 * A multi-field (`name.raw`) is a `FieldMapping` of its own, reached by its full dotted path and listed by its parent.
 * Every choice is resolved here (defaults filled in), so that nobody else needs to know Elasticsearch's defaults.
 */
import type { FieldSettings } from '../field-types/contract/declared-type.ts';
import type { FieldKind } from '../field-types/declared-types.ts';
import type { Similarity } from './similarity.ts';

export interface FieldMapping extends FieldSettings {
  /** Full dotted path, multi-fields included: `name.raw`. */
  readonly path: string;
  readonly kind: FieldKind;
  readonly isIndexed: boolean;
  /** Sorting and aggregations are allowed. Columns of numbers are written either way. */
  readonly hasDocValues: boolean;
  readonly isStored: boolean;
  /** Value indexed for an explicit null; null when not declared. */
  readonly nullValue: string | number | bigint | boolean | null;
  readonly coerce: boolean;
  readonly ignoreMalformed: boolean;
  /** Full paths of the fields that get a copy of each value. */
  readonly copyTo: readonly string[];
  /** Fields that index the same value in another way. */
  readonly multiFields: readonly FieldMapping[];
  readonly isMultiField: boolean;
  /** Made by a key of an object that is one value; no mapping lists it. */
  readonly isKeyed: boolean;
  readonly similarity: Similarity;
  /** How its values are made when a document is searched; null: they were indexed. */
  readonly runtime: RuntimeSource | null;
}

export interface RuntimeSource {
  /** `{source, lang, params}`; null: the values are those of its name in the document. */
  readonly script: Readonly<Record<string, unknown>> | null;
  /** Name under which the script emits its values beside those of other fields; null: all that it emits are its own. */
  readonly part: string | null;
}

/** What happens to a field that the mapping lacks. `runtime`: it becomes a runtime field, which reads the source. */
export type DynamicMode = 'true' | 'false' | 'strict' | 'runtime';

/** An object on the way to fields; the root has path ''. */
export interface ObjectMapping {
  readonly path: string;
  /** Mode of the object, inherited from its parent where not set. */
  readonly dynamic: DynamicMode;
  /** False: the object is in `_source` and never parsed. */
  readonly isEnabled: boolean;
  /** Each object of the path is a document of its own; null: its fields are those of the document around it. */
  readonly nested: NestedOptions | null;
  /** True: there are no objects in it, and dots in the names of its fields are parts of the names. */
  readonly isFlat: boolean;
  /** Its fields may be named without it; of two such names that of the object with the higher number counts. null: they may not. */
  readonly passthroughPriority: number | null;
}

/** Documents around a nested one that have its values too. */
export interface NestedOptions {
  readonly isInParent: boolean;
  readonly isInRoot: boolean;
}
