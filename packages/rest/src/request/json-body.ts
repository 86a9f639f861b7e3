/**
 * Bodies of administrative requests: JSON objects with few keys, read key by key.
 */
import { illegalArgument, type JsonNode, parseJson, parseJsonTree, ShoalError } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object in the body; empty when there is none. */
export function bodyObject(request: HttpRequest): JsonObject {
  if (request.body === null || request.body.length === 0) return {};
  const value = parseJson(request.body);
  if (!isJsonObject(value))
    throw new ShoalError('parse_exception', 400, 'request body is required to be a JSON object');
  return value;
}

/** @throws action_request_validation_exception when the request has no body */
export function requiredBody(request: HttpRequest): JsonObject {
  if (request.body === null || request.body.length === 0) {
    throw new ShoalError('parse_exception', 400, 'request body is required');
  }
  return bodyObject(request);
}

/** A body as it is written; null when there is none. */
export function treeOfBody(body: Uint8Array | null): JsonNode | null {
  return body === null || body.length === 0 ? null : parseJsonTree(body);
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object under `key`; empty when absent or null. */
export function objectAt(body: JsonObject, key: string): JsonObject {
  const value = body[key] ?? {};
  if (!isJsonObject(value)) throw new ShoalError('parse_exception', 400, `key [${key}] must be an object`);
  return value;
}

/** A text under `key`, numbers and flags as text; null when absent or null. */
export function textAt(body: JsonObject, key: string): string | null {
  const value = body[key] ?? null;
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  throw illegalArgument(`[${key}] must be a string`);
}

/** A flag under `key`, also as the words `true` and `false`; null when absent or null. */
export function flagAt(body: JsonObject, key: string): boolean | null {
  const value = body[key] ?? null;
  if (value === null || typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw illegalArgument(`Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`);
}

/** Texts under `key`: a list, or one alone. Empty when absent. */
export function textsAt(body: JsonObject, key: string): readonly string[] {
  const value = body[key] ?? null;
  if (value === null) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    if (typeof item === 'string') return item;
    throw illegalArgument(`[${key}] must be a string or a list of strings`);
  });
}

/** The first key of the body that is not known. */
export function unknownKey(body: JsonObject, known: readonly string[]): string | undefined {
  return Object.keys(body).find((key) => !known.includes(key));
}

/** @throws parse_exception for a key that is not known */
export function checkKeys(body: JsonObject, known: readonly string[], errorOf: (key: string) => string): void {
  const unknown = unknownKey(body, known);
  if (unknown !== undefined) throw new ShoalError('parse_exception', 400, errorOf(unknown));
}
