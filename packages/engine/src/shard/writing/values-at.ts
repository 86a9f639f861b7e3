/**
 * Part of a document that stored fields need and its kept source lacks: the objects and lists around the values stay, so that
 * nested objects stand where they stood.
 */
import { ANY_TOKENS, parseJson, writeJson } from '@shoal/core';

/**
 * @param source a JSON object, which was parsed
 * @param paths of the values
 * @returns null where the document has none of the values
 */
export function valuesAt(source: Uint8Array, paths: readonly string[]): Uint8Array | null {
  const kept = partOf(parseJson(source, ANY_TOKENS), paths);
  return kept === undefined ? null : writeJson(kept);
}

/** undefined where nothing of a value is wanted. */
function partOf(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const parts = value.map((entry) => partOf(entry, paths));
    // Each entry keeps its position.
    return parts.every((part) => part === undefined)
      ? undefined
      : parts.map((part, at) => part ?? placeholder(value[at]));
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const members: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    if (paths.includes(name)) {
      members.push([name, inner]);
      continue;
    }
    const below = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    const part = below.length === 0 ? undefined : partOf(inner, below);
    if (part !== undefined) members.push([name, part]);
  }
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function placeholder(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? {} : null;
}
