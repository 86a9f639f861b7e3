/**
 * `_source` of a mapping: which part of a document is kept as it was sent.
 */
import { illegalArgument, simpleMatch } from '@shoal/core';
import { asObject, type JsonObject, javaClassOf, own } from '../declaration/json-object.ts';
import { mapperParsing } from '../declaration/mapping-error.ts';

export interface SourceRule {
  /** False: nothing is kept. */
  readonly isEnabled: boolean;
  /** Patterns of paths that are kept; empty: all. */
  readonly includes: readonly string[];
  /** Patterns of paths that are not kept. */
  readonly excludes: readonly string[];
}

/** Declaration in normal form: what differs from the defaults. @throws ShoalError mapper_parsing_exception */
export function normaliseSource(value: unknown): JsonObject {
  const json = asObject(value);
  if (json === null) throw mapperParsing('[_source] config must be an object');
  for (const key of Object.keys(json)) {
    if (key === 'enabled' || key === 'includes' || key === 'excludes') continue;
    throw mapperParsing(`unknown parameter [${key}] on mapper [_source] of type [null]`);
  }
  const { isEnabled, includes, excludes } = readSourceRule(json);
  return {
    ...(isEnabled ? {} : { enabled: false }),
    ...(includes.length > 0 ? { includes } : {}),
    ...(excludes.length > 0 ? { excludes } : {}),
  };
}

export function readSourceRule(json: JsonObject): SourceRule {
  const enabled = own(json, 'enabled') ?? true;
  if (!['true', 'false'].includes(String(enabled))) {
    throw illegalArgument(`Failed to parse value [${String(enabled)}] as only [true] or [false] are allowed.`);
  }
  return {
    isEnabled: String(enabled) === 'true',
    includes: patterns(own(json, 'includes')),
    excludes: patterns(own(json, 'excludes')),
  };
}

function patterns(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map(String);
  throw mapperParsing(`class ${javaClassOf(value)} cannot be cast to class java.util.List`);
}

/** Changes between two rules, as a refusal lists them; none may be made. */
export function sourceChanges(before: SourceRule, after: SourceRule): readonly string[] {
  const changed: string[] = [];
  const compare = (name: string, from: unknown, to: unknown): void => {
    if (String(from) !== String(to)) changed.push(`Cannot update parameter [${name}] from [${from}] to [${to}]`);
  };
  const listed = (list: readonly string[]): string => `[${list.join(', ')}]`;
  compare('enabled', before.isEnabled, after.isEnabled);
  compare('includes', listed(before.includes), listed(after.includes));
  compare('excludes', listed(before.excludes), listed(after.excludes));
  return changed;
}

/** True where documents are kept as they were sent. */
export function keepsWhole({ isEnabled, includes, excludes }: SourceRule): boolean {
  return isEnabled && includes.length === 0 && excludes.length === 0;
}

/** True where the values at a path are kept. */
export function keepsPath({ isEnabled, includes, excludes }: SourceRule, path: string): boolean {
  const fits = (pattern: string): boolean => simpleMatch(pattern, path) || simpleMatch(`${pattern}.*`, path);
  return isEnabled && (includes.length === 0 || includes.some(fits)) && !excludes.some(fits);
}
