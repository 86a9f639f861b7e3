/**
 * Runtime fields: declared by a mapping or by a search, with values that a script makes of a document when it is searched.
 *
 * The JSON of a section is checked here and brought into the form that is stored and printed. Scripts stay JSON: who runs them
 * compiles them.
 */
import { isShoalError } from '@shoal/core';
import { asObject, type JsonObject, javaClassOf, own } from '../declaration/json-object.ts';
import { mapperParsing } from '../declaration/mapping-error.ts';
import { derivedMapping } from './derived-mapping.ts';
import { normaliseField } from './field-declaration.ts';
import type { FieldMapping, RuntimeSource } from './field-mapping.ts';
import type { Mapping } from './mapping.ts';
import { resolveField, USUAL_DEFAULTS } from './resolve-field.ts';

/** Types of runtime fields that have values. */
const RUNTIME_TYPES: ReadonlySet<string> = new Set(['boolean', 'date', 'double', 'geo_point', 'ip', 'keyword', 'long']);
/** Type of a script that makes several fields at once. */
const COMPOSITE = 'composite';
const COMPOSITE_PARAMETERS: ReadonlySet<string> = new Set(['type', 'script', 'fields']);
const DATE_PARAMETERS: ReadonlySet<string> = new Set(['format', 'locale']);
const SCRIPT_PARAMETERS: ReadonlySet<string> = new Set(['source', 'id', 'lang', 'params', 'options']);
/** Fields of one section; a search that brings more costs more to read than it is worth. */
const FIELDS_MAX = 10_000;

/**
 * Section in normal form.
 *
 * @param keepsNulls null takes a field away: of an update only
 * @throws ShoalError `mapper_parsing_exception` (400)
 */
export function normaliseRuntime(value: unknown, keepsNulls: boolean): JsonObject {
  const section = asObject(value);
  if (section === null) throw mapperParsing(`Runtime fields must be an object but was [${javaClassOf(value)}]`);
  const entries = Object.entries(section);
  if (entries.length > FIELDS_MAX) throw mapperParsing(`Limit of runtime fields [${FIELDS_MAX}] has been exceeded`);
  return Object.fromEntries(
    entries.map(([name, declared]) => [
      name,
      declared === null && keepsNulls ? null : normaliseRuntimeField(name, declared),
    ]),
  );
}

/** Sections laid over each other: a later declaration replaces an earlier one, null takes it away. Left out where none is left. */
export function mergeRuntime(below: unknown, above: unknown): { readonly runtime?: JsonObject } {
  const merged = Object.entries({ ...asObject(below), ...asObject(above) }).filter(([, declared]) => declared !== null);
  if (merged.length === 0) return {};
  return { runtime: Object.fromEntries(merged.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) };
}

/** Declaration of one field in normal form. @throws ShoalError `mapper_parsing_exception` (400) */
function normaliseRuntimeField(name: string, value: unknown): JsonObject {
  const json = asObject(value);
  if (json === null) {
    throw mapperParsing(`Expected map for runtime field [${name}] definition but got a ${javaClassOf(value)}`);
  }
  if (name.split('.').some((part) => part.trim() === '')) throw mapperParsing(`Runtime field name [${name}] is blank`);
  const type = own(json, 'type');
  if (type === undefined || type === null) throw mapperParsing(`No type specified for runtime field [${name}]`);
  const kind = String(type);
  if (kind === COMPOSITE) return normaliseComposite(name, json);
  if (!RUNTIME_TYPES.has(kind))
    throw mapperParsing(`No handler for type [${kind}] declared on runtime field [${name}]`);
  for (const key of Object.keys(json)) {
    if (key === 'type' || key === 'script' || (kind === 'date' && DATE_PARAMETERS.has(key))) continue;
    throw mapperParsing(`unknown parameter [${key}] on runtime field [${name}] of type [${kind}]`);
  }
  const { script: _script, ...rest } = json;
  const declared = normaliseField(name, rest, false);
  const script = own(json, 'script');
  return script === undefined || script === null ? declared : { ...declared, script: normaliseScript(name, script) };
}

function normaliseComposite(name: string, json: JsonObject): JsonObject {
  const unknown = Object.keys(json).find((key) => !COMPOSITE_PARAMETERS.has(key));
  if (unknown !== undefined) {
    throw mapperParsing(`unknown parameter [${unknown}] on runtime field [${name}] of type [${COMPOSITE}]`);
  }
  const [script, fields] = [own(json, 'script') ?? null, asObject(own(json, 'fields'))];
  if (script === null) throw mapperParsing(`composite runtime field [${name}] must declare a [script]`);
  if (fields === null || Object.keys(fields).length === 0) {
    throw mapperParsing(`composite runtime field [${name}] must declare its [fields]`);
  }
  const parts = Object.entries(fields).map(([part, declared]) => [part, normalisePart(name, part, declared)]);
  return { type: COMPOSITE, script: normaliseScript(name, script), fields: Object.fromEntries(parts) };
}

function normalisePart(name: string, part: string, declared: unknown): JsonObject {
  const json = asObject(declared);
  if (json !== null && own(json, 'type') === COMPOSITE) {
    throw mapperParsing(`Composite field [${part}] cannot be a child of composite field [${name}]`);
  }
  if (json !== null && own(json, 'script') !== undefined) {
    throw mapperParsing(`Cannot use [script] parameter on sub-field [${part}] of composite field [${name}]`);
  }
  return normaliseRuntimeField(`${name}.${part}`, declared);
}

function normaliseScript(name: string, value: unknown): JsonObject {
  if (typeof value === 'string') return { source: value, lang: 'painless' };
  const json = asObject(value);
  if (json === null) {
    throw mapperParsing(`Failed to parse script of runtime field [${name}]: Expected START_OBJECT or VALUE_STRING`);
  }
  const unknown = Object.keys(json).find((key) => !SCRIPT_PARAMETERS.has(key));
  if (unknown !== undefined) throw mapperParsing(`[script] unknown field [${unknown}]`);
  if (own(json, 'id') !== undefined) {
    throw mapperParsing(`stored scripts are not supported for runtime field [${name}]`);
  }
  const source = own(json, 'source');
  if (typeof source !== 'string') {
    throw mapperParsing('must specify either [source] for an inline script or [id] for a stored script');
  }
  const { options: _options, ...rest } = json;
  return { ...rest, source, lang: own(json, 'lang') ?? 'painless' };
}

/** Fields of a section in normal form, by their names. */
export function resolveRuntime(section: unknown): ReadonlyMap<string, FieldMapping> {
  const fields = new Map<string, FieldMapping>();
  for (const [name, value] of Object.entries(asObject(section) ?? {})) {
    const { script, ...declared } = asObject(value) ?? {};
    const made = asObject(script);
    if (declared.type === COMPOSITE) {
      for (const [part, one] of Object.entries(asObject(declared.fields) ?? {})) {
        const path = `${name}.${part}`;
        fields.set(path, resolveRuntimeField(path, asObject(one) ?? {}, { script: made, part }));
      }
    } else fields.set(name, resolveRuntimeField(name, declared, { script: made, part: null }));
  }
  return fields;
}

function resolveRuntimeField(path: string, declared: JsonObject, runtime: RuntimeSource): FieldMapping {
  return { ...resolveField(path, declared, { isMultiField: false, defaults: USUAL_DEFAULTS }), runtime };
}

/**
 * The mapping with fields that a search declares on top, which hide those of the same names.
 *
 * @param json text of the section, as the search has it; null: none
 * @throws ShoalError `mapper_parsing_exception` (400)
 */
export function withRuntimeFields(base: Mapping, json: string | null): Mapping {
  if (json === null) return base;
  const added = resolveRuntime(checkedRuntimeMappings(json));
  if (added.size === 0) return base;
  const runtime = new Map([...base.runtime, ...added]);
  return derivedMapping(base, {
    runtime,
    named: new Map([...base.named, ...added]),
    field: (name) => added.get(name) ?? base.field(name),
    nestedAround: (path) => (runtime.has(path) ? '' : base.nestedAround(path)),
  });
}

/** `runtime_mappings` of a request in normal form. @throws ShoalError `mapper_parsing_exception` (400) */
export function checkedRuntimeMappings(json: string): JsonObject {
  try {
    return normaliseRuntime(JSON.parse(json), false);
  } catch (error) {
    if (isShoalError(error)) throw error;
    throw mapperParsing('[runtime_mappings] is not JSON');
  }
}
