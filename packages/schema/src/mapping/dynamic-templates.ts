/**
 * Dynamic templates: which declaration a field gets that a document brings for the first time.
 */
import { illegalArgument, isShoalError, simpleMatch } from '@shoal/core';
import { asObject, type JsonObject, own } from '../declaration/json-object.ts';
import { mapperParsing } from '../declaration/mapping-error.ts';
import { isObjectType, withoutFieldParameters } from '../declaration/object-type.ts';
import type { FieldKind } from '../field-types/declared-types.ts';
import type { DynamicTemplate, Mapping, MappingJson } from './mapping.ts';
import { NameRegex, NameRegexError } from './name-regex.ts';

/** Type of a value as its JSON shows it. */
export type DynamicJsonType = 'string' | 'long' | 'double' | 'boolean' | 'date' | 'object';

/** Field types of new fields, by what their first value's JSON shows. */
export const DYNAMIC_KINDS: { readonly [T in Exclude<DynamicJsonType, 'object'>]: FieldKind } = {
  string: 'text',
  long: 'long',
  double: 'float',
  boolean: 'boolean',
  date: 'date',
};

/** Values of `match_mapping_type`. */
const MAPPING_TYPES: readonly string[] = ['*', 'object', 'string', 'long', 'double', 'boolean', 'date', 'binary'];

const CONDITIONS: ReadonlySet<string> = new Set([
  'match_mapping_type',
  'unmatch_mapping_type',
  'match',
  'unmatch',
  'path_match',
  'path_unmatch',
  'match_pattern',
  'mapping',
  'runtime',
]);

/** A template without any of these fits no field: writes name it (`dynamic_templates`). */
const SELECTORS: readonly string[] = ['match', 'path_match', 'match_mapping_type'];

/** List of `{name: {...}}` in the form that the mapping stores. Throws `mapper_parsing_exception`. */
export function normaliseTemplates(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value))
    throw mapperParsing('Dynamic template syntax error. An array of named objects is expected.');
  return value;
}

/** Throws `mapper_parsing_exception` for a template of a user's update that cannot be obeyed. */
export function checkTemplates(value: unknown): void {
  if (Array.isArray(value)) for (const entry of value) readTemplate(entry);
}

/** Templates of a mapping. One that an earlier version took and this one refuses fits no field: its index still opens. */
export function readTemplates(value: unknown): readonly DynamicTemplate[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => {
    try {
      return [readTemplate(entry)];
    } catch (error) {
      if (isShoalError(error)) return [];
      throw error;
    }
  });
}

function readTemplate(entry: unknown): DynamicTemplate {
  const named = Object.entries(asObject(entry) ?? {});
  const [name, body] = named[0] ?? ['', null];
  const json = asObject(body);
  if (named.length !== 1 || json === null) throw mapperParsing('A dynamic template must be defined with a name');
  for (const key of Object.keys(json)) {
    if (!CONDITIONS.has(key)) throw mapperParsing(`Illegal dynamic template parameter: [${key}]`);
  }
  const [mapped, runtime] = [asObject(own(json, 'mapping')), asObject(own(json, 'runtime'))];
  if (mapped !== null && runtime !== null) {
    throw mapperParsing(`mapping and runtime cannot be both specified in the same dynamic template [${name}]`);
  }
  const mapping = mapped ?? runtime;
  if (mapping === null) throw mapperParsing(`template [${name}] must have either mapping or runtime set`);
  const strings = (key: string): readonly string[] => {
    const value = own(json, key);
    return value === undefined ? [] : Array.isArray(value) ? value.map(String) : [String(value)];
  };
  const matchPattern = String(own(json, 'match_pattern') ?? 'simple');
  if (matchPattern !== 'simple' && matchPattern !== 'regex') {
    throw illegalArgument(`No matching pattern matched on [${matchPattern}]`);
  }
  for (const type of [...strings('match_mapping_type'), ...strings('unmatch_mapping_type')]) {
    if (MAPPING_TYPES.includes(type)) continue;
    throw mapperParsing(
      `No field type matched on [${type}], possible values are [${MAPPING_TYPES.slice(1).join(', ')}]`,
    );
  }
  const names = [...strings('match'), ...strings('unmatch'), ...strings('path_match'), ...strings('path_unmatch')];
  return {
    name,
    matchMappingType: strings('match_mapping_type'),
    unmatchMappingType: strings('unmatch_mapping_type'),
    match: strings('match'),
    unmatch: strings('unmatch'),
    pathMatch: strings('path_match'),
    pathUnmatch: strings('path_unmatch'),
    regexes: matchPattern === 'regex' ? new Map(names.map((pattern) => [pattern, readRegex(pattern, name)])) : null,
    mapping,
    isRuntime: runtime !== null,
    isNamedOnly: !SELECTORS.some((key) => own(json, key) !== undefined),
  };
}

/** Declaration that a document gives a field which the mapping lacks. */
export interface NewField {
  readonly declared: MappingJson;
  readonly isRuntime: boolean;
}

/** Types of new runtime fields, by what their first value's JSON shows. */
export const RUNTIME_KINDS: { readonly [T in Exclude<DynamicJsonType, 'object'>]: FieldKind } = {
  ...DYNAMIC_KINDS,
  string: 'keyword',
  double: 'double',
};

/** Declaration for the new field at `path`, its placeholders filled in; null when no template fits. */
export function matchDynamicTemplate(mapping: Mapping, path: string, jsonType: DynamicJsonType): NewField | null {
  const name = path.slice(path.lastIndexOf('.') + 1);
  for (const template of mapping.dynamicTemplates) {
    const { isRuntime } = template;
    // Objects have no values that a script could make.
    if ((isRuntime && jsonType === 'object') || !fits(template, path, name, jsonType)) continue;
    const kinds = isRuntime ? RUNTIME_KINDS : DYNAMIC_KINDS;
    const kind = jsonType === 'object' ? 'object' : kinds[jsonType];
    const filled = asObject(fill(template.mapping, name, kind)) ?? {};
    const declared = own(filled, 'type') === undefined ? { type: kind, ...filled } : filled;
    // Templates for every new field, objects among them, set parameters that only fields with values have: objects do without.
    return { declared: isObjectType(declared.type) ? withoutFieldParameters(declared) : declared, isRuntime };
  }
  return null;
}

function fits(template: DynamicTemplate, path: string, name: string, jsonType: DynamicJsonType): boolean {
  if (template.isNamedOnly) return false;
  const types = template.matchMappingType;
  if (types.length > 0 && !types.includes('*') && !types.includes(jsonType)) return false;
  if (template.unmatchMappingType.includes(jsonType)) return false;
  const any = (patterns: readonly string[], text: string): boolean =>
    patterns.some((pattern) => matches(pattern, text, template.regexes));
  if (template.match.length > 0 && !any(template.match, name)) return false;
  if (any(template.unmatch, name)) return false;
  if (template.pathMatch.length > 0 && !any(template.pathMatch, path)) return false;
  return !any(template.pathUnmatch, path);
}

function matches(pattern: string, text: string, regexes: DynamicTemplate['regexes']): boolean {
  return regexes === null ? simpleMatch(pattern, text) : (regexes.get(pattern)?.matches(text) ?? false);
}

function readRegex(pattern: string, template: string): NameRegex {
  try {
    return new NameRegex(pattern);
  } catch (error) {
    if (!(error instanceof NameRegexError)) throw error;
    throw mapperParsing(
      `Pattern [${pattern}] of type [regex] is invalid. Cannot create dynamic template [${template}].`,
      illegalArgument(error.message),
    );
  }
}

function fill(value: unknown, name: string, dynamicType: string): unknown {
  if (typeof value === 'string') return value.replaceAll('{name}', name).replaceAll('{dynamic_type}', dynamicType);
  if (Array.isArray(value)) return value.map((entry) => fill(entry, name, dynamicType));
  const object = asObject(value);
  if (object === null) return value;
  return Object.fromEntries(
    Object.entries(object).map(([k, v]) => [fill(k, name, dynamicType) as string, fill(v, name, dynamicType)]),
  );
}
