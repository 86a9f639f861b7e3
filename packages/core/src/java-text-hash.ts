/**
 * `String.hashCode` of Java: what the API derives from texts (seeds, salts, hashes in scripts) follows from it.
 */

const PRIME = 31;

/** Signed 32-bit hash over the UTF-16 units of `text`. */
export function javaTextHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(PRIME, hash) + text.charCodeAt(i)) | 0;
  return hash;
}

const TABLE_MIN = 16;
/** A table grows when more than this share of it is taken. */
const LOAD_MAX = 0.75;

/** Texts in the order in which a `HashMap` of Java walks them: the order of clauses that the API makes of the fields of a request. */
export function inJavaHashOrder(texts: Iterable<string>): readonly string[] {
  const all = [...new Set(texts)];
  let size = TABLE_MIN;
  while (all.length > size * LOAD_MAX) size *= 2;
  const bucketOf = (text: string): number => {
    const hash = javaTextHash(text);
    return (hash ^ (hash >>> 16)) & (size - 1);
  };
  return all
    .map((text) => ({ text, bucket: bucketOf(text) }))
    .sort((a, b) => a.bucket - b.bucket)
    .map(({ text }) => text);
}
