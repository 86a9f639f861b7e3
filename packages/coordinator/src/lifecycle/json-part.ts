/**
 * Parts of a JSON body that must be objects.
 */

export type JsonPart = Readonly<Record<string, unknown>>;

/** null: the value is no object. */
export function jsonPart(value: unknown): JsonPart | null {
  // Checked the line before it is believed: what JSON makes of an object has text keys.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonPart) : null;
}
