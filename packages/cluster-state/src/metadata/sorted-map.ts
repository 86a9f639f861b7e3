/**
 * Maps of the cluster state, always in the order of their keys (code units).
 *
 * Every node must walk nodes and indices in the same order, whatever way a state reached it: allocation and elections are
 * functions of the state, and a map's insertion order would be hidden input.
 */

export function sortedMap<V>(entries: Iterable<readonly [string, V]>): ReadonlyMap<string, V> {
  return new Map([...entries].sort(([a], [b]) => compareCodeUnits(a, b)));
}

/** `map` with entries replaced or (value null) removed; the same map when there is nothing to change. */
export function withEntries<V>(
  map: ReadonlyMap<string, V>,
  changes: Iterable<readonly [string, V | null]>,
): ReadonlyMap<string, V> {
  let next: Map<string, V> | null = null;
  let hasNewKey = false;
  for (const [key, value] of changes) {
    next ??= new Map(map);
    if (value === null) {
      next.delete(key);
    } else {
      hasNewKey ||= !next.has(key);
      next.set(key, value);
    }
  }
  if (next === null) return map;
  return hasNewKey ? sortedMap(next) : next;
}

export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
