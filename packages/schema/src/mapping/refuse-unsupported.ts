/**
 * Refuses in an update what a mapping could once say without any effect. Mappings in the cluster state may still have it, and
 * stay readable: only what users send is looked at.
 */
import { isShoalError } from '@shoal/core';
import { asObject, type JsonObject, own } from '../declaration/json-object.ts';
import { failedToParseMapping, mapperParsing } from '../declaration/mapping-error.ts';
import { isObjectType } from '../declaration/object-type.ts';
import type { ReadScalar } from '../field-types/contract/parameter-rule.ts';
import { declaredType } from '../field-types/declared-types.ts';
import { checkTemplates } from './dynamic-templates.ts';

/** @param json an update in normal form. @throws ShoalError mapper_parsing_exception */
export function refuseUnsupported(json: JsonObject): void {
  try {
    checkTemplates(json.dynamic_templates);
  } catch (error) {
    throw isShoalError(error) ? failedToParseMapping(error) : error;
  }
  refuseInObject(json);
}

function refuseInObject(json: JsonObject): void {
  for (const [name, value] of Object.entries(asObject(json.properties) ?? {})) {
    const child = asObject(value) ?? {};
    const type = own(child, 'type');
    if (type === undefined || isObjectType(type)) refuseInObject(child);
    else refuseParameters(name, child);
  }
}

function refuseParameters(name: string, json: JsonObject): void {
  const type = String(json.type);
  for (const [key, rule] of declaredType(type)?.parameters ?? []) {
    const given = own(json, key);
    if (given === undefined) continue;
    if (rule.kind === 'removed') {
      throw failedToParseMapping(mapperParsing(`unknown parameter [${key}] on mapper [${name}] of type [${type}]`));
    }
    const isRead = rule.kind === 'scalar' || rule.kind === 'opaque';
    if (isRead && given !== null) refuseUnreadable(rule.read, given, { name, json });
  }
  for (const [sub, value] of Object.entries(asObject(json.fields) ?? {})) refuseParameters(sub, asObject(value) ?? {});
}

function refuseUnreadable(read: ReadScalar | undefined, value: unknown, field: Parameters<ReadScalar>[1]): void {
  try {
    read?.(value, field);
  } catch (error) {
    throw isShoalError(error) ? failedToParseMapping(error) : error;
  }
}
