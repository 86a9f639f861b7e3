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
