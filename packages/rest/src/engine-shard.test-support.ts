/**
 * A shard of the real engine for tests of the API: the program of a shard's worker, run inline over a disk in memory.
 *
 * Every search is preceded by a refresh, so that tests find what they wrote; refresh policies are tested with whole nodes.
 */

import type { IndexMetadata } from '@shoal/cluster-state';
import { assert, CancelSource } from '@shoal/core';
import {
  BULK_RESULTS,
  type BulkShardRequest,
  type BulkShardResponse,
  type FetchPhaseRequest,
  GET_DOCUMENTS,
  type GetDocumentsRequest,
  type QueryPhaseRequest,
  type RankQueryRequest,
  type RankRoundMessage,
  type ScrollPhaseRequest,
  type ShardTermVectorsRequest,
  type StatisticsPhaseRequest,
  SUGGEST_PHASE,
  type SuggestPhaseRequest,
  TERMS_ENUM,
  type TermsEnumMessage,
} from '@shoal/protocol';
import type { Runtime } from '@shoal/runtime';
import { mergeMapping } from '@shoal/schema';
import { PackedResults } from '@shoal/shard-api';
import type { WireBody } from '@shoal/transport';
import { breakerMemory } from '../../engine/src/memory/request-breaker.ts';
import { scrollMemory } from '../../engine/src/shard/contexts/scroll-count.ts';
import { recoveryMemory } from '../../engine/src/shard/recovery/recovery-pace.ts';
import { unpackBody } from '../../shards/src/calls/packed-body.ts';
import { type ShardKey, shardKey } from '../../shards/src/calls/worker-calls.ts';
import { start } from '../../shards/src/worker/shard-worker.ts';
import { WorkerThread } from '../../shards/src/worker/worker-thread.ts';

const MEMORY_BYTES_MAX = 64 * 1024 * 1024;

/** The program of a worker thread in this thread; `runtime` has inline workers. */
export function engineThread(runtime: Runtime): WorkerThread {
  const parent = { limitBytes: Number.MAX_SAFE_INTEGER, usesRealMemory: false };
  const breaker = { shared: breakerMemory(1), slot: 0, limitBytes: MEMORY_BYTES_MAX, parent };
  const nothing = (): void => {};
  const observer = {
    onAnswered: nothing,
    onShardFailed: nothing,
    onCopyOutput: nothing,
    onAggregationsUsed: nothing,
    onGuestsWanted: nothing,
    onExit: nothing,
  };
  const share = {
    memoryBytesMax: MEMORY_BYTES_MAX,
    requestCacheBytesMax: MEMORY_BYTES_MAX / 16,
    breaker,
    scrolls: scrollMemory(1),
    recoveries: recoveryMemory(1),
    refreshesBeforeSearch: false,
    hasOthers: false,
  };
  return new WorkerThread(runtime, { name: 'engine', program: start, share }, observer);
}

export class EngineShard {
  readonly #thread: WorkerThread;
  readonly #key: ShardKey;
  readonly #opened: Promise<unknown>;
  readonly #claim: { readonly allocationId: string; readonly primaryTerm: number };
  #mapping: Readonly<Record<string, unknown>>;

  constructor(thread: WorkerThread, metadata: IndexMetadata, number: number) {
    const { name: index, uuid: indexUuid, mapping } = metadata;
    this.#thread = thread;
    this.#key = shardKey(indexUuid, number);
    this.#mapping = mapping;
    this.#claim = { allocationId: `${index}-${number}`, primaryTerm: 1 };
    const options = {
      shard: { index, indexUuid, number },
      path: `/shards/${this.#key}`,
      ...this.#claim,
      bootstrap: 'create',
      settings: { ...metadata.settings, 'index.refresh_interval': '-1' },
      mapping,
    } as const;
    this.#opened = thread.call('open', { key: this.#key, options, isTarget: false });
  }

  async openContexts(): Promise<number> {
    await this.#opened;
    return (await this.#thread.call('stats', { key: this.#key })).openContexts ?? 0;
  }

  /** True when the shard has the document, searchable or not. */
  async holds(id: string): Promise<boolean> {
    const { documents } = GET_DOCUMENTS.readResponse(
      await this.get({ refresh: false, gets: [{ id, realtime: true }] }),
    );
    return documents[0] !== null;
  }

  async bulk({ operations, refresh }: BulkShardRequest): Promise<BulkShardResponse> {
    await this.#opened;
    const key = this.#key;
    const results = new PackedResults();
    let { bytes } = operations;
    while (results.length < operations.length) {
      const from = results.length;
      const write = { key, claim: this.#claim, operations: bytes, from, activeCopiesMin: 0 };
      const answer = await this.#thread.write(write);
      results.append(BULK_RESULTS.read(unpackBody(answer.results)));
      if (answer.mappingUpdate === null || answer.operations === null) break;
      bytes = answer.operations;
      this.#mapping = mergeMapping(this.#mapping, answer.mappingUpdate);
      await this.#thread.call('updateMapping', { key, mapping: this.#mapping });
    }
    return {
      results,
      shards: { total: 1, successful: 1, failed: 0 },
      forcedRefresh: refresh === 'immediate',
    };
  }

  async get({ refresh, gets }: Pick<GetDocumentsRequest, 'refresh' | 'gets'>): Promise<WireBody> {
    await this.#opened;
    return unpackBody(await this.#thread.call('get', { key: this.#key, refresh, gets }));
  }

  async termVectors({ request }: ShardTermVectorsRequest): Promise<WireBody> {
    await this.#refresh();
    return unpackBody(await this.#thread.call('termVectors', { key: this.#key, request }));
  }

  async query({ query, fetchPage }: QueryPhaseRequest): Promise<WireBody> {
    await this.#refresh();
    return unpackBody((await this.#thread.query({ key: this.#key, query, fetchPage }, new CancelSource().flag)).body);
  }

  async rank({ query, ask, fetchesPage }: RankQueryRequest): Promise<WireBody> {
    await this.#refresh();
    const answer = await this.#thread.rank({ key: this.#key, query, ask, fetchesPage }, new CancelSource().flag);
    return unpackBody(answer.body);
  }

  async rankRound({ request }: RankRoundMessage): Promise<WireBody> {
    return unpackBody(await this.#thread.call('rankRound', { key: this.#key, request }));
  }

  async fetch({ fetch }: FetchPhaseRequest): Promise<WireBody> {
    const args = { key: this.#key, fetch, bytesMax: Number.POSITIVE_INFINITY };
    const answer = await this.#thread.fetch(args, new CancelSource().flag);
    assert(answer !== null, 'documents without a limit are too large');
    return unpackBody(answer);
  }

  async scroll({ next, fetchesPage }: ScrollPhaseRequest): Promise<WireBody> {
    return unpackBody(await this.#thread.scroll({ key: this.#key, next, fetchesPage }, new CancelSource().flag));
  }

  async statistics({ query }: StatisticsPhaseRequest): Promise<Uint8Array> {
    await this.#refresh();
    return this.#thread.call('statistics', { key: this.#key, query });
  }

  async suggest({ query }: SuggestPhaseRequest): Promise<WireBody> {
    await this.#refresh();
    const signal = new CancelSource().flag;
    const suggestions = await this.#thread.suggest({ key: this.#key, query }, signal);
    return SUGGEST_PHASE.writeResponse({ suggestions });
  }

  async enumerateTerms({ query, asked }: TermsEnumMessage): Promise<WireBody> {
    await this.#refresh();
    const signal = new CancelSource().flag;
    return TERMS_ENUM.writeResponse(await this.#thread.enumerateTerms({ key: this.#key, query, asked }, signal));
  }

  async openReader(keepAliveMs: number): Promise<number> {
    await this.#refresh();
    return this.#thread.call('openReader', { key: this.#key, keepAliveMs });
  }

  async free(contextId: number): Promise<boolean> {
    return (await this.#thread.call('freeContexts', { key: this.#key, contextIds: [contextId] })) > 0;
  }

  async #refresh(): Promise<void> {
    await this.#opened;
    await this.#thread.call('refresh', { key: this.#key });
  }
}
