/**
 * Mapping JSON to a resolved `Mapping`, its merge with an update, and its printed form.
 */
import { illegalArgument } from '@shoal/core';
import { readTemplates } from './dynamic-templates.ts';
import type { DynamicMode, FieldKind, FieldMapping, ObjectMapping } from './field-mapping.ts';
import { DATE_FORMAT_DEFAULT, parameterTable } from './field-parameters.ts';
import { asObject, type JsonObject, own } from './json-object.ts';
import type { Mapping, MappingJson } from './mapping.ts';
import { failedToParseMapping, mapperParsing } from './mapping-error.ts';
import { mergeRoot } from './mapping-merge.ts';
import { normaliseMapping } from './object-declaration.ts';

export interface MappingLimits {
  /** Fields, multi-fields and objects together. */
  readonly totalFieldsLimit: number;
  readonly depthLimit: number;
  readonly fieldNameLengthLimit: number;
}

/** Throws `mapper_parsing_exception` when the JSON is no mapping. */
export function parseMapping(json: unknown): Mapping {
  return resolve(normaliseMapping(json));
}

/**
 * The mapping after an update. Throws `illegal_argument_exception` when the update conflicts with what stands, or a limit
 * of the index is passed.
 */
export function mergeMapping(current: unknown, update: unknown, limits?: MappingLimits): MappingJson {
  const before = normaliseMapping(current);
  const merged = mergeRoot(before, normaliseMapping(update));
  if (limits !== undefined) checkLimits(resolve(merged), limits);
  return merged;
}

/** As `GET _mapping` prints it: what was set, names in order. */
export function renderMapping(mapping: Mapping): MappingJson {
  return mapping.json;
}

/** Throws when an analyzer that the mapping names is neither built in nor declared by the index. */
export function checkAnalyzers(mapping: Mapping, isKnown: (name: string) => boolean): void {
  for (const field of mapping.fields.values()) {
    for (const name of [field.analyzer, field.searchAnalyzer]) {
      if (name === '' || isKnown(name)) continue;
      throw failedToParseMapping(mapperParsing(`analyzer [${name}] has not been configured in mappings`));
    }
  }
}

/** Throws when the mapping may not have `added` fields more. Costs nothing, unlike merging them to see. */
export function checkFieldCount(mapping: Mapping, added: number, limits: MappingLimits): void {
  const count = mapping.fields.size + mapping.objects.size - 1 + added;
  if (count > limits.totalFieldsLimit) {
    throw illegalArgument(`Limit of total fields [${limits.totalFieldsLimit}] has been exceeded`);
  }
}

function checkLimits(mapping: Mapping, limits: MappingLimits): void {
  checkFieldCount(mapping, 0, limits);
  for (const path of mapping.objects.keys()) {
    const depth = path === '' ? 1 : path.split('.').length + 1;
    if (depth > limits.depthLimit) {
      throw illegalArgument(
        `Limit of mapping depth [${limits.depthLimit}] has been exceeded due to object field [${path}]`,
      );
    }
  }
  for (const path of mapping.fields.keys()) {
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (name.length > limits.fieldNameLengthLimit) {
      throw illegalArgument(
        `Field name [${name}] is longer than the limit of [${limits.fieldNameLengthLimit}] characters`,
      );
    }
  }
}

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

function resolve(json: MappingJson): Mapping {
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
  // The normaliser let only known kinds through.
  const kind = json.type as FieldKind;
  const table = parameterTable(kind);
  const value = (key: string): unknown => own(json, key) ?? table?.get(key)?.otherwise;
  const isText = kind === 'text';
  const indexOptions = isText || kind === 'keyword' ? String(value('index_options')) : 'docs';
  const analyzer = isText ? String(value('analyzer')) : '';
  const subFields = Object.entries(asObject(json.fields) ?? {});
  const nullValue = value('null_value');
  const ignoreAbove = value('ignore_above');
  return {
    path,
    kind,
    isIndexed: value('index') === true,
    hasDocValues: value('doc_values') === true,
    hasNorms: value('norms') === true,
    hasFreqs: indexOptions !== 'docs',
    hasPositions: indexOptions === 'positions' || indexOptions === 'offsets',
    isStored: value('store') === true,
    analyzer,
    searchAnalyzer: isText ? String(value('search_analyzer') ?? analyzer) : '',
    ignoreAbove: typeof ignoreAbove === 'number' ? ignoreAbove : null,
    nullValue:
      typeof nullValue === 'string' || typeof nullValue === 'number' || typeof nullValue === 'boolean'
        ? nullValue
        : null,
    format: kind === 'date' ? String(value('format') ?? DATE_FORMAT_DEFAULT) : '',
    coerce: value('coerce') === true,
    ignoreMalformed: value('ignore_malformed') === true,
    positionIncrementGap: Number(value('position_increment_gap') ?? 0),
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
