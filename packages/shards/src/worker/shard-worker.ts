/**
 * The program of a worker thread: owns the shards that were opened in it and answers the main thread's calls.
 *
 * Calls on one shard start in the order in which they arrive; the engine keeps their effects in that order. A broken
 * invariant ends the thread: the main thread then fails its shards, which is right, since their state is unknown.
 */
import { asShoalError, assert, isAssertionFailure, type ShoalError, toWireError } from '@shoal/core';
import {
  createSegmentMemory,
  drawHashSecret,
  type OpenShardOptions,
  openShard,
  RecoveryPace,
  RecoveryRate,
  RequestBreaker,
  resultOf,
  ScrollCount,
  type SegmentMemory,
  type Shard,
} from '@shoal/engine';
import {
  BULK_RESULTS,
  COPY_DOCUMENTS,
  FETCH_PHASE,
  GET_DOCUMENTS,
  type GetDocumentsResponse,
  QUERY_PHASE,
  type QueryPhaseResponse,
  RANK_QUERY,
  RANK_ROUND,
  SCROLL_PHASE,
  SearchCodec,
  TERM_VECTORS,
} from '@shoal/protocol';
import { busyStacks, type Runtime, ThreadTurns, type WorkerPort } from '@shoal/runtime';
import { NameCounts, type ShardTerms } from '@shoal/shard-api';
import { MessageBatch } from '../calls/message-batch.ts';
import { type PackedBody, packBody, transferablesOf } from '../calls/packed-body.ts';
import { parentLimit } from '../calls/parent-limit.ts';
import { buffersOf } from '../calls/state-buffers.ts';
import { StopSlotSignal } from '../calls/stop-slots.ts';
import type {
  FromWorker,
  QueryAnswer,
  ShardKey,
  ToWorker,
  WorkerCallName,
  WorkerCalls,
  WriteAnswer,
} from '../calls/worker-calls.ts';
import { type Call, CallInbox } from './call-inbox.ts';
import { GuestAsks } from './guest-asks.ts';
import { ShardGroup } from './shard-group.ts';
import { statsOf } from './shard-stats-map.ts';
import { ThreadGuests } from './thread-guests.ts';
import { ThreadShards } from './thread-shards.ts';

/** Longest time in which calls begin one after the other: after it the event loop runs timers, disks and answers. */
const SLICE_MS = 5;
/** Documents of one call between two readings of the clock. */
const GETS_PER_LOOK = 16;

export function start(port: WorkerPort, runtime: Runtime): void {
  const worker = new ShardWorker(port, runtime);
  // Posted by worker-thread.ts of the same program: typed there.
  port.onMessage((messages) => {
    for (const message of messages as readonly ToWorker[]) worker.receive(message);
  });
}

type Handlers = {
  readonly [Name in WorkerCallName]: (args: WorkerCalls[Name]['args']) => Promise<WorkerCalls[Name]['result']>;
};

class ShardWorker {
  readonly #outbox: MessageBatch<FromWorker>;
  readonly #runtime: Runtime;
  readonly #shards: ThreadShards;
  readonly #handlers: Handlers;
  readonly #turns: ThreadTurns;
  /** Calls that came when the slice was over. Bounded by what the main thread lets wait. */
  readonly #inbox = new CallInbox();
  /** null: no call has begun in this turn of the loop. */
  #sliceEndMs: number | null = null;
  #stopBytes: Uint8Array = new Uint8Array(0);
  readonly #aggregationUsage = new NameCounts();
  readonly #searches = new SearchCodec();
  /** Memory of the segments of all shards of this thread; made by the first message. */
  #memory: SegmentMemory | null = null;
  /** Counts what the searches of this thread hold; made by the first message. */
  #breaker: RequestBreaker | null = null;
  #refreshesBeforeSearch = false;
  /** Counts the scrolls of this thread; made by the first message. */
  #scrolls: ScrollCount | null = null;
  #recoveryPace: RecoveryPace | null = null;
  readonly #guestAsks: GuestAsks;
  /** Searches that threads share; made by the first message. */
  #guests: ThreadGuests | null = null;

  constructor(port: WorkerPort, runtime: Runtime) {
    this.#outbox = new MessageBatch(runtime, (messages, moved) => port.post(messages, moved));
    this.#runtime = runtime;
    this.#turns = new ThreadTurns(runtime.sched);
    this.#guestAsks = new GuestAsks(runtime.sched, (message) => this.#outbox.add(message));
    this.#shards = new ThreadShards({
      runtime,
      yieldNow: () => this.#turns.next(),
      openShard: (options, failed) => this.#openShard(options, failed),
      onShardFailed: (key, error) => this.#outbox.add({ kind: 'shardFailed', key, error: toWireError(error) }),
      onCopyOutput: (key, output) => {
        const moved = output.kind === 'send' ? transferablesOf(output.call.bytes) : [];
        this.#outbox.add({ kind: 'copyOutput', key, output }, moved);
      },
      broken: (error) => this.#broken(error),
    });
    this.#handlers = {
      ...this.#shards.handlers,
      write: (args) => this.#write(args),
      get: (args) => this.#get(args),
      termVectors: async ({ key, request }) =>
        packBody(TERM_VECTORS.writeResponse({ found: await this.#shard(key).vectors.of(request) })),
      query: (args) => this.#query(args),
      queryShards: (args) => {
        const shardOf = (key: ShardKey): Shard => this.#shard(key);
        const parts = { runtime: this.#runtime, turns: this.#turns, searches: this.#searches, shardOf };
        return new ShardGroup(parts, args, new StopSlotSignal(this.#stopBytes, args.stopSlot)).query();
      },
      searchAsGuest: async ({ searcher, query, shared }) =>
        this.#guests?.search(searcher, this.#searches.readShardQuery(query), shared) ?? [],
      fetch: (args) => this.#fetch(args),
      scroll: (args) => this.#scroll(args),
      rank: (args) => this.#rank(args),
      rankRound: async ({ key, request }) =>
        packBody(RANK_ROUND.writeResponse(await this.#shard(key).rankRound(request))),
      statistics: async ({ key, query }) => this.#shard(key).statistics(this.#searches.readShardQuery(query)),
      suggest: async ({ key, query, stopSlot }) =>
        this.#shard(key).suggest(this.#searches.readShardQuery(query), new StopSlotSignal(this.#stopBytes, stopSlot)),
      enumerateTerms: (args) => this.#enumerateTerms(args),
      openReader: async ({ key, keepAliveMs }) => this.#shard(key).openReader(keepAliveMs),
      freeContexts: async ({ key, contextIds }) => {
        const shard = this.#shards.get(key);
        return contextIds.reduce((freed, id) => (shard?.freeContext(id) === true ? freed + 1 : freed), 0);
      },
      freeAllContexts: async ({ key, kind }) => this.#shards.get(key)?.freeContexts(kind) ?? 0,
      refresh: async ({ key }) => {
        await this.#shard(key).refresh();
        return null;
      },
      waitForRefresh: async ({ key }) => {
        await this.#shard(key).waitForRefresh();
        return null;
      },
      flush: async ({ key, isForced, syncId }) => {
        await this.#shard(key).flush(isForced, syncId);
        return null;
      },
      copyDocuments: async ({ key, copy }) =>
        packBody(COPY_DOCUMENTS.writeResponse(await this.#shard(key).copyDocuments(copy))),
      forceMerge: async ({ key, merge, flush }) =>
        this.#shard(key)
          .forceMerge(merge, flush)
          .then(() => null),
      segments: async ({ key, withFields }) => this.#shard(key).segments(withFields),
      snapshot: ({ key, request, stopSlot }) =>
        this.#shard(key).snapshot(request, new StopSlotSignal(this.#stopBytes, stopSlot)),
      reloadSearchAnalyzers: async ({ key }) => {
        this.#shard(key).analyzers.reload();
        return null;
      },
      clearCaches: async ({ key, caches }) => {
        this.#shard(key).clearCaches(caches);
        return null;
      },
      stats: async ({ key }) => statsOf(this.#shard(key)),
      profile: (args) => this.#profile(args),
    };
  }

  async #enumerateTerms({ key, query, asked, stopSlot }: WorkerCalls['enumerateTerms']['args']): Promise<ShardTerms> {
    const stop = new StopSlotSignal(this.#stopBytes, stopSlot);
    return this.#shard(key).enumerateTerms(this.#searches.readShardQuery(query), asked, stop);
  }

  async #profile({
    durationMs,
    sampleIntervalMs,
  }: WorkerCalls['profile']['args']): Promise<WorkerCalls['profile']['result']> {
    const { machine } = this.#runtime;
    const profile = await machine.profile?.({ durationMs, sampleIntervalMs });
    return {
      threadId: machine.threads?.().ownId ?? null,
      busy: profile === undefined ? null : busyStacks(profile),
    };
  }

  #openShard(options: OpenShardOptions, failed: (error: ShoalError) => void): Promise<Shard> {
    assert(
      this.#memory !== null && this.#scrolls !== null && this.#guests !== null,
      `shard ${options.shard.indexUuid}/${options.shard.number} is opened before the thread has its memory limits`,
    );
    return openShard(this.#runtime, options, this.#memory, {
      turns: this.#turns,
      breaker: this.#breaker,
      division: this.#guests.division,
      scrolls: this.#scrolls,
      recoveryPace: this.#recoveryPace,
      aggregationUsage: this.#aggregationUsage,
      refreshesBeforeSearch: this.#refreshesBeforeSearch,
      onShardFailed: (_, error) => failed(error),
    });
  }

  async #write(args: WorkerCalls['write']['args']): Promise<WriteAnswer> {
    const { results, mappingUpdate, successful, failed } = await this.#shards.write(args);
    const answer = { results: packBody(BULK_RESULTS.write(results)), mappingUpdate, successful, failed };
    return { ...answer, operations: mappingUpdate === null ? null : args.operations };
  }

  receive(message: ToWorker): void {
    if (message.kind === 'begin') {
      this.#stopBytes = new Uint8Array(message.stopBytes);
      const hashSecret = drawHashSecret(this.#runtime.random.fork('hash tables'));
      this.#memory = createSegmentMemory({
        bytesMax: message.memoryBytesMax,
        requestCacheBytesMax: message.requestCacheBytesMax,
        hashSecret,
      });
      const { shared, slot, limitBytes, parent } = message.breaker;
      this.#breaker = new RequestBreaker(shared, slot, limitBytes, parentLimit(this.#runtime.machine, parent));
      this.#scrolls = new ScrollCount(message.scrolls, slot);
      this.#recoveryPace = new RecoveryPace(this.#runtime, new RecoveryRate(message.recoveries, slot));
      this.#refreshesBeforeSearch = message.refreshesBeforeSearch;
      const own = { runtime: this.#runtime, memory: this.#memory, turns: this.#turns, breaker: this.#breaker };
      this.#guests = new ThreadGuests(own, message.hasOthers ? this.#guestAsks : null);
      return;
    }
    if (message.kind === 'guestAnswer') {
      this.#guestAsks.answered(message);
      return;
    }
    if (message.kind === 'ping') {
      this.#outbox.add({ kind: 'pong' });
      return;
    }
    // A port hands over hundreds of messages at once; what they start must not add up to one long slice.
    if (this.#inbox.length > 0 || this.#isSliceOver()) this.#inbox.add(message);
    else this.#begin(message);
  }

  #isSliceOver(): boolean {
    const nowMs = this.#runtime.clock.monotonicMs();
    if (this.#sliceEndMs !== null) return nowMs >= this.#sliceEndMs;
    this.#sliceEndMs = nowMs + SLICE_MS;
    this.#runtime.sched.soon(() => {
      this.#sliceEndMs = null;
      while (this.#inbox.length > 0 && !this.#isSliceOver()) this.#begin(this.#inbox.take());
    });
    return false;
  }

  #begin(message: Call): void {
    // The message pairs each name with its own arguments; the compiler cannot follow that through a look-up.
    const handler = this.#handlers[message.name] as (args: unknown) => Promise<unknown>;
    handler(message.args).then(
      (value) => this.#answer({ kind: 'result', id: message.id, value }, message.name),
      (error: unknown) => this.#refuse(message.id, error),
    );
  }

  #answer(answer: FromWorker & { readonly kind: 'result' }, name: WorkerCallName): void {
    const operations = name === 'write' ? (answer.value as WriteAnswer).operations : null;
    const moved = operations === null ? [] : transferablesOf(operations);
    const bodies: ArrayBuffer[] = [];
    if (name === 'searchAsGuest') bodies.push(...buffersOf(answer.value as WorkerCalls['searchAsGuest']['result']));
    for (const { bytes } of bodiesOf(name, answer.value)) bodies.push(...transferablesOf(bytes));
    const counts = this.#aggregationUsage.take();
    if (counts !== null) this.#outbox.add({ kind: 'aggregationsUsed', counts });
    this.#outbox.add(answer, [...moved, ...bodies]);
  }

  #refuse(id: number, error: unknown): void {
    if (isAssertionFailure(error)) {
      this.#broken(error);
      return;
    }
    this.#outbox.add({ kind: 'error', id, error: toWireError(asShoalError(error)) });
  }

  #broken(error: unknown): void {
    this.#runtime.log.error('invariant broken in a shard worker', { error: asShoalError(error).message });
    // Thrown outside of any promise: an uncaught exception ends the thread.
    this.#runtime.sched.soon(() => {
      throw error;
    });
  }

  async #get({ key, refresh, gets }: WorkerCalls['get']['args']): Promise<PackedBody> {
    const shard = this.#shard(key);
    // What is asked for as searches see it must be what the next search would see.
    if (refresh) await shard.refresh();
    else if (gets.some(({ realtime }) => !realtime)) await shard.readyForSearch();
    const { clock } = this.#runtime;
    let sliceEndMs = clock.monotonicMs() + SLICE_MS;
    let slices = 0;
    const documents: GetDocumentsResponse['documents'][number][] = [];
    for (const get of gets) {
      documents.push(shard.get(get));
      if (documents.length % GETS_PER_LOOK !== 0 || clock.monotonicMs() < sliceEndMs) continue;
      await this.#turns.next(slices++);
      sliceEndMs = clock.monotonicMs() + SLICE_MS;
    }
    return packBody(GET_DOCUMENTS.writeResponse({ documents }));
  }

  async #query({ key, query: packed, fetchPage, stopSlot }: WorkerCalls['query']['args']): Promise<QueryAnswer> {
    const shard = this.#shard(key);
    const stop = new StopSlotSignal(this.#stopBytes, stopSlot);
    const query = this.#searches.readShardQuery(packed);
    const result = await shard.query(query, stop);
    if (fetchPage === null) return packedAnswer({ result, hits: null });
    const { contextId } = result;
    if (contextId === null) return packedAnswer({ result, hits: [] });
    const ords = result.ords.slice(fetchPage.from, fetchPage.from + fetchPage.size);
    const { request } = query.search;
    const hits = await shard.fetch({ contextId, ords, consumed: ords.length, request }, stop);
    if (query.isScroll || query.reader !== null) return packedAnswer({ result, hits });
    shard.freeContext(contextId);
    return packedAnswer({ result: resultOf(result, null), hits });
  }

  async #rank({ key, query: packed, ask, fetchesPage, stopSlot }: WorkerCalls['rank']['args']): Promise<QueryAnswer> {
    const shard = this.#shard(key);
    const stop = new StopSlotSignal(this.#stopBytes, stopSlot);
    const query = this.#searches.readShardQuery(packed);
    const { result, rank } = await shard.rank(query, ask, stop);
    const { contextId } = result;
    const { ords } = rank.entries;
    if (!fetchesPage || contextId === null) {
      const hits = fetchesPage ? [] : null;
      return { contextId, body: packBody(RANK_QUERY.writeResponse({ result, rank, hits })) };
    }
    const { request } = query.search;
    const hits = await shard.fetch({ contextId, ords, consumed: null, request }, stop);
    // Only a point in time is there for the next page.
    const left = query.reader === null ? { ...result, contextId: null } : result;
    return { contextId: left.contextId, body: packBody(RANK_QUERY.writeResponse({ result: left, rank, hits })) };
  }

  async #fetch({ key, fetch, bytesMax, stopSlot }: WorkerCalls['fetch']['args']): Promise<PackedBody | null> {
    const { contextId, ords, consumed, search } = fetch;
    const request = search === null ? null : this.#searches.readSearch(search).request;
    const page = { contextId, ords, consumed, request };
    const hits = await this.#shard(key).fetchWithin(page, new StopSlotSignal(this.#stopBytes, stopSlot), bytesMax);
    return hits === null ? null : packBody(FETCH_PHASE.writeResponse({ hits }));
  }

  async #scroll({ key, next, fetchesPage, stopSlot }: WorkerCalls['scroll']['args']): Promise<PackedBody> {
    const shard = this.#shard(key);
    const stop = new StopSlotSignal(this.#stopBytes, stopSlot);
    const { result, request } = await shard.next(next, stop);
    const { ords } = result;
    const page = { contextId: next.contextId, ords, consumed: ords.length, request };
    const hits = fetchesPage ? await shard.fetch(page, stop) : null;
    const search = this.#searches.packSearch({ request, aggregations: null });
    return packBody(SCROLL_PHASE.writeResponse({ result, hits, search }));
  }

  #shard(key: ShardKey): Shard {
    return this.#shards.find(key);
  }
}

function packedAnswer(response: QueryPhaseResponse): QueryAnswer {
  return { contextId: response.result.contextId, body: packBody(QUERY_PHASE.writeResponse(response)) };
}

/** Calls that are answered with one body, or none. */
const BODY_CALLS: ReadonlySet<WorkerCallName> = new Set([
  'get',
  'termVectors',
  'fetch',
  'scroll',
  'rankRound',
  'copyDocuments',
  'copyRequest',
]);

/** Bodies of an answer that hold documents or columns; none for others. The table of calls pairs names and results. */
function bodiesOf(name: WorkerCallName, value: unknown): readonly PackedBody[] {
  if (name === 'query' || name === 'rank') return [(value as QueryAnswer).body];
  if (name === 'write') return [(value as WriteAnswer).results];
  if (name === 'queryShards') {
    const answers = value as WorkerCalls['queryShards']['result'];
    return answers.flatMap((answer) => (answer?.kind === 'answered' ? [answer.body] : []));
  }
  return BODY_CALLS.has(name) && value !== null ? [value as PackedBody] : [];
}
