/**
 * What names of segments say, and the version of their format that clients are shown.
 */
import { API_VERSION } from '@shoal/core';

/** Clients read it as the version of the library that wrote the segment. */
export const SEGMENT_FORMAT_VERSION: string = API_VERSION.luceneVersion;

/** Number of a segment in its shard: its name is `_` and that number in base 36. */
export function segmentGeneration(name: string): number {
  return Number.parseInt(name.slice(1), 36);
}
