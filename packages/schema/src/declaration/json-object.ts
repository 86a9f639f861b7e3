/**
 * Plain JSON objects: the check before reading one, and building one from entries.
 *
 * `__proto__` is a legal name of a field: objects are built by `Object.fromEntries` or spread, never by assignment.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Value as a JSON object; null when it is none. */
export function asObject(value: unknown): JsonObject | null {
  // An object that is neither null nor a list has string keys and unknown values.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** Own property or undefined: never an inherited one, such as `constructor`. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Name of a JSON value's Java class, as Elasticsearch prints it in errors. */
export function javaClassOf(value: unknown): string {
  if (typeof value === 'string') return 'java.lang.String';
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'java.lang.Integer' : 'java.lang.Double';
  if (Array.isArray(value)) return 'java.util.ArrayList';
  return 'java.util.HashMap';
}

/** Value as Java prints maps and lists: `{a=1}`. */
export function javaPrinted(value: unknown): string {
  const object = asObject(value);
  if (object !== null)
    return `{${Object.entries(object)
      .map(([key, v]) => `${key}=${javaPrinted(v)}`)
      .join(', ')}}`;
  return Array.isArray(value) ? `[${value.map(javaPrinted).join(', ')}]` : String(value);
}
