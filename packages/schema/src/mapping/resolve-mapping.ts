/**
 * Normalised mapping JSON to fields and objects by their full paths, defaults filled in.
 */
import { assert } from '@shoal/core';
import { asObject, type JsonObject, own } from '../declaration/json-object.ts';
import { mapperParsing } from '../declaration/mapping-error.ts';
import { isObjectType, NESTED_TYPE } from '../declaration/object-type.ts';
import type { SideField } from '../field-types/contract/gram-shape.ts';
import { declaredType, isFieldKind, isReference } from '../field-types/declared-types.ts';
import { readTemplates } from './dynamic-templates.ts';
import type { DynamicMode, FieldMapping, ObjectMapping } from './field-mapping.ts';
import { joinIdFieldNamed } from './join-field.ts';
import { keyedFieldNamed } from './keyed-field.ts';
import { type FieldDefaults, type Mapping, type MappingJson, TIMESTAMP_RULE } from './mapping.ts';
import { BUILT_IN_SIMILARITIES, similarityOf } from './similarity.ts';
import { readSourceRule, type SourceRule } from './source-rule.ts';
import { type StoredApart, storedApartOf } from './stored-apart.ts';

/** Defaults of an index whose settings say nothing of them. */
export const USUAL_DEFAULTS: FieldDefaults = {
  ignoreMalformed: false,
  coerce: true,
  similarities: BUILT_IN_SIMILARITIES,
};

class ResolvedMapping implements Mapping {
  readonly fields = new Map<string, FieldMapping>();
  readonly named = new Map<string, FieldMapping>();
  readonly objects = new Map<string, ObjectMapping>();
  readonly nestedPaths: string[] = [];
  readonly constants: FieldMapping[] = [];
  readonly source: SourceRule;
  storedApart: StoredApart | null = null;
  readonly requiresTimestamp: boolean;
  readonly hasDateDetection: boolean;
  readonly hasNumericDetection: boolean;
  readonly dynamicDateFormats: readonly string[];
  readonly dynamicTemplates: Mapping['dynamicTemplates'];
  readonly json: MappingJson;
  readonly fieldDefaults: FieldDefaults;

  constructor(json: MappingJson, fieldDefaults: FieldDefaults) {
    this.json = json;
    this.fieldDefaults = fieldDefaults;
    this.requiresTimestamp = isTrue(asObject(json[TIMESTAMP_RULE])?.enabled, false);
    this.source = readSourceRule(asObject(json._source) ?? {});
    this.hasDateDetection = isTrue(json.date_detection, true);
    this.hasNumericDetection = isTrue(json.numeric_detection, false);
    this.dynamicDateFormats = Array.isArray(json.dynamic_date_formats)
      ? json.dynamic_date_formats.map(String)
      : ['strict_date_optional_time', 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis'];
    this.dynamicTemplates = readTemplates(json.dynamic_templates);
  }

  field(name: string): FieldMapping | null {
    const known = this.named.get(name) ?? METADATA_COLUMNS.get(name) ?? joinIdFieldNamed(this.fields, name);
    return known ?? keyedFieldNamed(this.fields, name);
  }

  isObject(path: string): boolean {
    return this.objects.has(path);
  }

  nestedAround(path: string): string {
    if (this.nestedPaths.length === 0) return '';
    for (let dot = path.lastIndexOf('.'); dot >= 0; dot = path.lastIndexOf('.', dot - 1)) {
      const above = path.slice(0, dot);
      if (this.objects.get(above)?.nested) return above;
    }
    return '';
  }
}

/** `_routing.required` of a mapping as the cluster state holds it: read on every write by id, so without resolving the fields. */
export function requiresRouting(json: MappingJson): boolean {
  return isTrue(asObject(json._routing)?.required, false);
}

/** Mapping of JSON that `normaliseMapping` has brought into normal form. */
export function resolveMapping(json: MappingJson, defaults: FieldDefaults): Mapping {
  const mapping = new ResolvedMapping(json, defaults);
  const root: ObjectMapping = {
    path: '',
    dynamic: readDynamic(json, 'true'),
    isEnabled: isTrue(json.enabled, true),
    nested: null,
  };
  mapping.objects.set('', root);
  const references = new Map<string, string>();
  resolveProperties(mapping, references, asObject(json.properties) ?? {}, root);
  for (const [path, field] of mapping.fields) mapping.named.set(path, field);
  mapping.storedApart = storedApartOf(mapping.fields, mapping.source);
  for (const field of mapping.fields.values()) if (field.constant !== null) mapping.constants.push(field);
  for (const [name, target] of references) mapping.named.set(name, targetOf(mapping, references, name, target));
  return mapping;
}

/** @throws ShoalError when the path is not that of a field with values of its own */
function targetOf(
  { fields }: ResolvedMapping,
  references: ReadonlyMap<string, string>,
  name: string,
  target: string,
): FieldMapping {
  const refuse = (why: string) => mapperParsing(`Invalid [path] value [${target}] for field alias [${name}]: ${why}.`);
  if (target === name) throw refuse('an alias cannot refer to itself');
  if (references.has(target)) throw refuse('an alias cannot refer to another alias');
  const field = fields.get(target);
  if (field === undefined) throw refuse('an alias must refer to an existing field in the mappings');
  return field;
}

/** Adds fields and objects to the mapping, and the targets of references by their names. */
function resolveProperties(
  into: ResolvedMapping,
  references: Map<string, string>,
  properties: JsonObject,
  parent: ObjectMapping,
): void {
  for (const [name, value] of Object.entries(properties)) {
    const json = asObject(value) ?? {};
    const path = parent.path === '' ? name : `${parent.path}.${name}`;
    const type = own(json, 'type');
    if (type === undefined || isObjectType(type)) {
      const object: ObjectMapping = {
        path,
        dynamic: readDynamic(json, parent.dynamic),
        isEnabled: parent.isEnabled && isTrue(json.enabled, true),
        nested:
          type === NESTED_TYPE
            ? { isInParent: isTrue(json.include_in_parent, false), isInRoot: isTrue(json.include_in_root, false) }
            : null,
      };
      into.objects.set(path, object);
      if (object.nested !== null) into.nestedPaths.push(path);
      resolveProperties(into, references, asObject(json.properties) ?? {}, object);
    } else {
      const declared = declaredType(String(type));
      if (declared !== null && isReference(declared)) {
        references.set(path, declared.target(json));
        continue;
      }
      const field = resolveField(path, json, { isMultiField: false, defaults: into.fieldDefaults });
      into.fields.set(path, field);
      for (const multi of field.multiFields) into.fields.set(multi.path, multi);
    }
  }
}

interface FieldPlace {
  readonly isMultiField: boolean;
  readonly defaults: FieldDefaults;
}

function resolveField(path: string, json: JsonObject, { isMultiField, defaults }: FieldPlace): FieldMapping {
  const kind = String(json.type);
  const type = declaredType(kind);
  assert(
    isFieldKind(kind) && type !== null && !isReference(type),
    `field [${path}] of a normalised mapping has the unknown type [${kind}]`,
  );
  const value = (key: string): unknown =>
    own(json, key) ?? type.parameters.get(key)?.otherwise ?? type.implied?.get(key);
  const indexFlag = (key: string, otherwise: boolean): boolean =>
    type.parameters.has(key) && (own(json, key) ?? otherwise) === true;
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
    ...settings,
  };
  const beside = settings.sideFields;
  return beside.length === 0
    ? field
    : { ...field, multiFields: [...beside.map((side) => sideField(field, side)), ...subFields] };
}

/** Field beside another one. Beginnings of words only match: they have neither frequencies nor lengths. */
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
    hasFreqs: field.hasFreqs && isScored,
    hasPositions: field.hasPositions && isScored,
    fielddata: null,
    hasIndexedPrefixes: false,
  };
}

function readDynamic(json: JsonObject, inherited: DynamicMode): DynamicMode {
  const value = own(json, 'dynamic');
  return value === 'true' || value === 'false' || value === 'strict' || value === 'runtime' ? value : inherited;
}

function isTrue(value: unknown, otherwise: boolean): boolean {
  return value === undefined ? otherwise : value === true || value === 'true';
}

/** `_ignored`: names of the fields that a document has values of which were left out. Every index has it, no mapping lists it. */
export const IGNORED_FIELD: FieldMapping = resolveField(
  '_ignored',
  { type: 'keyword' },
  { isMultiField: false, defaults: USUAL_DEFAULTS },
);

/** `_doc_count`: documents that a document stands for in the counts of buckets; 1 where it has none. */
export const DOC_COUNT_FIELD: FieldMapping = resolveField(
  '_doc_count',
  { type: 'integer', index: false },
  { isMultiField: false, defaults: USUAL_DEFAULTS },
);

/** Fields that no mapping declares and every index has with values like those of declared ones. */
const METADATA_COLUMNS: ReadonlyMap<string, FieldMapping> = new Map(
  [
    IGNORED_FIELD,
    DOC_COUNT_FIELD,
    ...[
      { path: '_routing', json: { type: 'keyword', doc_values: false } },
      { path: '_seq_no', json: { type: 'long' } },
      { path: '_version', json: { type: 'long', index: false } },
    ].map(({ path, json }) => resolveField(path, json, { isMultiField: false, defaults: USUAL_DEFAULTS })),
  ].map((field) => [field.path, field]),
);
