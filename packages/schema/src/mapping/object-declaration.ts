/**
 * Declaration of an object (the root too): its JSON checked, dotted names unfolded into objects, in the form that is stored.
 */
import { illegalArgument, isShoalError } from '@shoal/core';
import { asObject, type JsonObject, javaClassOf, javaPrinted, own } from '../declaration/json-object.ts';
import { failedToParseMapping, mapperParsing } from '../declaration/mapping-error.ts';
import {
  isNested,
  isObjectType,
  isPassthrough,
  NESTED_KEYS,
  NESTED_TYPE,
  OBJECT_KEYS,
  PASSTHROUGH_KEYS,
  PASSTHROUGH_TYPE,
} from '../declaration/object-type.ts';
import { normaliseTemplates } from './dynamic-templates.ts';
import { normaliseField } from './field-declaration.ts';
import { flattenedProperties, isFlatObject } from './flat-object.ts';
import { type MappingJson, TIMESTAMP_RULE } from './mapping.ts';
import { mergeProperties } from './mapping-merge.ts';
import { normaliseRuntime } from './runtime-section.ts';
import { normaliseSource } from './source-rule.ts';

/** Deepest nesting of objects, checked before the index's own limit: a guard against stack overflow. */
const DEPTH_MAX = 100;
const ROOT_KEYS: ReadonlySet<string> = new Set([
  'dynamic',
  'properties',
  'enabled',
  'subobjects',
  '_source',
  '_routing',
  '_field_names',
  TIMESTAMP_RULE,
  '_meta',
  'date_detection',
  'numeric_detection',
  'dynamic_date_formats',
  'dynamic_templates',
  'runtime',
]);

/** Whole mapping JSON in normal form. Throws `mapper_parsing_exception`. */
export function normaliseMapping(json: unknown): MappingJson {
  try {
    return normaliseRoot(unwrapType(json));
  } catch (error) {
    if (isShoalError(error)) throw failedToParseMapping(error);
    throw error;
  }
}

/** Mapping inside `{_doc: {properties…}}`, the form of clients that still name the type. */
function unwrapType(json: unknown): JsonObject {
  if (json === null || json === undefined) return {};
  const object = asObject(json);
  if (object === null) throw mapperParsing(`mapping must be an object but was [${javaClassOf(json)}]`);
  const inner = asObject(own(object, '_doc'));
  return inner !== null && Object.keys(object).length === 1 ? inner : object;
}

function normaliseRoot(json: JsonObject): MappingJson {
  const unknown = Object.entries(json).filter(([key]) => !ROOT_KEYS.has(key));
  if (unknown.length > 0) {
    const listed = unknown.map(([key, value]) => ` [${key} : ${javaPrinted(value)}]`).join('');
    throw mapperParsing(`Root mapping definition has unsupported parameters: ${listed}`);
  }
  const out: [string, unknown][] = [];
  const meta = own(json, '_meta');
  if (meta !== undefined && asObject(meta) === null) throw mapperParsing('[_meta] config must be an object');
  if (Object.keys(asObject(meta) ?? {}).length > 0) out.push(['_meta', meta]);
  // Kept when it says nothing: a merge must know what an update names.
  if (own(json, '_source') !== undefined) out.push(['_source', normaliseSource(own(json, '_source'))]);
  checkMetaFields(json);
  const required = own(asObject(own(json, '_routing')) ?? {}, 'required');
  if (required !== undefined) out.push(['_routing', { required: readFlag('_routing.required', required) }]);
  const rule = asObject(own(json, TIMESTAMP_RULE));
  if (rule !== null && own(rule, 'enabled') !== undefined) {
    out.push([TIMESTAMP_RULE, { enabled: readFlag(`${TIMESTAMP_RULE}.enabled`, rule.enabled) }]);
  }
  const dynamic = normaliseDynamic(json);
  if (dynamic !== null) out.push(['dynamic', dynamic]);
  if (own(json, 'dynamic_templates') !== undefined) {
    // An empty list takes those away that are there.
    out.push(['dynamic_templates', normaliseTemplates(own(json, 'dynamic_templates'))]);
  }
  for (const key of ['date_detection', 'numeric_detection', 'enabled'] as const) {
    const value = own(json, key);
    if (value !== undefined) out.push([key, readFlag(key, value)]);
  }
  const formats = own(json, 'dynamic_date_formats');
  if (formats !== undefined)
    out.push(['dynamic_date_formats', Array.isArray(formats) ? formats.map(String) : [String(formats)]]);
  if (own(json, 'runtime') !== undefined) out.push(['runtime', normaliseRuntime(own(json, 'runtime'), true)]);
  const subobjects = normaliseSubobjects(json);
  if (subobjects !== null) out.push(['subobjects', subobjects]);
  const properties = propertiesOf(json, Object.fromEntries(out), 1);
  if (properties !== null) out.push(['properties', properties]);
  return Object.fromEntries(out);
}

/** null: not said. */
function normaliseSubobjects(json: JsonObject): boolean | null {
  const value = own(json, 'subobjects');
  if (value === undefined) return null;
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw mapperParsing(`unknown subobjects value: ${String(value)}`);
}

/** @param object what is known of the object in normal form */
function propertiesOf(json: JsonObject, object: JsonObject, depth: number): JsonObject | null {
  const isFlat = isFlatObject(object);
  const properties = normaliseProperties(own(json, 'properties'), depth, isFlat);
  if (properties === null || !isFlat) return properties;
  const flat = mergeProperties({}, flattenedProperties(properties, object), '');
  return Object.keys(flat).length === 0 ? null : flat;
}

function checkMetaFields(json: JsonObject): void {
  if (own(asObject(own(json, '_field_names')) ?? {}, 'enabled') !== undefined) {
    throw mapperParsing(
      'The `enabled` setting for the `_field_names` field has been deprecated and removed. Please remove it from your mappings and templates.',
    );
  }
  const routing = asObject(own(json, '_routing'));
  for (const key of Object.keys(routing ?? {})) {
    if (key !== 'required') throw mapperParsing(`unknown parameter [${key}] on metadata field [_routing]`);
    readFlag('_routing.required', own(routing ?? {}, key));
  }
}

function readFlag(name: string, value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw mapperParsing(`Could not convert [${name}] to boolean`);
}

/** Order among pass-through objects: where two of them have a field of one name, that of the higher number has it. */
function readPriority(name: string, value: unknown): number {
  const priority = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof priority === 'number' && Number.isInteger(priority) && priority >= 0) return priority;
  throw mapperParsing(`Pass-through object [${name}] is missing a non-negative value for parameter [priority]`);
}

function normaliseDynamic(json: JsonObject): string | null {
  const value = own(json, 'dynamic');
  if (value === undefined) return null;
  const text = String(value);
  if (!['true', 'false', 'strict', 'runtime'].includes(text)) {
    throw mapperParsing(`Could not convert [dynamic] to a dynamic mode: [${text}]`);
  }
  return text;
}

/**
 * Declarations of fields in order of their names; null when there are none.
 *
 * @param keepsDots a name with dots is that of a field, and no field of an object
 */
function normaliseProperties(value: unknown, depth: number, keepsDots: boolean): JsonObject | null {
  if (value === undefined || value === null) return null;
  const properties = asObject(value);
  if (properties === null) {
    if (Array.isArray(value) && value.length === 0) return null;
    throw mapperParsing('properties must be a map type');
  }
  if (depth > DEPTH_MAX) throw mapperParsing(`Limit of mapping depth [${DEPTH_MAX}] has been exceeded`);
  const direct: [string, JsonObject][] = [];
  const below = new Map<string, [string, JsonObject][]>();
  for (const [name, child] of Object.entries(properties)) {
    const object = asObject(child);
    if (object === null) {
      throw mapperParsing(
        `Expected map for property [fields] on field [${name}] but got a class ${javaClassOf(child)}`,
      );
    }
    if (name.split('.').some((part) => part.trim() === '')) throw blankName(name);
    const dot = keepsDots ? -1 : name.indexOf('.');
    if (dot < 0) {
      direct.push([name, normaliseChild(name, object, depth, keepsDots)]);
      continue;
    }
    const parent = name.slice(0, dot);
    const siblings = below.get(parent) ?? [];
    siblings.push([name.slice(dot + 1), object]);
    below.set(parent, siblings);
  }
  // A dotted name is an object with the rest in it. Names of one object are merged at once: a mapping may have thousands.
  const dotted = [...below].map(([parent, children]): [string, JsonObject] => [
    parent,
    { properties: normaliseProperties(Object.fromEntries(children), depth + 1, false) },
  ]);
  const out = mergeProperties(Object.fromEntries(direct), Object.fromEntries(dotted), '');
  return Object.keys(out).length === 0 ? null : out;
}

function blankName(name: string): Error {
  return illegalArgument(
    name === ''
      ? 'field name cannot be an empty string'
      : `field name cannot contain only whitespace or an empty part: [${name}]`,
  );
}

function normaliseChild(name: string, json: JsonObject, depth: number, keepsDots: boolean): JsonObject {
  const type = own(json, 'type');
  const isObject =
    isObjectType(type) ||
    (type === undefined &&
      ['properties', 'dynamic', 'enabled', 'subobjects'].some((key) => own(json, key) !== undefined));
  if (!isObject) return normaliseField(name, json, false);
  const isPassing = isPassthrough(json);
  const known = isPassing ? PASSTHROUGH_KEYS : isNested(json) ? [...OBJECT_KEYS, ...NESTED_KEYS] : OBJECT_KEYS;
  const unknown = Object.entries(json).filter(([key]) => !known.includes(key));
  if (unknown.length > 0) {
    const listed = unknown.map(([key, value]) => ` [${key} : ${javaPrinted(value)}]`).join('');
    throw mapperParsing(`Mapping definition for [${name}] has unsupported parameters: ${listed}`);
  }
  const out: [string, unknown][] = isPassing
    ? [
        ['type', PASSTHROUGH_TYPE],
        ['priority', readPriority(name, own(json, 'priority'))],
      ]
    : [];
  const dynamic = normaliseDynamic(json);
  if (dynamic !== null) out.push(['dynamic', dynamic]);
  const enabled = own(json, 'enabled');
  if (enabled !== undefined && !readFlag(`${name}.enabled`, enabled)) out.push(['enabled', false]);
  for (const key of NESTED_KEYS) {
    const value = own(json, key);
    if (value !== undefined && readFlag(`${name}.${key}`, value)) out.push([key, true]);
  }
  const subobjects = normaliseSubobjects(json);
  if (subobjects !== null && isNested(json)) {
    throw mapperParsing(`Nested type [${name}] does not support [subobjects] parameter`);
  }
  if (subobjects !== null) out.push(['subobjects', subobjects]);
  // Below a flat object names keep their dots on every level: all of them are parts of names there.
  const properties =
    keepsDots && subobjects === null
      ? normaliseProperties(own(json, 'properties'), depth + 1, true)
      : propertiesOf(json, Object.fromEntries(out), depth + 1);
  if (properties !== null) out.push(['properties', properties]);
  if (isNested(json)) return { type: NESTED_TYPE, ...Object.fromEntries(out) };
  if (isPassing) return Object.fromEntries(out);
  // Only an object without fields needs its type printed: "properties" says the same.
  return properties === null ? { type: 'object', ...Object.fromEntries(out) } : Object.fromEntries(out);
}
