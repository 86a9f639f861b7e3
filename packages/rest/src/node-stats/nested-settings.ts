/**
 * Settings as `_nodes` shows them: maps in maps, made from dotted names.
 */

/** `a.b.c: v` as `{a: {b: {c: v}}}`. A name that is also a prefix of another stays flat. */
export function nestedSettings(entries: readonly (readonly [string, string])[]): Readonly<Record<string, unknown>> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const parts = name.split('.');
    const last = parts.pop() ?? name;
    const parent = descend(root, parts);
    if (parent === null) root[name] = value;
    else parent[last] = value;
  }
  return root;
}

function descend(root: Record<string, unknown>, parts: readonly string[]): Record<string, unknown> | null {
  let at = root;
  for (const part of parts) {
    const next = (at[part] ??= {});
    if (typeof next !== 'object' || next === null) return null;
    at = next as Record<string, unknown>; // Only maps and texts are put in, by `nestedSettings`.
  }
  return at;
}
