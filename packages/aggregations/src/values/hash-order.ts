/**
 * The order in which a hash table of Java walks through its keys: answers list some names in it.
 */

const CAPACITY_MIN = 16;
const LOAD_MAX = 0.75;

/** Names by their slot in a table that has grown with them; of one slot as they came. */
export function hashOrder(names: readonly string[]): readonly string[] {
  let capacity = CAPACITY_MIN;
  while (names.length > capacity * LOAD_MAX) capacity *= 2;
  const slot = (name: string): number => {
    let hash = 0;
    for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) | 0;
    return (hash ^ (hash >>> 16)) & (capacity - 1);
  };
  return [...names].sort((a, b) => slot(a) - slot(b));
}
