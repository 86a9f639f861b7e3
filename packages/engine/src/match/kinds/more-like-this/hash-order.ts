/**
 * Order in which a hash map of Java goes through its keys. Which of several words that tell alike are looked for depends on it.
 *
 * @see java.util.HashMap: buckets by the low bits of the hash, a bucket in the order of insertion, twice the buckets when three
 *      quarters of them are counted
 */

const BUCKETS_MIN = 16;
const LOAD_MAX = 0.75;

/** Keys, given in the order of their insertion, in the order of the map. */
export function inHashOrder(keys: readonly string[]): readonly string[] {
  let buckets = BUCKETS_MIN;
  while (keys.length > buckets * LOAD_MAX) buckets *= 2;
  const placed = keys.map((key) => ({ key, bucket: spreadHash(key) & (buckets - 1) }));
  // The sort is stable: keys of a bucket stay as they were inserted.
  return placed.sort((a, b) => a.bucket - b.bucket).map(({ key }) => key);
}

function spreadHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash ^ (hash >>> 16);
}
