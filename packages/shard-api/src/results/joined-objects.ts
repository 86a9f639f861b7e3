/**
 * Members of one answer that come from two places: an object that a shard has written already, and one that is written here.
 */
import { ANY_TOKENS, parseJson, RawJson, writeJson } from '@shoal/core';

const OPEN = Buffer.from('{', 'utf8');
const COMMA = Buffer.from(',', 'utf8');

/**
 * A value for `writeJson`; undefined when there is none. A name in both shows what stands in `written`.
 *
 * @param written JSON of an object with members; null without
 */
export function joinedObjects(written: Uint8Array | null, other: Readonly<Record<string, unknown>> | null): unknown {
  if (written === null) return other ?? undefined;
  if (other === null) return new RawJson(written);
  const read = new Set(Object.keys(Object(parseJson(written, ANY_TOKENS))));
  const added = Object.entries(other).filter(([name]) => !read.has(name));
  if (added.length === 0) return new RawJson(written);
  // Both are objects with members: the first without its last brace, the second without its first.
  const first = writeJson(Object.fromEntries(added)).subarray(1, -1);
  return new RawJson(Buffer.concat([OPEN, first, COMMA, written.subarray(1)]));
}
