/** Cluster settings as users send them, nested or flat, to dotted names and values. */
import { illegalArgument } from '@shoal/core';

const DEPTH_MAX = 20;

/** Names and values of nested JSON, in order; a list is one value, joined by commas. */
export function* flatClusterSettings(json: unknown, prefix = '', depth = 0): IterableIterator<[string, string | null]> {
  if (depth > DEPTH_MAX) throw illegalArgument(`cluster settings are nested too deeply at [${prefix}]`);
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
    for (const [key, value] of Object.entries(json)) {
      yield* flatClusterSettings(value, prefix === '' ? key : `${prefix}.${key}`, depth + 1);
    }
  } else if (Array.isArray(json)) {
    yield [prefix, json.map(String).join(',')];
  } else {
    yield [prefix, json === null ? null : String(json)];
  }
}

/** Names that a request sets or removes. */
export function clusterSettingNames(json: unknown): readonly string[] {
  return [...flatClusterSettings(json)].map(([name]) => name);
}
