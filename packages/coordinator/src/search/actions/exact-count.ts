/**
 * Totals shown as a plain number cannot say "at least": they are counted exactly, or not at all.
 */
import { illegalArgument } from '@shoal/core';
import { parseSearchRequest, type RequestInput } from '@shoal/query';

/** Of a request that does not say. */
const TRACK_TOTAL_HITS_DEFAULT = 10_000;

/** A threshold that nobody asked for gives way to an exact count; one that was asked for contradicts it, with 400. */
export function exactCountParams(input: RequestInput): Readonly<Record<string, string>> {
  const asked = parseSearchRequest(input).trackTotalHits;
  if (asked === 0 || asked === Number.POSITIVE_INFINITY) return input.params;
  if (asked !== TRACK_TOTAL_HITS_DEFAULT) {
    throw illegalArgument(
      `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${asked}`,
    );
  }
  return { ...input.params, track_total_hits: 'true' };
}
