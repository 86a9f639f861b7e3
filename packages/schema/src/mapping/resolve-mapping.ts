/**
 * Normalised mapping JSON to fields and objects by their full paths, defaults filled in.
 */
import { assert } from '@shoal/core';
import { asObject, type JsonObject, own } from '../declaration/json-object.ts';
import { declaredType, isFieldKind } from '../field-types/declared-types.ts';
import { readTemplates } from './dynamic-templates.ts';
import type { DynamicMode, FieldMapping, ObjectMapping } from './field-mapping.ts';
import type { Mapping, MappingJson } from './mapping.ts';

class ResolvedMapping implements Mapping {
  readonly fields = new Map<string, FieldMapping>();
  readonly objects = new Map<string, ObjectMapping>();
  readonly isSourceEnabled: boolean;
  readonly isRoutingRequired: boolean;
  readonly hasDateDetection: boolean;
  readonly hasNumericDetection: boolean;
  readonly dynamicDateFormats: readonly string[];
  readonly dynamicTemplates: Mapping['dynamicTemplates'];
  readonly json: MappingJson;

  constructor(json: MappingJson) {
    this.json = json;
    this.isSourceEnabled = isTrue(asObject(json._source)?.enabled, true);
    this.isRoutingRequired = isTrue(asObject(json._routing)?.required, false);
    this.hasDateDetection = isTrue(json.date_detection, true);
    this.hasNumericDetection = isTrue(json.numeric_detection, false);
    this.dynamicDateFormats = Array.isArray(json.dynamic_date_formats)
      ? json.dynamic_date_formats.map(String)
      : ['strict_date_optional_time', 'yyyy/MM/dd HH:mm:ss Z||yyyy/MM/dd Z'];
    this.dynamicTemplates = readTemplates(json.dynamic_templates);
  }

  field(path: string): FieldMapping | null {
    return this.fields.get(path) ?? null;
  }

  isObject(path: string): boolean {
    return this.objects.has(path);
  }
}

/** Mapping of JSON that `normaliseMapping` has brought into normal form. */
export function resolveMapping(json: MappingJson): Mapping {
  const mapping = new ResolvedMapping(json);
  const root: ObjectMapping = { path: '', dynamic: readDynamic(json, 'true'), isEnabled: isTrue(json.enabled, true) };
  mapping.objects.set('', root);
  resolveProperties(mapping, asObject(json.properties) ?? {}, root);
  return mapping;
}

function resolveProperties(into: ResolvedMapping, properties: JsonObject, parent: ObjectMapping): void {
  for (const [name, value] of Object.entries(properties)) {
    const json = asObject(value) ?? {};
    const path = parent.path === '' ? name : `${parent.path}.${name}`;
    const type = own(json, 'type');
    if (type === undefined || type === 'object') {
      const object: ObjectMapping = {
        path,
        dynamic: readDynamic(json, parent.dynamic),
        isEnabled: parent.isEnabled && isTrue(json.enabled, true),
      };
      into.objects.set(path, object);
      resolveProperties(into, asObject(json.properties) ?? {}, object);
    } else {
      const field = resolveField(path, json, false);
      into.fields.set(path, field);
      for (const multi of field.multiFields) into.fields.set(multi.path, multi);
    }
  }
}

function resolveField(path: string, json: JsonObject, isMultiField: boolean): FieldMapping {
  const kind = String(json.type);
  assert(isFieldKind(kind), `field [${path}] of a normalised mapping has the unknown type [${kind}]`);
  const type = declaredType(kind);
  const value = (key: string): unknown => own(json, key) ?? type.parameters.get(key)?.otherwise;
  const subFields = Object.entries(asObject(json.fields) ?? {});
  const nullValue = value('null_value');
  return {
    ...type.settings(value),
    path,
    kind,
    isIndexed: value('index') === true,
    hasDocValues: value('doc_values') === true,
    isStored: value('store') === true,
    nullValue:
      typeof nullValue === 'string' || typeof nullValue === 'number' || typeof nullValue === 'boolean'
        ? nullValue
        : null,
    coerce: value('coerce') === true,
    ignoreMalformed: value('ignore_malformed') === true,
    boost: Number(value('boost') ?? 1),
    copyTo: Array.isArray(json.copy_to) ? json.copy_to.map(String) : [],
    multiFields: subFields.map(([name, sub]) => resolveField(`${path}.${name}`, asObject(sub) ?? {}, true)),
    isMultiField,
  };
}

function readDynamic(json: JsonObject, inherited: DynamicMode): DynamicMode {
  const value = own(json, 'dynamic');
  return value === 'true' || value === 'false' || value === 'strict' || value === 'runtime' ? value : inherited;
}

function isTrue(value: unknown, otherwise: boolean): boolean {
  return value === undefined ? otherwise : value === true || value === 'true';
}
