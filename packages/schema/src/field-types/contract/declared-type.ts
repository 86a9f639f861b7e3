/**
 * Contract of a field type's declaration: what a mapping may say of a field of this type, and what follows from it.
 *
 * One object a type, listed in `declared-types.ts`. What having the type means (values, queries, sorting) is the engine's.
 */
import type { JsonObject } from '../../declaration/json-object.ts';
import type { JoinRelations } from '../../declaration/relations.ts';
import type { CompletionSettings } from './completion-settings.ts';
import type { GramSettings, SideField } from './gram-shape.ts';
import type { ParameterTable } from './parameter-rule.ts';
import type { VectorSettings } from './vector-settings.ts';

/** Settings of a field that only some types have, defaults filled in; `NO_SETTINGS` for the others. */
export interface FieldSettings {
  /** Lengths of the field are stored, for scores. */
  readonly hasNorms: boolean;
  /** Postings hold frequencies. */
  readonly hasFreqs: boolean;
  /** Postings hold positions. */
  readonly hasPositions: boolean;
  /** Name of the analyzer that indexes; empty for types without one. */
  readonly analyzer: string;
  /** Name of the analyzer that queries; empty for types without one. */
  readonly searchAnalyzer: string;
  /** Name of the analyzer of phrases; empty for types without one. */
  readonly searchQuoteAnalyzer: string;
  /** Longest value in UTF-16 units; longer ones are neither indexed nor in the column; null: no limit. */
  readonly ignoreAbove: number | null;
  /** Date format as declared, such as `strict_date_optional_time||epoch_millis`; empty for types without one. */
  readonly format: string;
  /** Name of the similarity, as declared; null: that of the index. */
  readonly similarityName: string | null;
  /** Positions between two values of one text field. */
  readonly positionIncrementGap: number;
  /** Terms that the values by document of a text field have; null: it has no values by document. */
  readonly fielddata: FrequencyFilter | null;
  /** Values are kept as whole multiples of its reciprocal; 0 for types that keep them as they are. */
  readonly scalingFactor: number;
  /** How inputs of a `completion` field are kept; null for other types. */
  readonly completion: CompletionSettings | null;
  /** Third coordinates of points are left out; false: they are refused. */
  readonly ignoresZ: boolean;
  /** Shells of areas are written clockwise. */
  readonly hasClockwiseShells: boolean;
  /** Value that all documents have; null: each has its own, or none is known yet. */
  readonly constant: string | null;
  /** Deepest nesting of an object that is one value; 0 for types that take none. */
  readonly depthLimit: number;
  /** Numbers that a vector has; 0 for types without, and where no document has told yet. */
  readonly dims: number;
  /** How vectors are compared; null for types without. */
  readonly vectors: VectorSettings | null;
  /** A larger value of a feature lowers the score. */
  readonly isInverse: boolean;
  /** Kinds of children by that of their parent; empty for types without. */
  readonly relations: JoinRelations;
  /** Runs of words that are indexed in place of the words; null: the words. */
  readonly grams: GramSettings | null;
  /** Fields that the declaration makes beside its own. */
  readonly sideFields: readonly SideField[];
  /** Phrases may end in any number of words that begin as the last one does. */
  readonly hasIndexedPrefixes: boolean;
  /** Lengths of beginnings of words that are indexed, in UTF-16 units; null: none are. */
  readonly prefixLengths: PrefixLengths | null;
  /** Words that the analyzer leaves out are counted. */
  readonly countsGaps: boolean;
  /** Name of the normalizer of whole values; empty: they are kept as they are. */
  readonly normalizer: string;
  /** Parts of the term vectors of documents that are shown without asking; null: none are. */
  readonly termVector: TermVectorParts | null;
  /** Texts of queries are whole values between spaces; false: a text is one value. */
  readonly splitsQueries: boolean;
}

export interface PrefixLengths {
  readonly min: number;
  readonly max: number;
}

/** Beside the frequencies of the terms. */
export interface TermVectorParts {
  readonly hasPositions: boolean;
  readonly hasOffsets: boolean;
  readonly hasPayloads: boolean;
}

/** Terms by how many documents of a segment have them: a share of those with the field up to 1, else their number. */
export interface FrequencyFilter {
  readonly min: number;
  readonly max: number;
  /** Segments with fewer documents that have the field are taken whole. */
  readonly minSegmentSize: number;
}

export const NO_SETTINGS: FieldSettings = {
  fielddata: null,
  hasNorms: false,
  hasFreqs: false,
  hasPositions: false,
  analyzer: '',
  searchAnalyzer: '',
  searchQuoteAnalyzer: '',
  ignoreAbove: null,
  format: '',
  similarityName: null,
  termVector: null,
  prefixLengths: null,
  positionIncrementGap: 0,
  scalingFactor: 0,
  ignoresZ: false,
  hasClockwiseShells: false,
  completion: null,
  constant: null,
  depthLimit: 0,
  dims: 0,
  vectors: null,
  isInverse: false,
  relations: new Map(),
  grams: null,
  sideFields: [],
  hasIndexedPrefixes: false,
  countsGaps: false,
  normalizer: '',
  splitsQueries: false,
};

/** Value of a declared parameter by its name, or its default; undefined for one that the type does not have. */
export type ParameterReader = (name: string) => unknown;

/** Declared `similarity`; null for none. */
export function similarityName(value: ParameterReader): string | null {
  const name = value('similarity');
  return typeof name === 'string' ? name : null;
}

/** Declaration of a name that stands for another field, such as an alias. */
export interface ReferenceType {
  readonly parameters: ParameterTable;
  check(name: string, json: JsonObject): void;
  /** Full path of the field that a checked declaration refers to. */
  target(json: JsonObject): string;
}

/** A value of a document's source that may be one of a field: lists and objects only where the type takes them whole. */
export type SourceValue = string | number | bigint | boolean | object;

/** Declaration of a field with values of its own. */
export interface DeclaredType {
  readonly parameters: ParameterTable;
  /** Lists and objects of a document that are one value; left out where values are scalars, and lists are lists of them. */
  readonly isWhole?: (value: object) => boolean;
  /** Type of the fields that the keys of an object make, which is one value; left out where they make none. */
  readonly keyKind?: string;
  /** Values of parameters that no declaration of the type may have. */
  readonly implied?: ReadonlyMap<string, unknown>;
  /** Parameters that are printed with their defaults too; left out where none is. */
  readonly alwaysPrinted?: readonly string[];
  /** Type under which fields of several indices are one; left out where it is the type's own name. */
  readonly family?: string;
  /**
   * Checks that no single parameter's rule expresses. `name` is the last part of the path.
   *
   * @throws ShoalError `mapper_parsing_exception`
   */
  check(name: string, json: JsonObject): void;
  /** Settings of a field from its checked parameters. */
  settings(value: ParameterReader): FieldSettings;
  /** A value as a stored field of this type shows it; null for one that the field ignores. */
  storedValue(value: SourceValue, settings: FieldSettings): unknown;
}

/** Type whose parameters say all there is: no check across them, no settings of its own. */
export function plainType(parameters: ParameterTable, storedValue: DeclaredType['storedValue']): DeclaredType {
  return { parameters, check: () => {}, settings: () => NO_SETTINGS, storedValue };
}
