/**
 * `fields` of a hit: what its shard read for it, and the stored fields that were taken from its source, in one object.
 */

import type { SearchHit } from '@shoal/coordinator';
import { ANY_TOKENS, parseJson, RawJson, writeJson } from '@shoal/core';

const OPEN = Buffer.from('{', 'utf8');
const COMMA = Buffer.from(',', 'utf8');

/** A value for `writeJson`; undefined when there is none. A name in both shows what the shard read. */
export function shownFields({ fields, hit }: SearchHit): unknown {
  if (hit.fields === null) return fields ?? undefined;
  if (fields === null) return new RawJson(hit.fields);
  const read = new Set(Object.keys(Object(parseJson(hit.fields, ANY_TOKENS))));
  const stored = Object.entries(fields).filter(([name]) => !read.has(name));
  if (stored.length === 0) return new RawJson(hit.fields);
  // Both are objects with members: the first without its last brace, the second without its first.
  const first = writeJson(Object.fromEntries(stored)).subarray(1, -1);
  return new RawJson(Buffer.concat([OPEN, first, COMMA, hit.fields.subarray(1)]));
}
