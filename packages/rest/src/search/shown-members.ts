/**
 * Members of a query as Elasticsearch shows them: those that it has by default too, in its order.
 */
import { FloatNumber } from '@shoal/core';

export type Json = Readonly<Record<string, unknown>>;

/** A member of a shown query: without a default it is shown only when it was given. */
export type MemberRow = readonly [name: string, fallback?: unknown, show?: (value: unknown) => unknown];

export const float = (value: unknown): unknown => (typeof value === 'number' ? new FloatNumber(value) : value);
export const upper = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);
export const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);
export const text = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
export const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Members that all queries have. */
export const TAIL: readonly MemberRow[] = [['boost', 1, float], ['_name']];
/** Other names of members, by the name that is shown. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  wildcard: ['value'],
  value: ['term'],
};

/** The members of a query that its rows name, and then those that they do not. */
export function shownMembers(given: Json, rows: readonly MemberRow[]): Json {
  const shown: [string, unknown][] = [];
  const names = new Set<string>();
  for (const [name, fallback, show = (value: unknown) => value] of rows) {
    const found = [name, ...(ALIASES[name] ?? [])].find((candidate) => given[candidate] !== undefined);
    names.add(name).add(found ?? name);
    const value = found === undefined ? fallback : given[found];
    if (value !== undefined && !(name === 'case_insensitive' && value === false)) shown.push([name, show(value)]);
  }
  // Members that the table does not know are shown as they are: none is left out.
  return Object.fromEntries([...shown, ...Object.entries(given).filter(([name]) => !names.has(name))]);
}
