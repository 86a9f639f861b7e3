/** Results of an expensive function by their argument, the newest of them kept. */

const KEPT_MAX = 64;

export function keepResults<T>(make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(key, made);
    return made;
  };
}
