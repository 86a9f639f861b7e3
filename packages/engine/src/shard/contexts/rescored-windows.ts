/**
 * Documents that searches on a reader rescored, kept from the query phase to the fetch phase that explains their scores.
 *
 * Several searches may use one point in time: each is known by its request, and all with the same request on the same reader
 * rescored the same documents.
 */
import { writeJsonText } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';
import type { RescoredOrds } from '../../phases/context/shard-search-context.ts';

/** Searches of one reader that are between their phases; the oldest is forgotten. */
const SEARCHES_MAX = 32;

export class RescoredWindows {
  private readonly byRequest = new Map<string, RescoredOrds>();

  remember(request: SearchRequest, rescored: RescoredOrds | undefined): void {
    if (rescored === undefined) return;
    const key = keyOf(request);
    this.byRequest.delete(key);
    this.byRequest.set(key, rescored);
    const [oldest] = this.byRequest.keys();
    if (oldest !== undefined && this.byRequest.size > SEARCHES_MAX) this.byRequest.delete(oldest);
  }

  /** null: nothing was rescored, or it is not known any more. */
  of(request: SearchRequest): RescoredOrds | null {
    return this.byRequest.size === 0 ? null : (this.byRequest.get(keyOf(request)) ?? null);
  }
}

/** Everything that decides which documents are found and rescored. */
function keyOf({ query, rescore, postFilter, minScore, slice, from, size, terminateAfter }: SearchRequest): string {
  return writeJsonText({ query, rescore, postFilter, minScore, slice, from, size, terminateAfter });
}
