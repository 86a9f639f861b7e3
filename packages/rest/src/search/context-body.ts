/**
 * Bodies of the APIs that continue or close a search context: JSON objects that hold ids.
 */
import { illegalArgument, parseJson, parsingException } from '@shoal/core';
import type { HttpRequest } from '@shoal/http';

/** The word that stands for every context. */
export const ALL_CONTEXTS = '_all';

export type ContextBody = Readonly<Record<string, unknown>>;

/** The object in the body; empty when there is none. */
export function contextBodyOf({ body }: HttpRequest): ContextBody {
  if (body === null) return {};
  const value = parseJson(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ContextBody; // An object with some keys: what else could it be.
  throw parsingException('Malformed content, must start with an object', { line: 1, col: 1 });
}

/** @throws illegal_argument_exception for a key that is not known */
export function refuseOtherKeys(body: ContextBody, known: readonly string[]): void {
  const other = Object.keys(body).find((name) => !known.includes(name));
  if (other === undefined) return;
  throw illegalArgument(`Unknown parameter [${other}] in request body or parameter is of the wrong type`);
}

/** One id, several in a list, or several with commas. */
export function idsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(',').filter((id) => id !== '');
  if (Array.isArray(value) && value.every((id) => typeof id === 'string')) return value;
  if (value === undefined) return [];
  throw illegalArgument('ids must be a string or an array of strings');
}
