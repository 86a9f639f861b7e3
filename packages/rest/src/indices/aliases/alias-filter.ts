/**
 * Filters of aliases, checked where a request brings them: one that is no query would fail every later search.
 */
import { illegalArgument, isShoalError, writeJson } from '@shoal/core';
import { parseQueryBytes } from '@shoal/query';
import { isJsonObject, type JsonObject } from '../../request/json-body.ts';

/**
 * Key `filter` in the body of an alias; null without one, which an empty object also means.
 *
 * @throws ShoalError illegal_argument_exception when it is no query
 */
export function aliasFilter(alias: string, body: JsonObject): JsonObject | null {
  const filter = body.filter ?? null;
  if (filter === null) return null;
  if (!isJsonObject(filter)) throw illegalArgument('[filter] must be an object');
  if (Object.keys(filter).length === 0) return null;
  try {
    parseQueryBytes(writeJson(filter));
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw illegalArgument(`failed to parse filter for alias [${alias}]`, { causedBy: error });
  }
  return filter;
}

/** Checks the filters of the aliases in the body of an index creation; their shape is the cluster manager's to check. */
export function checkAliasFilters(aliases: JsonObject): void {
  for (const [alias, body] of Object.entries(aliases)) {
    if (isJsonObject(body)) aliasFilter(alias, body);
  }
}
