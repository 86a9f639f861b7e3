/**
 * Maps and sets of a state without one of their parts: states are never changed, the next one has copies.
 */

export function withoutKey<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

export function withoutItem<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  const rest = new Set(set);
  rest.delete(item);
  return rest;
}
