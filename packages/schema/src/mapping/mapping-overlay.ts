/**
 * Mappings of templates laid over each other: unlike an update of an index, a later declaration of a field replaces an earlier one.
 *
 * No document was indexed by any of them, so nothing has to stay as it was. Objects are still merged field by field.
 */
import { illegalArgument } from '@shoal/core';
import { asObject, type JsonObject, own } from '../declaration/json-object.ts';
import { isObjectType } from '../declaration/object-type.ts';
import { flattenedProperties, isFlatObject } from './flat-object.ts';
import type { MappingJson } from './mapping.ts';
import { normaliseMapping } from './object-declaration.ts';
import { refuseUnsupported } from './refuse-unsupported.ts';
import { mergeRuntime } from './runtime-section.ts';

/**
 * The mapping below with the one above on top, in normal form.
 *
 * @throws mapper_parsing_exception when one of them is no mapping, illegal_argument_exception where an object meets a field
 */
export function overlayMapping(below: unknown, above: unknown): MappingJson {
  const top = normaliseMapping(above);
  refuseUnsupported(top);
  const base = normaliseMapping(below);
  const { runtime: _runtime, ...merged } = overlayObject('', base, top);
  const templates = overlayDynamicTemplates(own(base, 'dynamic_templates'), own(top, 'dynamic_templates'));
  const meta = overlayJson(own(base, '_meta'), own(top, '_meta'));
  return {
    ...merged,
    ...mergeRuntime(own(base, 'runtime'), own(top, 'runtime')),
    ...(templates === null ? {} : { dynamic_templates: templates }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

function overlayObject(path: string, below: JsonObject, above: JsonObject): JsonObject {
  const merged = { ...below, ...above };
  const propertiesOf = (json: JsonObject): JsonObject => {
    const properties = asObject(own(json, 'properties')) ?? {};
    return isFlatObject(merged) ? flattenedProperties(properties, merged) : properties;
  };
  const properties = new Map(Object.entries(propertiesOf(below)));
  for (const [name, value] of Object.entries(propertiesOf(above))) {
    const there = asObject(properties.get(name));
    const added = asObject(value) ?? {};
    properties.set(name, there === null ? added : overlayOne(path === '' ? name : `${path}.${name}`, there, added));
  }
  const sorted = [...properties].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.length === 0 ? merged : { ...merged, properties: Object.fromEntries(sorted) };
}

function overlayOne(path: string, below: JsonObject, above: JsonObject): JsonObject {
  const [wasField, isField] = [isFieldJson(below), isFieldJson(above)];
  if (wasField !== isField) {
    throw illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`);
  }
  return isField ? above : overlayObject(path, below, above);
}

function isFieldJson(json: JsonObject): boolean {
  const type = own(json, 'type');
  return type !== undefined && !isObjectType(type);
}

/** Dynamic templates by their names: one above replaces one of its name in its place, new ones come last. */
function overlayDynamicTemplates(below: unknown, above: unknown): readonly unknown[] | null {
  const byName = new Map<string, unknown>();
  for (const list of [below, above]) {
    for (const template of Array.isArray(list) ? list : []) {
      byName.set(Object.keys(asObject(template) ?? {})[0] ?? '', template);
    }
  }
  return byName.size === 0 ? null : [...byName.values()];
}

function overlayJson(below: unknown, above: unknown): unknown {
  const [base, top] = [asObject(below), asObject(above)];
  if (base === null || top === null) return above ?? below;
  const keys = new Set([...Object.keys(base), ...Object.keys(top)]);
  return Object.fromEntries([...keys].map((key) => [key, overlayJson(own(base, key), own(top, key))]));
}
