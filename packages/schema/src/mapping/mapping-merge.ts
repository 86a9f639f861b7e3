/**
 * Merge of a mapping update: new fields are added, existing ones may only change what does not touch indexed data.
 *
 * Works on JSON in normal form. A parameter that the update leaves out of an existing field counts as its default, which is
 * Elasticsearch's rule. Pure: the cluster manager runs it before it publishes, so a refused update changes nothing.
 */
import { assert, illegalArgument, type ShoalError } from '@shoal/core';
import { asObject, type JsonObject, own } from '../declaration/json-object.ts';
import { typeConflict } from '../declaration/mapping-error.ts';
import { isNested, isObjectType, isPassthrough, NESTED_TYPE, PASSTHROUGH_TYPE } from '../declaration/object-type.ts';
import { removedRelations } from '../declaration/relations.ts';
import { declaredType, isReference } from '../field-types/declared-types.ts';
import { flattenedProperties, isFlatObject } from './flat-object.ts';
import { mergeRuntime } from './runtime-section.ts';
import { readSourceRule, sourceChanges } from './source-rule.ts';

/** Merged mapping of two in normal form. Throws `illegal_argument_exception` on conflict. */
export function mergeRoot(current: JsonObject, update: JsonObject): JsonObject {
  const source = asObject(own(update, '_source'));
  // A new mapping replaces nothing.
  if (source !== null && Object.keys(current).length > 0) {
    const changes = sourceChanges(readSourceRule(asObject(own(current, '_source')) ?? {}), readSourceRule(source));
    if (changes.length > 0) throw parameterConflict('_source', changes);
  }
  const routing = asObject(own(update, '_routing'));
  const wasRequired = isOn(asObject(own(current, '_routing'))?.required, false);
  const isRequired = routing === null ? wasRequired : isOn(routing.required, false);
  // Documents written without a routing lie on the shard of their id; they would be out of reach afterwards, and the reverse.
  if (wasRequired !== isRequired && Object.keys(current).length > 0) {
    throw parameterConflict('_routing', [
      `Cannot update parameter [required] from [${wasRequired}] to [${isRequired}]`,
    ]);
  }
  const merged: Record<string, unknown> = { ...current, ...update };
  if (Object.keys(current).length > 0) checkSubobjects('_doc', current, update);
  const properties = mergeProperties(asObject(current.properties) ?? {}, propertiesInto(merged, update), '');
  delete merged.properties;
  delete merged.runtime;
  if (!isRequired) delete merged._routing;
  if (Object.keys(asObject(merged._source) ?? {}).length === 0) delete merged._source;
  const whole = { ...merged, ...mergeRuntime(current.runtime, update.runtime) };
  return Object.keys(properties).length === 0 ? whole : { ...whole, properties };
}

function isOn(value: unknown, otherwise: boolean): boolean {
  return value === undefined ? otherwise : value === true || value === 'true';
}

/** What an update declares in an object that stays as flat as it is. */
function propertiesInto(object: JsonObject, update: JsonObject): JsonObject {
  const properties = asObject(update.properties) ?? {};
  return isFlatObject(object) ? flattenedProperties(properties, object) : properties;
}

function checkSubobjects(path: string, current: JsonObject, update: JsonObject): void {
  const given = own(update, 'subobjects');
  if (given === undefined || given === isOn(own(current, 'subobjects'), true)) return;
  throw illegalArgument(`the [subobjects] parameter can't be updated for the object mapping [${path}]`);
}

/** Fields of both, in order of their names. `prefix` is the path of the object with its dot. */
export function mergeProperties(current: JsonObject, update: JsonObject, prefix: string): JsonObject {
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(update)) {
    const there = asObject(merged.get(name));
    const added = asObject(value) ?? {};
    merged.set(name, there === null ? added : mergeOne(`${prefix}${name}`, there, added));
  }
  return Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

function mergeOne(path: string, current: JsonObject, update: JsonObject): JsonObject {
  const wasField = isField(current);
  const isNowField = isField(update);
  if (wasField && !isNowField) {
    throw illegalArgument(`can't merge a non-object mapping [${path}] with an object mapping`);
  }
  if (!wasField && isNowField)
    throw illegalArgument(`can't merge an object mapping [${path}] with a non-object mapping`);
  return wasField ? mergeField(path, current, update) : mergeObject(path, current, update);
}

function isField(json: JsonObject): boolean {
  const type = own(json, 'type');
  return type !== undefined && !isObjectType(type);
}

function mergeObject(path: string, current: JsonObject, update: JsonObject): JsonObject {
  const wasEnabled = isOn(current.enabled, true);
  const isEnabled = isOn(update.enabled, wasEnabled);
  if (wasEnabled !== isEnabled) {
    throw illegalArgument(`the [enabled] parameter can't be updated for the object mapping [${path}]`);
  }
  if (isNested(current) !== isNested(update)) {
    throw illegalArgument(`can't merge a non-nested mapping [${path}] with a nested mapping`);
  }
  if (isPassthrough(current) !== isPassthrough(update)) {
    throw illegalArgument(`can't merge a passthrough mapping [${path}] with one that is none`);
  }
  for (const key of ['include_in_parent', 'include_in_root']) {
    const given = own(update, key);
    if (given === undefined || given === isOn(own(current, key), false)) continue;
    throw illegalArgument(`the [${key}] parameter can't be updated on a nested object mapping`);
  }
  checkSubobjects(path, current, update);
  const { properties: _before, type: _type, ...rest } = current;
  const properties = mergeProperties(asObject(current.properties) ?? {}, propertiesInto(current, update), `${path}.`);
  const dynamic = update.dynamic === undefined ? {} : { dynamic: update.dynamic };
  const isEmpty = Object.keys(properties).length === 0;
  const below = isEmpty ? {} : { properties };
  if (isNested(current)) return { type: NESTED_TYPE, ...rest, ...dynamic, ...below };
  if (isPassthrough(current)) {
    return { type: PASSTHROUGH_TYPE, ...rest, priority: update.priority, ...dynamic, ...below };
  }
  return isEmpty ? { type: 'object', ...rest, ...dynamic } : { ...rest, ...dynamic, ...below };
}

function mergeField(path: string, current: JsonObject, update: JsonObject): JsonObject {
  const type = String(current.type);
  const declared = declaredType(type);
  assert(declared !== null, `field [${path}] of a normalised mapping has the unknown type [${type}]`);
  if (type !== update.type) {
    if (isReference(declared)) throw referenceConflict(path);
    throw typeConflict(path, type, String(update.type));
  }
  const conflicts: string[] = [];
  for (const [key, rule] of declared.parameters) {
    const before = own(current, key) ?? rule.otherwise;
    const after = own(update, key) ?? rule.otherwise;
    if (before === after || rule.change === 'always') continue;
    if (rule.change === 'toFalse' && before === true) continue;
    if (rule.change === 'fromNull' && before === null) continue;
    const [from, to] = [printed(before), printed(after)];
    if (from !== to) conflicts.push(`Cannot update parameter [${key}] from [${from}] to [${to}]`);
  }
  if (conflicts.length > 0) throw parameterConflict(path, conflicts);
  if (declared.parameters.get('relations')?.kind === 'relations') checkRelations(path, current, update);
  const fields = mergeProperties(asObject(current.fields) ?? {}, asObject(update.fields) ?? {}, `${path}.`);
  const { fields: _after, ...rest } = update;
  return Object.keys(fields).length === 0 ? rest : { ...rest, fields };
}

function checkRelations(path: string, current: JsonObject, update: JsonObject): void {
  const removed = removedRelations(path, asObject(current.relations) ?? {}, asObject(update.relations) ?? {});
  if (removed.length === 0) return;
  throw illegalArgument(`Mapper for [${path}] conflicts with existing mapping:\n[${removed.join(', ')}]`);
}

/** Parameter as the conflict names it; equal parameters are printed alike. */
function printed(value: unknown): string {
  return asObject(value) === null ? String(value) : JSON.stringify(value);
}

function referenceConflict(path: string): ShoalError {
  return illegalArgument(`Cannot merge a field alias mapping [${path}] with a mapping that is not for a field alias.`);
}

function parameterConflict(path: string, conflicts: readonly string[]): ShoalError {
  return illegalArgument(`Mapper for [${path}] conflicts with existing mapper:\n\t${conflicts.join('\n\t')}`);
}
