/**
 * Contexts of a `completion` field: what a suggestion may be asked for beside the beginning of its text.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { geohashLettersOf, parseDistance } from '@shoal/geo';
import { asObject, type JsonObject } from '../../declaration/json-object.ts';
import { mapperParsing } from '../../declaration/mapping-error.ts';
import type { ContextMapping } from '../contract/completion-settings.ts';

/** Default "precision" of a geo context, in letters. */
const PRECISION_DEFAULT = 6;
const PRECISION_MAX = 12;
/** Contexts of one field. */
const CONTEXTS_MAX = 10;

/** The declared contexts as they are kept and printed. @throws ShoalError `mapper_parsing_exception` */
export function normaliseContexts(value: unknown): readonly JsonObject[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (entries.length === 0) throw parseFailure('expected at least one context mapping');
  if (entries.length > CONTEXTS_MAX) {
    throw illegalArgument(`Limit of completion field contexts [${CONTEXTS_MAX}] has been exceeded`);
  }
  return entries.map(normaliseContext);
}

/** Contexts of a checked declaration. */
export function readContexts(value: unknown): readonly ContextMapping[] {
  if (!Array.isArray(value)) return [];
  return value.map((entry) => {
    const { name, type, path = null, precision = 0 } = asObject(entry) ?? {};
    const isGeo = type === 'GEO';
    return {
      name: String(name),
      type: isGeo ? 'geo' : 'category',
      path: path === null ? null : String(path),
      precision: Number(precision),
    };
  });
}

function normaliseContext(value: unknown): JsonObject {
  const { name, type, path, precision, ...rest } = asObject(value) ?? {};
  if (name === undefined) throw parseFailure('missing [name] in context mapping');
  if (type === undefined) throw parseFailure('missing [type] in context mapping');
  const kind = String(type).toLowerCase();
  if (kind !== 'category' && kind !== 'geo') {
    throw illegalArgument(`No context type for [${String(type)}]`);
  }
  const unknown = kind === 'geo' || precision === undefined ? rest : { ...rest, precision };
  const listed = Object.entries(unknown).map(([key, given]) => ` [${key} : ${String(given)}]`);
  if (listed.length > 0) {
    throw mapperParsing(`Mapping definition for [${String(name)}] has unsupported parameters: ${listed.join('')}`);
  }
  return {
    name: String(name),
    type: kind.toUpperCase(),
    ...(kind === 'geo' ? { precision: geohashLetters(precision ?? PRECISION_DEFAULT) } : {}),
    ...(path === undefined ? {} : { path: String(path) }),
  };
}

function parseFailure(reason: string): ShoalError {
  return new ShoalError('parse_exception', 400, reason);
}

/**
 * Letters of a geohash, from a number of them or from a distance that its cells should not exceed by much.
 *
 * @throws ShoalError for what is neither, or for numbers outside 1..12
 */
export function geohashLetters(value: unknown): number {
  const number = typeof value === 'number' ? value : Number(String(value).trim() || 'x');
  const letters = Number.isNaN(number) ? geohashLettersOf(parseDistance(String(value))) : Math.trunc(number);
  if (letters >= 1 && letters <= PRECISION_MAX) return letters;
  if (Number.isNaN(number)) return Math.min(PRECISION_MAX, Math.max(1, letters));
  throw illegalArgument(`[precision] must be between 1 and ${PRECISION_MAX}, got [${String(value)}]`);
}
