/**
 * The worker threads of a node: started when the first shard needs them, each shard pinned to the least loaded one.
 *
 * A thread that ends by itself is replaced when the next shard is opened, within a limit: a crash that comes back with
 * every start would otherwise burn the machine. One that is silent for too long is ended first; until it has ended, its
 * shards are opened nowhere, or two threads would write one folder.
 */
import { assert, ShoalError } from '@shoal/core';
import { breakerMemory, RecoveryRate, RequestBreaker, recoveryMemory, ScrollCount, scrollMemory } from '@shoal/engine';
import type { Runtime, WorkerProgram } from '@shoal/runtime';
import { type BreakerNumbers, NameCounts, type ThreadPoolName } from '@shoal/shard-api';
import type { CopyOutput } from '../calls/copy-output.ts';
import { type ParentBreakerSettings, parentLimit } from '../calls/parent-limit.ts';
import { NO_SHARD, type ShardKey, type WorkerCalls } from '../calls/worker-calls.ts';
import { SilenceWatch } from './silence-watch.ts';
import { stopProcess } from './stop-process.ts';
import { ThreadPools, type ThreadPoolsStats } from './thread-pools.ts';
import { WorkerThread } from './worker-thread.ts';

/** Unasked ends of one worker within `CRASH_WINDOW_MS` after which it is not started again until the window is over. */
const CRASHES_MAX = 5;
const CRASH_WINDOW_MS = 10 * 60_000;

/** Thread that was told to end and may still run. */
interface EndingThread {
  readonly heldShards: readonly ShardKey[];
  readonly ended: Promise<void>;
}

interface WorkerSlot {
  readonly number: number;
  thread: WorkerThread | null;
  /** No thread is started in the slot before this one has ended. */
  ending: EndingThread | null;
  readonly shards: Set<ShardKey>;
  crashesAtMs: number[];
}

/** What the threads of the shards may take, and how they run. */
export interface ShardThreadsOptions {
  readonly workerCount: number;
  /** `indices.memory.bytes`: most memory that the segments of all threads take together. */
  readonly memoryBytesMax: number;
  /** `indices.requests.cache.size`: most memory that the cached answers of searches take together. */
  readonly requestCacheBytesMax: number;
  /** `indices.breaker.request.limit`: what the searches of all threads together may hold. */
  readonly requestBytesMax: number;
  /** `indices.breaker.total.*`: memory of the process above which searches are refused. */
  readonly parent: ParentBreakerSettings;
  /** `node.worker.silent_limit`, in milliseconds; -1: none. */
  readonly silentMsMax: number;
  /** Every search shows what was written before it. */
  readonly refreshesBeforeSearch: boolean;
  /** Runs where workers have no thread of their own; null where they have. */
  readonly program: WorkerProgram | null;
}

export interface WorkerPoolOptions extends ShardThreadsOptions {
  /** A shard can go on no more; its thread can. */
  readonly onShardFailed: (shard: ShardKey, error: ShoalError) => void;
  readonly onCopyOutput: (shard: ShardKey, output: CopyOutput) => void;
  /** Called with the shards whose worker ended without having been asked to, or is ended because it is stuck. */
  readonly onShardsLost: (shards: readonly ShardKey[], reason: string) => void;
}

/** Profile of one thread of the pool. */
export interface ThreadProfileAnswer {
  readonly name: string;
  readonly profile: WorkerCalls['profile']['result'] | null;
}

/** What a pool tells of its threads. */
export type ThreadNumbers = Pick<
  WorkerPool,
  'aggregationUsage' | 'parentBreaker' | 'profiles' | 'requestBreaker' | 'threadPools'
>;

export class WorkerPool {
  readonly #runtime: Runtime;
  readonly #options: WorkerPoolOptions;
  readonly #slots: readonly WorkerSlot[];
  readonly #breakerMemory: SharedArrayBuffer;
  readonly #breaker: RequestBreaker;
  readonly #scrollMemory: SharedArrayBuffer;
  readonly #scrolls: ScrollCount;
  readonly #recoveryMemory: SharedArrayBuffer;
  readonly #recoveries: RecoveryRate;
  readonly #pools = new ThreadPools();
  readonly #aggregationUsage = new NameCounts();
  readonly #watch: SilenceWatch<WorkerThread>;
  #isClosed = false;

  constructor(runtime: Runtime, options: WorkerPoolOptions) {
    this.#runtime = runtime;
    this.#options = options;
    this.#breakerMemory = breakerMemory(options.workerCount);
    const parent = parentLimit(runtime.machine, options.parent);
    this.#breaker = new RequestBreaker(this.#breakerMemory, 0, options.requestBytesMax, parent);
    this.#scrollMemory = scrollMemory(options.workerCount);
    this.#scrolls = new ScrollCount(this.#scrollMemory, 0);
    this.#recoveryMemory = recoveryMemory(options.workerCount);
    this.#recoveries = new RecoveryRate(this.#recoveryMemory, 0);
    this.#slots = Array.from({ length: options.workerCount }, (_, number) => ({
      number,
      thread: null,
      ending: null,
      shards: new Set<ShardKey>(),
      crashesAtMs: [],
    }));
    this.#watch = new SilenceWatch(runtime.sched, {
      limitMs: options.silentMsMax,
      threads: () => this.#slots.flatMap(({ thread }) => (thread === null ? [] : [thread])),
      onSilent: (thread) => this.#giveUp(thread),
    });
  }

  get size(): number {
    return this.#slots.length;
  }

  get runningThreads(): number {
    return this.#slots.filter((slot) => slot.thread !== null).length;
  }

  /** Memory that searches hold now. */
  requestBreaker(): BreakerNumbers {
    return this.#breaker.read();
  }

  /** Memory that the process holds now. */
  parentBreaker(): BreakerNumbers {
    return this.#breaker.readParent();
  }

  /** `search.max_open_scroll_context`: scrolls that the shards of all threads may hold together. */
  limitScrolls(countMax: number): void {
    this.#scrolls.setLimit(countMax);
  }

  /** What the shards of all threads together send to other copies a second; 0 or less: as fast as can be. */
  limitRecoveries(bytesPerSecond: number): void {
    this.#recoveries.setLimit(bytesPerSecond);
  }

  /** Calls that the worker threads run now, and ran since the start. */
  threadPools(): ThreadPoolsStats {
    return this.#pools.stats(this.#slots.flatMap(({ thread }) => (thread === null ? [] : [thread.pendingNames()])));
  }

  /** Aggregations that searches of the shards here asked for since the start, each with how often. */
  aggregationUsage(): ReadonlyMap<string, number> {
    return this.#aggregationUsage.read();
  }

  /** What each thread that runs is at for a while; `profile` is null for one that did not answer in time. */
  profiles(durationMs: number, sampleIntervalMs: number, waitMs: number): Promise<readonly ThreadProfileAnswer[]> {
    const running = this.#slots.flatMap(({ number, thread }) => (thread === null ? [] : [{ number, thread }]));
    return Promise.all(
      running.map(async ({ number, thread }) => {
        const asked = thread.call('profile', { key: NO_SHARD, durationMs, sampleIntervalMs }).catch(() => null);
        return { name: `shards-${number}`, profile: await this.#withinMs(asked, waitMs) };
      }),
    );
  }

  /** null when the time is over first. */
  async #withinMs<T>(answer: Promise<T | null>, ms: number): Promise<T | null> {
    let cancel = (): void => {};
    const over = new Promise<null>((resolve) => {
      cancel = this.#runtime.sched.after(ms, () => resolve(null));
    });
    return Promise.race([answer, over]).finally(() => cancel());
  }

  /** Counts a call that was refused because the queue of its worker was full. */
  countRejection(pool: ThreadPoolName): void {
    this.#pools.rejected(pool);
  }

  /** Pins a shard to a worker until `unpin`; waits while the only slots left are those of threads that are being ended. */
  async pin(key: ShardKey): Promise<WorkerThread> {
    let slot = this.#leastLoaded();
    while (slot === null) {
      const endings = this.#slots.flatMap(({ ending }) => (ending === null ? [] : [ending.ended]));
      if (this.#isClosed || endings.length === 0) throw noWorker();
      await Promise.race(endings);
      slot = this.#leastLoaded();
    }
    slot.shards.add(key);
    slot.thread ??= this.#spawn(slot);
    return slot.thread;
  }

  /** Resolves when no thread that is being ended may write to the shard's folder. */
  async released(key: ShardKey): Promise<void> {
    for (const { ending } of this.#slots) {
      if (ending?.heldShards.includes(key)) await ending.ended;
    }
  }

  unpin(key: ShardKey): void {
    for (const slot of this.#slots) slot.shards.delete(key);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch.close();
    await Promise.all(this.#slots.flatMap((slot) => [slot.thread?.terminate(), slot.ending?.ended]));
  }

  /** Part of one thread. */
  #shareOf(bytesMax: number): number {
    return Math.floor(bytesMax / Math.max(1, this.#options.workerCount));
  }

  /** Null when no slot may have a thread now. */
  #leastLoaded(): WorkerSlot | null {
    if (this.#isClosed) return null;
    let best: WorkerSlot | null = null;
    for (const slot of this.#slots) {
      if (slot.thread === null && !this.#mayStart(slot)) continue;
      if (best === null || slot.shards.size < best.shards.size) best = slot;
    }
    return best;
  }

  #spawn(slot: WorkerSlot): WorkerThread {
    const { requestBytesMax, parent } = this.#options;
    const breaker = { shared: this.#breakerMemory, slot: slot.number, limitBytes: requestBytesMax, parent };
    const share = {
      memoryBytesMax: this.#shareOf(this.#options.memoryBytesMax),
      requestCacheBytesMax: this.#shareOf(this.#options.requestCacheBytesMax),
      breaker,
      scrolls: this.#scrollMemory,
      recoveries: this.#recoveryMemory,
      refreshesBeforeSearch: this.#options.refreshesBeforeSearch,
      hasOthers: this.#options.workerCount > 1,
    };
    const start = { name: `shards-${slot.number}`, program: this.#options.program, share };
    const thread = new WorkerThread(this.#runtime, start, {
      onAnswered: (call) => this.#pools.completed(call),
      onShardFailed: (key, error) => this.#options.onShardFailed(key, error),
      onCopyOutput: (key, output) => this.#options.onCopyOutput(key, output),
      onGuestsWanted: (askId, args) => this.#askGuests(thread, askId, args),
      onAggregationsUsed: (counts) => {
        for (const [name, count] of counts) this.#aggregationUsage.add(name, count);
      },
      onExit: (reason) => this.#lose(slot, reason),
    });
    this.#pools.started(this.runningThreads + 1);
    return thread;
  }

  /** Threads that have nothing to do take part in a search of `asking`; those that were never needed are started for it. */
  #askGuests(asking: WorkerThread, askId: number, args: WorkerCalls['searchAsGuest']['args']): void {
    const guests = this.#slots.flatMap((slot) => {
      if (slot.thread === null && this.#mayStart(slot)) slot.thread = this.#spawn(slot);
      return slot.thread !== null && slot.thread !== asking && slot.thread.isIdle ? [slot.thread] : [];
    });
    let left = guests.length;
    if (left === 0) asking.guestAnswered(askId, null, true);
    for (const guest of guests) {
      // The thread that asks does what a guest failed to do, and meets the reason itself.
      const answer = guest.call('searchAsGuest', args).catch(() => null);
      void answer.then((found) => asking.guestAnswered(askId, found, --left === 0));
    }
  }

  /** No thread of the slot is being ended, or ended too often. */
  #mayStart(slot: WorkerSlot): boolean {
    const now = this.#runtime.clock.monotonicMs();
    slot.crashesAtMs = slot.crashesAtMs.filter((at) => now - at < CRASH_WINDOW_MS);
    return !this.#isClosed && slot.ending === null && slot.crashesAtMs.length < CRASHES_MAX;
  }

  #lose(slot: WorkerSlot, reason: string): void {
    this.#breaker.forget(slot.number);
    this.#scrolls.forget(slot.number);
    this.#recoveries.forget(slot.number);
    const lost = this.#takeShards(slot);
    this.#runtime.log.error('shard worker ended', { worker: slot.number, reason, shards: lost.length });
    this.#options.onShardsLost(lost, reason);
  }

  /** Ends a thread that is stuck. What it counts in shared memory is given back when it has ended: until then it may count on. */
  #giveUp(thread: WorkerThread): void {
    const slot = this.#slots.find((other) => other.thread === thread);
    assert(slot !== undefined, 'a thread that is in no slot was found silent');
    const { log } = this.#runtime;
    const { number: worker } = slot;
    const reason = `worker [${worker}] was silent for longer than [node.worker.silent_limit] of ${this.#options.silentMsMax}ms`;
    const { heldShards } = thread;
    const lost = this.#takeShards(slot);
    log.error('shard worker is silent, it is ended', {
      worker,
      reason,
      shards: lost.length,
      calls: thread.pendingCalls,
    });
    const ended = thread.terminate(reason).then(() => {
      this.#breaker.forget(worker);
      this.#scrolls.forget(worker);
      this.#recoveries.forget(worker);
      slot.ending = null;
      log.info('silent shard worker has ended', { worker });
    });
    ended.catch((error: Error) => stopProcess(this.#runtime, error));
    slot.ending = { heldShards, ended };
    this.#options.onShardsLost(lost, reason);
  }

  /** Leaves the slot without its thread, as after a crash. */
  #takeShards(slot: WorkerSlot): readonly ShardKey[] {
    slot.thread = null;
    slot.crashesAtMs.push(this.#runtime.clock.monotonicMs());
    const lost = [...slot.shards];
    slot.shards.clear();
    return lost;
  }
}

function noWorker(): ShoalError {
  return new ShoalError('illegal_state_exception', 503, 'no worker thread can be started: they ended too often');
}
