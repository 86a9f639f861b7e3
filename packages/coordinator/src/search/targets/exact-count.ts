/**
 * Totals shown as a plain number cannot say "at least": they are counted exactly, or not at all.
 */
import { illegalArgument } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';

/** Default "track_total_hits" of a search. */
const TRACK_TOTAL_HITS_DEFAULT = 10_000;

/** A threshold that nobody asked for gives way to an exact count; one that was asked for contradicts it, with 400. */
export function withExactCount(request: SearchRequest): SearchRequest {
  const asked = request.trackTotalHits;
  if (asked === 0 || asked === Number.POSITIVE_INFINITY) return request;
  if (asked !== TRACK_TOTAL_HITS_DEFAULT) {
    throw illegalArgument(
      `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${asked}`,
    );
  }
  return { ...request, trackTotalHits: Number.POSITIVE_INFINITY };
}
