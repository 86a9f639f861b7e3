/**
 * Body of `_analyze` with `attributes`: tokens of the detail have only the attributes that were asked for.
 */
import { isTree, type StatsTree } from '../bodies/stats-tree.ts';

/** Keys that every token has, whatever attributes are wanted. */
const TOKEN_KEYS: readonly string[] = ['token', 'start_offset', 'end_offset', 'type', 'position'];

/** @param attributes token attributes wanted in the detail; empty: all */
export function analyzeBody(body: StatsTree, attributes: readonly string[]): StatsTree {
  const { detail } = body;
  if (attributes.length === 0 || !isTree(detail)) return body;
  const kept = [...TOKEN_KEYS, ...attributes];
  const step = (value: unknown): unknown => {
    if (!isTree(value) || !Array.isArray(value.tokens)) return value;
    return { ...value, tokens: value.tokens.map((token: unknown) => (isTree(token) ? pick(token, kept) : token)) };
  };
  const steps = Object.entries(detail).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map(step) : step(value),
  ]);
  return { detail: Object.fromEntries(steps) };
}

function pick(token: StatsTree, keys: readonly string[]): StatsTree {
  return Object.fromEntries(Object.entries(token).filter(([key]) => keys.includes(key)));
}
