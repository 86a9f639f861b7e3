/**
 * Memory that a value of a script takes, about: what scripts keep from one run to the next is counted by it.
 */
import { JavaArray, JavaMap, JavaSet, JavaStringBuilder } from '../values/java-map.ts';

const ITEM_BYTES = 24;
const ENTRY_BYTES = 96;
/** Values within values; what is deeper is not counted. */
const DEPTH_MAX = 100;

/** Bytes, about. */
export function scriptValueBytes(value: unknown, depth = 0): number {
  if (typeof value === 'string') return ITEM_BYTES + 2 * value.length;
  if (value instanceof JavaStringBuilder) return ITEM_BYTES + 2 * value.text.length;
  if (depth > DEPTH_MAX) return ITEM_BYTES;
  let bytes = ITEM_BYTES;
  if (value instanceof JavaMap) {
    for (const [key, item] of value.entries()) {
      bytes += ENTRY_BYTES + scriptValueBytes(key, depth + 1) + scriptValueBytes(item, depth + 1);
    }
    return bytes;
  }
  const items = value instanceof JavaSet ? value.items() : value instanceof JavaArray ? value.items : value;
  if (!Array.isArray(items)) return bytes;
  for (const item of items) bytes += scriptValueBytes(item, depth + 1);
  return bytes;
}
