/**
 * Lookups of the processors `enrich` of one request. A document that needs to know something that is not known yet stops, until the lookups of
 * all documents of the request that stopped were searched for at once; then it goes on.
 */
import { jsonText } from '@shoal/agent-event';
import type { ClusterState } from '@shoal/cluster-state';
import type { CancelFlag } from '@shoal/core';
import { asShoalError, isAssertionFailure, isShoalError, type ShoalError, type Steps } from '@shoal/core';
import type { EnrichLookup, EnrichSource } from '@shoal/ingest';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { READ_INDICES_OPTIONS } from '../indices/indices-options.ts';
import { executeSearch } from '../search/actions/execute-search.ts';
import { PLAIN_SEARCH } from '../search/targets/search-input.ts';
import { type EnrichIndex, findEnrichIndex } from './enrich-index.ts';
import { enrichSearchBody } from './enrich-query.ts';

/** Searches of a request that run at the same time. */
const SEARCHES_AT_ONCE = 16;

interface Wanted {
  readonly index: string;
  readonly body: Uint8Array;
}

export class EnrichLookups implements EnrichSource {
  readonly #context: CoordinatorContext;
  readonly #state: ClusterState;
  readonly #indices = new Map<string, EnrichIndex>();
  /** What this request looked up: the cache of the node may forget it before the document goes on. */
  readonly #found = new Map<string, readonly string[] | ShoalError>();
  #wanted = new Map<string, Wanted>();
  #unanswered = 0;

  constructor(context: CoordinatorContext, state: ClusterState) {
    this.#context = context;
    this.#state = state;
  }

  find(lookup: EnrichLookup): readonly string[] | null {
    const target = this.#indexOf(lookup.policy);
    const { value, matchesMax, relation } = lookup;
    const key = `${target.index} ${matchesMax} ${relation} ${jsonText(value)}`;
    const known = this.#found.get(key) ?? this.#cached(key);
    if (isShoalError(known)) throw known;
    if (known !== null) return known;
    this.#wanted.set(key, { index: target.index, body: enrichSearchBody(target, lookup) });
    this.#unanswered++;
    return null;
  }

  /**
   * Runs the steps of one document until it is done, or needs to know something.
   *
   * @returns true when it is done: `done` was called with its result
   */
  *advance<T>(document: Steps<T>, done: (result: T) => void): Steps<boolean> {
    for (;;) {
      const unanswered = this.#unanswered;
      const step = document.next();
      if (step.done === true) {
        done(step.value);
        return true;
      }
      if (this.#unanswered > unanswered) return false;
      yield;
    }
  }

  /** Searches for everything that documents stopped for. A search that fails is a failure of the processors that wait for it. */
  async fetch(signal: CancelFlag | null): Promise<void> {
    const wanted = [...this.#wanted];
    this.#wanted = new Map();
    let next = 0;
    const work = async (): Promise<void> => {
      for (let entry = wanted[next++]; entry !== undefined; entry = wanted[next++]) {
        const [key, { index, body }] = entry;
        this.#found.set(key, await this.#search(key, index, body, signal));
      }
    };
    await Promise.all(Array.from({ length: Math.min(SEARCHES_AT_ONCE, wanted.length) }, work));
  }

  #indexOf(policy: string): EnrichIndex {
    const known = this.#indices.get(policy) ?? findEnrichIndex(this.#state, policy);
    this.#indices.set(policy, known);
    return known;
  }

  #cached(key: string): readonly string[] | null {
    if (this.#wanted.has(key)) return null;
    const found = this.#context.enrichCache.get(key);
    if (found !== undefined) this.#found.set(key, found);
    return found ?? null;
  }

  async #search(
    key: string,
    index: string,
    body: Uint8Array,
    signal: CancelFlag | null,
  ): Promise<readonly string[] | ShoalError> {
    const { enrichCache, runtime } = this.#context;
    const startedMs = runtime.clock.monotonicMs();
    enrichCache.counts.searches++;
    enrichCache.counts.running++;
    try {
      const { hits } = await executeSearch(this.#context, {
        ...PLAIN_SEARCH,
        expression: index,
        indicesOptions: READ_INDICES_OPTIONS,
        body,
        allowPartialResults: false,
        signal,
      });
      const found = hits.flatMap(({ hit }) => (hit.source === null ? [] : [Buffer.from(hit.source).toString('utf8')]));
      enrichCache.put(key, found);
      return found;
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      return asShoalError(error);
    } finally {
      enrichCache.counts.running--;
      enrichCache.counts.missesMs += Math.round(runtime.clock.monotonicMs() - startedMs);
    }
  }
}
