/**
 * Normalised mapping JSON to fields and objects by their full paths, defaults filled in.
 */
import { asObject, type JsonObject, own } from '../declaration/json-object.ts';
import { mapperParsing } from '../declaration/mapping-error.ts';
import { isObjectType, isPassthrough, NESTED_TYPE } from '../declaration/object-type.ts';
import { declaredType, isReference } from '../field-types/declared-types.ts';
import { readTemplates } from './dynamic-templates.ts';
import type { DynamicMode, FieldMapping, ObjectMapping } from './field-mapping.ts';
import { isFlatObject } from './flat-object.ts';
import { joinIdFieldNamed } from './join-field.ts';
import { keyedFieldNamed } from './keyed-field.ts';
import { type FieldDefaults, type Mapping, type MappingJson, TIMESTAMP_RULE } from './mapping.ts';
import { passedNames } from './passthrough.ts';
import { resolveField, USUAL_DEFAULTS } from './resolve-field.ts';
import { resolveRuntime } from './runtime-section.ts';
import { readSourceRule, type SourceRule } from './source-rule.ts';
import { type StoredApart, storedApartOf } from './stored-apart.ts';

class ResolvedMapping implements Mapping {
  readonly fields = new Map<string, FieldMapping>();
  readonly named = new Map<string, FieldMapping>();
  readonly objects = new Map<string, ObjectMapping>();
  readonly nestedPaths: string[] = [];
  /** Objects without objects in them. */
  readonly flatObjects: ObjectMapping[] = [];
  readonly constants: FieldMapping[] = [];
  passed: ReadonlyMap<string, FieldMapping> = new Map();
  readonly runtime: ReadonlyMap<string, FieldMapping>;
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
    this.runtime = resolveRuntime(json.runtime);
  }

  field(name: string): FieldMapping | null {
    const known = this.named.get(name) ?? METADATA_COLUMNS.get(name) ?? joinIdFieldNamed(this.fields, name);
    if (known !== null) return known;
    // Keys of an object that is one value are passed through with it.
    return this.passed.get(name) ?? keyedFieldNamed(this.fields, name) ?? keyedFieldNamed(this.passed, name);
  }

  isObject(path: string): boolean {
    return this.objects.has(path);
  }

  nestedAround(path: string): string {
    if (this.nestedPaths.length === 0 || this.runtime.has(path)) return '';
    for (let dot = path.lastIndexOf('.'); dot >= 0; dot = path.lastIndexOf('.', dot - 1)) {
      const above = path.slice(0, dot);
      if (this.objects.get(above)?.nested) return above;
    }
    return '';
  }

  flatAround(path: string): ObjectMapping | null {
    if (this.flatObjects.length === 0) return null;
    return this.flatObjects.find((flat) => flat.path === '' || path.startsWith(`${flat.path}.`)) ?? null;
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
    isFlat: isFlatObject(json),
    passthroughPriority: null,
  };
  mapping.objects.set('', root);
  if (root.isFlat) mapping.flatObjects.push(root);
  const references = new Map<string, string>();
  resolveProperties(mapping, references, asObject(json.properties) ?? {}, root);
  for (const [path, field] of mapping.fields) mapping.named.set(path, field);
  mapping.storedApart = storedApartOf(mapping.fields, mapping.source);
  for (const field of mapping.fields.values()) if (field.constant !== null) mapping.constants.push(field);
  for (const [name, target] of references) mapping.named.set(name, targetOf(mapping, references, name, target));
  for (const [name, field] of mapping.runtime) mapping.named.set(name, field);
  mapping.passed = passedNames(mapping);
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
        isFlat: isFlatObject(json),
        passthroughPriority: isPassthrough(json) ? Number(json.priority) : null,
      };
      into.objects.set(path, object);
      if (object.isFlat) into.flatObjects.push(object);
      if (object.nested !== null) into.nestedPaths.push(path);
      resolveProperties(into, references, asObject(json.properties) ?? {}, object);
    } else {
      const declared = declaredType(String(type));
      if (declared !== null && isReference(declared)) {
        references.set(path, declared.target(json));
        continue;
      }
      const field = resolveField(path, json, { isMultiField: false, defaults: into.fieldDefaults });
      for (const one of [field, ...field.multiFields]) {
        // In a flat object a multi-field and a field beside it may come to one name.
        if (into.fields.has(one.path)) throw mapperParsing(`Field [${one.path}] is defined more than once`);
        into.fields.set(one.path, one);
      }
    }
  }
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
