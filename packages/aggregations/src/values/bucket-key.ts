/**
 * Keys of buckets and their order: numbers by value whatever their kind, texts as their UTF-8 bytes would.
 */

/** What buckets sort by: a text, a number, or a 16-byte address as a string of bytes. */
export type BucketKey = string | number | bigint;

/** Kind of the keys of one result, which decides how they are shown. */
export type KeyKind = 'text' | 'long' | 'double';

export function compareKeys(a: BucketKey, b: BucketKey): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (typeof a === 'string') return 1;
  if (typeof b === 'string') return -1;
  return a < b ? -1 : Number(a > b);
}

/** Order by code points: UTF-16 units would put the characters beyond the basic plane before some of it. */
function compareTexts(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const isSurrogateX = x >= 0xd800 && x <= 0xdfff;
    const isSurrogateY = y >= 0xd800 && y <= 0xdfff;
    return isSurrogateX === isSurrogateY ? x - y : isSurrogateX ? 1 : -1;
  }
  return a.length - b.length;
}
