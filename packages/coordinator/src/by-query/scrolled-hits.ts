/**
 * Hits of this cluster, by a scroll: the documents as they were when the first page was asked for.
 */
import { CancelSource, isShoalError } from '@shoal/core';
import { plainSearch } from '@shoal/query';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { executeScroll, freeHeldContexts } from '../search/actions/execute-scroll.ts';
import { executeSearch } from '../search/actions/execute-search.ts';
import type { SearchOutcome } from '../search/results/search-outcome.ts';
import { readContextId } from '../search/targets/context-ids.ts';
import type { SearchInput } from '../search/targets/search-input.ts';
import type { SourceRequest } from './by-query-request.ts';
import { RETRIES_MAX, retryWaitMs, TOO_MANY_REQUESTS } from './refused-attempts.ts';
import type { HitPage, SourceHits } from './source-hits.ts';

/** A scroll that was parsed, and keeps its hits for `scrollKeepAliveMs`. */
export type ScrolledSearch = SearchInput & {
  readonly parsed: NonNullable<SearchInput['parsed']>;
  readonly scrollKeepAliveMs: number;
};

export class ScrolledHits implements SourceHits {
  readonly #context: CoordinatorContext;
  readonly #search: ScrolledSearch;
  readonly #source: SourceRequest;
  #scrollId: string | null = null;
  #total = 0;
  /** Flag of the page that is asked for: that of the work would remember the requests of all pages. */
  #page = new CancelSource();

  constructor(context: CoordinatorContext, search: ScrolledSearch, source: SourceRequest) {
    this.#context = context;
    this.#search = search;
    this.#source = source;
    source.signal.onCancel(() => this.#page.cancel(source.signal.reason ?? ''));
  }

  async next(idleMs: number): Promise<HitPage> {
    if (!this.#page.cancelled) this.#page = new CancelSource();
    const outcome = this.#scrollId === null ? await this.#first(idleMs) : await this.#following(this.#scrollId, idleMs);
    this.#scrollId = outcome.scrollId ?? this.#scrollId;
    this.#total = outcome.total?.value ?? this.#total;
    return {
      total: this.#total,
      hits: outcome.hits.map(({ index, hit }) => ({ ...hit, index })),
      timedOut: outcome.timedOut,
      failures: outcome.shards.failures.map(({ target, nodeId, error }) => ({
        index: target.shard.index,
        shard: target.shard.number,
        nodeId,
        error,
      })),
    };
  }

  async #first(idleMs: number): Promise<SearchOutcome> {
    const { slice, documentsMax, retries, pauses } = this.#source;
    const { parsed, scrollKeepAliveMs } = this.#search;
    const size = Math.min(parsed.request.size, documentsMax ?? parsed.request.size);
    const request = { ...parsed.request, size, slice: slice ?? parsed.request.slice };
    const input = {
      ...this.#search,
      parsed: plainSearch(request),
      scrollKeepAliveMs: scrollKeepAliveMs + idleMs,
      signal: this.#page,
    };
    for (let retry = 1; ; retry++) {
      try {
        return await executeSearch(this.#context, input);
      } catch (error) {
        const isRefused = isShoalError(error) && error.status === TOO_MANY_REQUESTS;
        if (!isRefused || retry > RETRIES_MAX || this.#page.cancelled) throw error;
        retries.searchRetries++;
        await pauses.pause(retryWaitMs(retry));
      }
    }
  }

  #following(scrollId: string, idleMs: number): Promise<SearchOutcome> {
    const keepAliveMs = this.#search.scrollKeepAliveMs + idleMs;
    return executeScroll(this.#context, { scrollId, keepAliveMs, signal: this.#page });
  }

  async close(): Promise<void> {
    if (this.#scrollId !== null) await freeHeldContexts(this.#context, [readContextId('scroll', this.#scrollId)]);
  }
}
