/**
 * Mapping of an index, resolved: every field and object by its full path.
 *
 * Immutable. Made by `parseMapping` from the JSON that the cluster state holds; a change is a new JSON and a new mapping.
 */

import type { FieldMapping, ObjectMapping } from './field-mapping.ts';
import type { NameRegex } from './name-regex.ts';
import type { Similarities } from './similarity.ts';
import type { SourceRule } from './source-rule.ts';
import type { StoredApart } from './stored-apart.ts';

/** Field of the time of each document of a data stream. */
export const TIMESTAMP_FIELD = '@timestamp';
/** Part of a mapping that says whether every document must have one value of that field. */
export const TIMESTAMP_RULE = '_data_stream_timestamp';

/** Mapping as users write it: `{properties: {...}, dynamic: ...}`. */
export type MappingJson = Readonly<Record<string, unknown>>;

/** Entry of `dynamic_templates`: the first whose conditions hold gives a new field its declaration. */
export interface DynamicTemplate {
  readonly name: string;
  /** `*` or one of the types that JSON can show: string, long, double, boolean, date, object. */
  readonly matchMappingType: readonly string[];
  readonly unmatchMappingType: readonly string[];
  readonly match: readonly string[];
  readonly unmatch: readonly string[];
  readonly pathMatch: readonly string[];
  readonly pathUnmatch: readonly string[];
  /** Expressions by their text; null when patterns are simple ones. */
  readonly regexes: ReadonlyMap<string, NameRegex> | null;
  readonly mapping: MappingJson;
  /** New fields become runtime fields. */
  readonly isRuntime: boolean;
  /** It has no conditions: writes name it for a field, and it fits no other. */
  readonly isNamedOnly: boolean;
}

/** Defaults of parameters that the settings of an index choose. */
export interface FieldDefaults {
  /** `index.mapping.ignore_malformed` */
  readonly ignoreMalformed: boolean;
  /** `index.mapping.coerce`; null: each type has its own default. */
  readonly coerce: boolean | null;
  /** `index.similarity.*` */
  readonly similarities: Similarities;
}

export interface Mapping {
  readonly fieldDefaults: FieldDefaults;
  /** Leaf fields, multi-fields included, by full path. */
  readonly fields: ReadonlyMap<string, FieldMapping>;
  /** Objects by full path; the root under ''. */
  readonly objects: ReadonlyMap<string, ObjectMapping>;
  /** Fields by every name that a request may use: their paths, and the names that refer to them. */
  readonly named: ReadonlyMap<string, FieldMapping>;
  /** Fields of pass-through objects by their names without it, where no other field has those. */
  readonly passed: ReadonlyMap<string, FieldMapping>;
  /** Field of a name of `named` or `passed`, or one that every index has with values (`_seq_no`, `_ignored`); null for other names. */
  field(name: string): FieldMapping | null;
  isObject(path: string): boolean;
  /** Fields whose values are made when a document is searched. They hide others of their names. */
  readonly runtime: ReadonlyMap<string, FieldMapping>;
  /** Fields with one value that every document has. */
  readonly constants: readonly FieldMapping[];
  /** Paths of nested objects, outer ones first. */
  readonly nestedPaths: readonly string[];
  /** Path of the nested object that a field or object belongs to, not itself; '' for those of the root. */
  nestedAround(path: string): string;
  /** The flat object that a path stands in; null: objects stand for the dots of the path. */
  flatAround(path: string): ObjectMapping | null;
  /** Part of each document that is kept as it was sent. */
  readonly source: SourceRule;
  /** Stored fields whose values that part lacks; null without any. */
  readonly storedApart: StoredApart | null;
  /** Each document must have one value of the field `@timestamp`. */
  readonly requiresTimestamp: boolean;
  readonly hasDateDetection: boolean;
  readonly hasNumericDetection: boolean;
  readonly dynamicDateFormats: readonly string[];
  readonly dynamicTemplates: readonly DynamicTemplate[];
  /** JSON in normal form: what was set and nothing else. */
  readonly json: MappingJson;
}
