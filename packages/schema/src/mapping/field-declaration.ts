/**
 * Declaration of one field: its JSON checked against its type's parameters, in the form that is stored and printed.
 *
 * The normal form holds the type first, then what differs from the defaults, then `copy_to` and `fields`.
 */
import { illegalArgument, isShoalError, javaDoubleText, ShoalError } from '@shoal/core';
import { asObject, type JsonObject, javaClassOf, javaPrinted, own } from '../declaration/json-object.ts';
import { mapperParsing } from '../declaration/mapping-error.ts';
import { isObjectType } from '../declaration/object-type.ts';
import { normaliseRelations } from '../declaration/relations.ts';
import type { NumberMember, ParameterRule, ReadScalar } from '../field-types/contract/parameter-rule.ts';
import { declaredType, isReference } from '../field-types/declared-types.ts';

const NOT_A_RULE: ReadonlySet<string> = new Set(['type', 'fields', 'copy_to']);

/** Declaration in normal form. `name` is the last part of the path, which Elasticsearch's error texts name. */
export function normaliseField(name: string, json: JsonObject, isMultiField: boolean): JsonObject {
  const type = json.type;
  if (typeof type !== 'string') {
    throw mapperParsing(
      isMultiField ? `no type specified for property [${name}]` : `No type specified for field [${name}]`,
    );
  }
  if (isMultiField && isObjectType(type)) throw mapperParsing(`Type [${type}] cannot be used in multi field`);
  const declared = declaredType(type);
  if (declared === null) {
    throw mapperParsing(`${isMultiField ? 'no' : 'No'} handler for type [${type}] declared on field [${name}]`);
  }
  if (isMultiField && isReference(declared)) throw mapperParsing(`Type [${type}] cannot be used in multi field`);
  const entries: [string, unknown][] = [['type', type]];
  const shown = isReference(declared) ? [] : (declared.alwaysPrinted ?? []);
  for (const key of shown) entries.push([key, declared.parameters.get(key)?.otherwise]);
  for (const [key, value] of Object.entries(json)) {
    if (key === 'type' || (NOT_A_RULE.has(key) && !isReference(declared))) continue;
    const rule = declared.parameters.get(key);
    if (rule === undefined) {
      throw mapperParsing(`unknown parameter [${key}] on mapper [${name}] of type [${type}]`);
    }
    const parsed = parseParameter({ name, type, json }, key, rule, value);
    if (parsed !== rule.otherwise || rule.kind === 'indexFlag') entries.push([key, parsed]);
  }
  declared.check(name, json);
  const copyTo = normaliseCopyTo(name, json.copy_to, isMultiField);
  if (copyTo.length > 0) entries.push(['copy_to', copyTo]);
  const fields = normaliseMultiFields(name, json.fields, isMultiField);
  if (fields !== null) entries.push(['fields', fields]);
  return Object.fromEntries(entries);
}

interface DeclaredField {
  readonly name: string;
  readonly type: string;
  readonly json: JsonObject;
}

function parseParameter(field: DeclaredField, key: string, rule: ParameterRule, value: unknown): unknown {
  const { name, type } = field;
  if (value === null) {
    if (rule.otherwise === null) return null;
    throw mapperParsing(`[${key}] on mapper [${name}] of type [${type}] must not have a [null] value`);
  }
  switch (rule.kind) {
    case 'flag':
    case 'indexFlag':
      if (value === true || value === 'true') return true;
      if (value === false || value === 'false') return false;
      throw illegalArgument(`Failed to parse value [${printed(value)}] as only [true] or [false] are allowed.`);
    case 'integer': {
      const number = toNumber(value);
      if (number === null || !Number.isInteger(number)) throw notANumber(name, key, value);
      if (number < rule.min) throw illegalArgument(`[${key}] must not be negative: [${number}]`);
      return number;
    }
    case 'positive': {
      const number = toNumber(value);
      if (number === null) throw notANumber(name, key, value);
      if (number > 0 && Number.isFinite(number)) return number;
      throw illegalArgument(`[${key}] must be a positive number, got [${javaDoubleText(number)}]`);
    }
    case 'removed': {
      const number = toNumber(value);
      if (number === null) throw notANumber(name, key, value);
      return number;
    }
    case 'numbers':
      return parseNumbers(name, rule.members, value);
    case 'relations':
      return normaliseRelations(name, value);
    case 'parsed':
      return rule.parse(value);
    case 'scalar':
      return readable(rule.read, value, field);
    case 'text':
      return String(value);
    case 'choice':
    case 'withoutEffect': {
      const text = String(value);
      if (!rule.choices.includes(text)) throw badChoice(name, key, rule.choices, text);
      return typeof rule.otherwise === 'boolean' ? text === 'true' : text;
    }
    default:
      return value;
  }
}

/** The value as its type reads it; as it is where it cannot be read. */
function readable(read: ReadScalar | undefined, value: unknown, field: Parameters<ReadScalar>[1]): unknown {
  try {
    return read === undefined ? value : read(value, field);
  } catch (error) {
    if (isShoalError(error)) return value;
    throw error;
  }
}

/** The object with its defaults, in the order of the rule. */
function parseNumbers(name: string, members: ReadonlyMap<string, NumberMember>, value: unknown): JsonObject {
  const object = asObject(value);
  if (object === null) {
    throw mapperParsing(`class ${javaClassOf(value)} cannot be cast to class java.util.Map`);
  }
  const unknown = Object.entries(object).filter(([key]) => !members.has(key));
  if (unknown.length > 0) {
    const listed = unknown.map(([key, given]) => ` [${key} : ${javaPrinted(given)}]`).join('');
    throw mapperParsing(`Mapping definition for [${name}] has unsupported parameters: ${listed}`);
  }
  const entries = [...members].map(([key, member]): [string, number, NumberMember] => {
    const given = own(object, key) ?? member.otherwise;
    const number = toNumber(given);
    if (number === null || (member.isWhole && !Number.isInteger(number))) {
      const reason = `For input string: "${printed(given)}"`;
      throw mapperParsing(reason, new ShoalError('number_format_exception', 400, reason));
    }
    return [key, number, member];
  });
  const shown = entries.filter(([, number, member]) => !member.isHiddenDefault || number !== member.otherwise);
  return Object.fromEntries(shown.map(([key, number]) => [key, number]));
}

function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isNaN(number) ? null : number;
}

function notANumber(name: string, key: string, value: unknown): ShoalError {
  return mapperParsing(`Failed to parse [${key}] of field [${name}]: For input string: "${printed(value)}"`);
}

function badChoice(name: string, key: string, choices: readonly string[], value: string): ShoalError {
  return mapperParsing(
    `Unknown value [${value}] for field [${key}] of mapper [${name}] - accepted values are [${choices.join(', ')}]`,
  );
}

function printed(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function normaliseCopyTo(name: string, value: unknown, isMultiField: boolean): readonly string[] {
  if (value === undefined || value === null) return [];
  if (isMultiField)
    throw mapperParsing(
      `copy_to in multi fields is not allowed. Found the copy_to in field [${name}] which is within a multi field.`,
    );
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.map((target) => printed(target));
}

function normaliseMultiFields(name: string, value: unknown, isMultiField: boolean): JsonObject | null {
  if (value === undefined || value === null) return null;
  const fields = asObject(value);
  if (fields === null) {
    if (Array.isArray(value) && value.length === 0) return null;
    throw mapperParsing(
      `expected map for property [fields] on field [${name}] or [fields] but got a class ${javaClassOf(value)}`,
    );
  }
  if (isMultiField)
    throw mapperParsing(
      `Encountered a multi-field [${name}] which itself contains a multi-field. Defining chained multi-fields is not supported.`,
    );
  const entries: [string, JsonObject][] = [];
  for (const [key, child] of Object.entries(fields)) {
    if (key.includes('.'))
      throw mapperParsing(`Field name [${key}] which is a multi field of [${name}] cannot contain '.'`);
    const object = asObject(child);
    if (object === null) throw mapperParsing(`illegal field [${key}], only fields can be specified inside fields`);
    entries.push([key, normaliseField(key, object, true)]);
  }
  if (entries.length === 0) return null;
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}
