/**
 * Statistics that another node sent, read by path: their shape is its own, so every step is checked.
 */

export type StatsTree = Readonly<Record<string, unknown>>;

/** The value at `a.b.c`; undefined when any step is missing. */
function valueAt(tree: StatsTree, path: string): unknown {
  let value: unknown = tree;
  for (const part of path.split('.')) {
    if (!isTree(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** null when there is no finite number at the path. */
export function numberAt(tree: StatsTree, path: string): number | null {
  const value = valueAt(tree, path);
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** null when there is no text at the path. */
export function textAt(tree: StatsTree, path: string): string | null {
  const value = valueAt(tree, path);
  return typeof value === 'string' ? value : null;
}

export function isTree(value: unknown): value is StatsTree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Leaves of a tree as texts, under their dotted names. */
export function flatTexts(tree: StatsTree, prefix: string): Readonly<Record<string, string>> {
  return Object.assign(
    {},
    ...Object.entries(tree).map(([key, value]) =>
      isTree(value) ? flatTexts(value, `${prefix}${key}.`) : { [prefix + key]: String(value) },
    ),
  );
}

/** Numbers at the same path added up; of other values the first. Lists are added up item by item. */
export function summedTrees(a: StatsTree, b: StatsTree): StatsTree {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...keys].map((key) => [key, summed(a[key], b[key])]));
}

function summed(a: unknown, b: unknown): unknown {
  if (a === undefined || b === undefined) return a ?? b;
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (isTree(a) && isTree(b)) return summedTrees(a, b);
  if (!Array.isArray(a) || !Array.isArray(b)) return a;
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => summed(a[i], b[i]));
}
