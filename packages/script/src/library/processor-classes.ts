/**
 * `Processors`: what some processors of pipelines do, for scripts.
 */
import { illegalArgument, isShoalError, parseJson, parseJsonTree } from '@shoal/core';
import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { nullPointer } from '../values/java-exception.ts';
import { JavaMap } from '../values/java-map.ts';
import { textOf } from '../values/java-text.ts';
import { fromJsonNode } from '../values/json-values.ts';
import { sizeInBytes } from '../values/size-in-bytes.ts';
import { urlDecoded } from '../values/url-decoded.ts';

function notNull(text: string | null): string {
  if (text === null) throw nullPointer();
  return text;
}

/** The value of a text of JSON; null for one without any. */
function jsonValue(value: unknown): unknown {
  const text = value === null ? 'null' : textOf(value);
  try {
    // Its errors say where they are, and it refuses names that stand twice.
    if (text.trim() !== '') parseJson(text);
    const node = parseJsonTree(new TextEncoder().encode(text));
    return node === null ? null : fromJsonNode(node);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw illegalArgument(error.message, { causedBy: error });
  }
}

/** Puts the members of the object that a field has as text into the map of the field. */
function addJson(map: JavaMap | null, field: string | null): void {
  if (map === null) throw nullPointer();
  const value = jsonValue(map.get(field));
  if (!(value instanceof JavaMap)) throw illegalArgument('cannot add non-map fields to root of document');
  for (const [name, one] of value.entries()) map.set(name, one);
}

export const PROCESSOR_CLASSES: readonly ScriptClass[] = [
  scriptClass('org.elasticsearch.ingest.common.Processors', ['java.lang.Object'], {
    'static long bytes(String)': (_m, _s, text: string | null) => sizeInBytes(notNull(text)),
    'static String lowercase(String)': (_m, _s, text: string | null) => notNull(text).toLowerCase(),
    'static String uppercase(String)': (_m, _s, text: string | null) => notNull(text).toUpperCase(),
    'static Object json(Object)': (_m, _s, value: unknown) => jsonValue(value),
    'static void json(Map,String)': (_m, _s, map: JavaMap | null, field: string | null) => addJson(map, field),
    'static String urlDecode(String)': (_m, _s, text: string | null) => urlDecoded(notNull(text)),
  }),
];
