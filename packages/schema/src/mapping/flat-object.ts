/**
 * Objects without objects in them (`subobjects: false`, and those of type `passthrough`): dots in the names of their fields are
 * parts of the names, so that `cpu` and `cpu.user` may both be fields.
 *
 * Declarations of objects inside are taken apart into fields with longer names, as Elasticsearch does, and refused where that would
 * lose what they say.
 */
import { assert } from '@shoal/core';
import { asObject, type JsonObject, own } from '../declaration/json-object.ts';
import { mapperParsing } from '../declaration/mapping-error.ts';
import { isNested, isObjectType, isPassthrough } from '../declaration/object-type.ts';

/** Declarations of fields by names that may have dots. */
type Properties = Map<string, JsonObject>;

/** Whether the object in normal form has no objects in it. */
export function isFlatObject(json: JsonObject): boolean {
  return own(json, 'subobjects') === false || isPassthrough(json);
}

/**
 * Properties of a flat object without objects among them.
 *
 * @param around the flat object in normal form; its own properties do not matter
 * @throws ShoalError mapper_parsing_exception for an object that is more than the beginning of names
 */
export function flattenedProperties(properties: JsonObject, around: JsonObject): JsonObject {
  assert(isFlatObject(around), 'properties of an object that may have objects are flattened');
  const flat: Properties = new Map();
  addFlattened(flat, '', properties, around);
  return Object.fromEntries(flat);
}

function addFlattened(into: Properties, prefix: string, properties: JsonObject, around: JsonObject): void {
  for (const [name, value] of Object.entries(properties)) {
    const json = asObject(value) ?? {};
    const path = `${prefix}${name}`;
    const type = own(json, 'type');
    if (type !== undefined && !isObjectType(type)) {
      if (into.has(path)) throw mapperParsing(`field [${path}] is declared twice`);
      into.set(path, json);
    } else {
      refuseMeaningful(path, json, around);
      addFlattened(into, `${path}.`, asObject(own(json, 'properties')) ?? {}, around);
    }
  }
}

function refuseMeaningful(path: string, json: JsonObject, around: JsonObject): void {
  if (isPassthrough(json)) {
    throw mapperParsing(`Tried to add passthrough object [${path}] to object that does not support subobjects`);
  }
  if (isNested(json)) {
    throw mapperParsing(`Tried to add nested object [${path}] to object that does not support subobjects`);
  }
  const dynamic = own(json, 'dynamic');
  const dynamicAround = own(around, 'dynamic') ?? 'true';
  const why =
    dynamic !== undefined && dynamic !== dynamicAround
      ? `the value of [dynamic] (${String(dynamic).toUpperCase()}) is not compatible with the value from its parent context (${String(dynamicAround).toUpperCase()})`
      : own(json, 'enabled') === false
        ? 'the value of [enabled] is [false]'
        : own(json, 'subobjects') === true
          ? 'the value of [subobjects] is [true]'
          : null;
  if (why === null) return;
  throw mapperParsing(
    `Object mapper [${path}] was found in a context where subobjects is set to false. Auto-flattening [${path}] failed because ${why}`,
  );
}
