/**
 * Declaration of a field in normal form to the field, defaults filled in.
 */
import { assert } from '@shoal/core';
import { asObject, type JsonObject, own } from '../declaration/json-object.ts';
import type { SideField } from '../field-types/contract/gram-shape.ts';
import { declaredType, isFieldKind, isReference } from '../field-types/declared-types.ts';
import type { FieldMapping } from './field-mapping.ts';
import type { FieldDefaults } from './mapping.ts';
import { BUILT_IN_SIMILARITIES, similarityOf } from './similarity.ts';

/** Defaults of an index whose settings say nothing of them. */
export const USUAL_DEFAULTS: FieldDefaults = {
  ignoreMalformed: false,
  coerce: null,
  similarities: BUILT_IN_SIMILARITIES,
};

export interface FieldPlace {
  readonly isMultiField: boolean;
  readonly defaults: FieldDefaults;
}

/** Field of a declaration in normal form, with the fields below it. */
export function resolveField(path: string, json: JsonObject, { isMultiField, defaults }: FieldPlace): FieldMapping {
  const kind = String(json.type);
  const type = declaredType(kind);
  assert(
    isFieldKind(kind) && type !== null && !isReference(type),
    `field [${path}] of a normalised mapping has the unknown type [${kind}]`,
  );
  const value = (key: string): unknown =>
    own(json, key) ?? type.parameters.get(key)?.otherwise ?? type.implied?.get(key);
  const indexFlag = (key: string, otherwise: boolean | null): boolean =>
    type.parameters.has(key) && (own(json, key) ?? otherwise ?? type.parameters.get(key)?.otherwise) === true;
  const subFields = Object.entries(asObject(json.fields) ?? {}).flatMap(([name, sub]) => {
    const multi = resolveField(`${path}.${name}`, asObject(sub) ?? {}, { isMultiField: true, defaults });
    // A document's value goes to the fields that one declaration lists: those beside a multi-field are listed with it.
    return [multi, ...multi.multiFields];
  });
  const nullValue = value('null_value');
  const settings = type.settings(value);
  // Settings last: an object that begins with a spread and goes on with other members takes five times as long to make.
  const field: FieldMapping = {
    similarity: similarityOf(defaults.similarities, settings.similarityName),
    path,
    kind,
    isIndexed: value('index') === true,
    hasDocValues: value('doc_values') === true,
    isStored: value('store') === true,
    nullValue:
      typeof nullValue === 'string' ||
      typeof nullValue === 'number' ||
      typeof nullValue === 'bigint' ||
      typeof nullValue === 'boolean'
        ? nullValue
        : null,
    coerce: indexFlag('coerce', defaults.coerce),
    ignoreMalformed: indexFlag('ignore_malformed', defaults.ignoreMalformed),
    copyTo: Array.isArray(json.copy_to) ? json.copy_to.map(String) : [],
    multiFields: subFields,
    isMultiField,
    isKeyed: false,
    runtime: null,
    ...settings,
  };
  const beside = settings.sideFields;
  return beside.length === 0
    ? field
    : { ...field, multiFields: [...beside.map((side) => sideField(field, side)), ...subFields] };
}

/** Field beside another one. Beginnings of words have no lengths, and frequencies where they are all that is searched. */
function sideField(field: FieldMapping, { name, grams }: SideField): FieldMapping {
  const isScored = grams.prefixes === null;
  return {
    ...field,
    path: `${field.path}.${name}`,
    isMultiField: true,
    isStored: false,
    copyTo: [],
    multiFields: [],
    searchQuoteAnalyzer: '',
    grams,
    sideFields: [],
    hasNorms: field.hasNorms && isScored,
    hasFreqs: field.hasFreqs && (isScored || field.kind === 'search_as_you_type'),
    hasPositions: field.hasPositions && isScored,
    fielddata: null,
    hasIndexedPrefixes: false,
  };
}
