/**
 * Follows the cluster state with the shards of this node: opens what is assigned, closes what is not, passes on mappings
 * and settings, deletes the folders of deleted indices and of copies that are elsewhere. Decisions are in `shard-plan.ts`; this performs them.
 *
 * What is done to one shard waits in its queue, so that a folder is never opened before the copy that was in it is closed.
 */

import { asShoalError, assert, isAssertionFailure, ShoalError } from '@shoal/core';
import type { ClusterService, StateChange } from '@shoal/membership';
import type { ShardTarget } from '@shoal/protocol';
import type { Cancel, Runtime } from '@shoal/runtime';
import { isNoRoomToOpen, shardNotFound, shardNotOpen, wrongAllocation } from '../calls/shard-errors.ts';
import { type ShardKey, shardKey } from '../calls/worker-calls.ts';
import { IndexFolders } from '../folders/index-folders.ts';
import type { ShardFolders } from '../folders/shard-folders.ts';
import { checkOwnStore } from '../folders/shard-stores.ts';
import { stopProcess } from '../worker/stop-process.ts';
import { type ThreadNumbers, WorkerPool } from '../worker/worker-pool.ts';
import type { WorkerThread } from '../worker/worker-thread.ts';
import { closeInTurn } from './close-in-turn.ts';
import { CopyRouter } from './copy-router.ts';
import { copySourceShards } from './copy-source-shards.ts';
import { FollowedAssignments } from './followed-assignments.ts';
import { GroupFeed } from './group-feed.ts';
import { LocalShard, openingOf } from './local-shard.ts';
import { openCall } from './open-call.ts';
import { engineSettings, passAliases, passMetadata } from './pass-metadata.ts';
import { recoveryRateOf } from './recovery-rate.ts';
import { ROOM_WAIT_FIRST_MS, RoomWaits } from './room-waits.ts';
import { type Assignment, type Bootstrap, hasOthers, planShards, type ShardAction } from './shard-plan.ts';
import { ShardQueues } from './shard-queues.ts';
import { ShardReports } from './shard-reports.ts';
import type { ShardSupervisorOptions } from './shard-supervisor-options.ts';

/** Time for what else is done to shards, their folders for example, when the node ends and they are closed. */
const OTHER_WORK_MS_MAX = 10_000;

/** A shard that answers. */
export interface OpenShardHere {
  readonly shard: LocalShard;
  readonly worker: WorkerThread;
}

export class ShardSupervisor {
  readonly #runtime: Runtime;
  readonly #cluster: ClusterService;
  readonly #folders: ShardFolders;
  readonly #restoreOf: ShardSupervisorOptions['restoreOf'];
  readonly #indexFolders: IndexFolders;
  readonly #pool: WorkerPool;
  readonly #reports: ShardReports;
  readonly #router: CopyRouter;
  readonly #groups: GroupFeed;
  readonly #assigned: FollowedAssignments;
  readonly #local = new Map<ShardKey, LocalShard>();
  readonly #queues: ShardQueues;
  readonly #stopListening: Cancel;
  readonly #waits: RoomWaits;
  #isClosed = false;

  constructor(runtime: Runtime, cluster: ClusterService, options: ShardSupervisorOptions) {
    this.#runtime = runtime;
    this.#cluster = cluster;
    this.#folders = options.folders;
    this.#restoreOf = options.restoreOf;
    this.#queues = new ShardQueues(runtime, (key) => this.#pool.released(key));
    this.#indexFolders = new IndexFolders(runtime, options.folders, this.#queues, cluster.localNode.id);
    this.#reports = new ShardReports(runtime, cluster);
    this.#assigned = new FollowedAssignments(cluster.localNode.id);
    this.#waits = new RoomWaits(runtime.sched);
    this.#router = new CopyRouter({
      runtime,
      cluster,
      failed: (shard, error) => this.broken(shard, error),
      ended: (shard, reason) => this.#openAgain(shard, reason),
    });
    this.#groups = new GroupFeed((shard, error) => this.broken(shard, error));
    this.#pool = new WorkerPool(runtime, {
      ...options,
      onShardFailed: (key, error) => {
        const shard = this.#local.get(key);
        if (shard !== undefined) this.broken(shard, error);
      },
      onCopyOutput: (key, output) => {
        const shard = this.#local.get(key);
        if (shard !== undefined) this.#router.take(shard, output);
      },
      onShardsLost: (shards, reason) => this.#lose(shards, reason),
    });
    this.#stopListening = cluster.onApplied((change) => this.#follow(change));
    // The node may have joined before this listened.
    const state = cluster.state();
    this.#follow({ previous: state, state });
  }

  get shards(): readonly LocalShard[] {
    return [...this.#local.values()];
  }

  get workerThreads(): number {
    return this.#pool.runningThreads;
  }

  /** What the threads of the shards do, hold and counted. */
  get threads(): ThreadNumbers {
    return this.#pool;
  }

  /** `search.max_open_scroll_context`: scrolls that the shards of this node may hold together. */
  limitScrolls(countMax: number): void {
    this.#pool.limitScrolls(countMax);
  }

  /** Counts a search that was refused because the queue of its worker was full. */
  countRejectedSearch(): void {
    this.#pool.countRejection('search');
  }

  /** The copy that the target names; null when this node does not hold it. */
  copyOf(target: ShardTarget): LocalShard | null {
    const shard = this.#local.get(shardKey(target.indexUuid, target.shard));
    return shard?.allocationId === target.allocationId ? shard : null;
  }

  /** @throws the error on which a coordinator retries with a newer state, or gives up */
  find(target: ShardTarget): OpenShardHere {
    const shard = this.#local.get(shardKey(target.indexUuid, target.shard));
    if (shard === undefined) throw shardNotFound(target);
    if (shard.allocationId !== target.allocationId) throw wrongAllocation(target, shard.allocationId);
    if (shard.phase === 'opening') throw shardNotOpen('RECOVERING');
    if (shard.phase === 'failed' || shard.worker === null) throw shardNotOpen('CLOSED');
    return { shard, worker: shard.worker };
  }

  /** Hands the newest mapping and settings to an open shard, and waits until its engine has them. */
  async refreshMetadata(shard: LocalShard): Promise<void> {
    const { indices, synonymSets } = this.#cluster.state().metadata;
    const index = indices.get(shard.index);
    if (index?.uuid === shard.indexUuid) await passMetadata(shard, index, synonymSets);
  }

  /** The engine of a shard refused to go on: the copy is closed and reported, and started again where the state says. */
  broken(shard: LocalShard, error: unknown): void {
    const { worker } = shard;
    // A copy with a shell may fail before the answer that it is open; without one the answer says so.
    const isUsed = shard.phase === 'open' || (shard.phase === 'opening' && shard.hasShell);
    if (worker === null || !isUsed || this.#local.get(shard.key) !== shard) return;
    this.#fail(shard, error);
    this.#queues.enqueue(shard.key, async () => {
      await worker.call('close', { key: shard.key, isDiscarded: false });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#reports.close();
    this.#router.close();
    this.#waits.close();
    const shards = [...this.#local.values()];
    this.#local.clear();
    // A thread that is stuck in one piece of work answers nothing; what was acknowledged is in the translog.
    const areClosed = await closeInTurn({
      sched: this.#runtime.sched,
      open: shards,
      threadOf: ({ worker }) => worker,
      close: (shard) => {
        this.#closeInQueue(shard, false);
        return this.#queues.doneOfShard(shard.key);
      },
    });
    if (!areClosed || !(await this.#queues.doneWithin(OTHER_WORK_MS_MAX))) {
      this.#runtime.log.warn('shards do not close, their threads are ended', { shards: this.#queues.size });
    }
    const left = this.#queues.done();
    await this.#pool.close();
    await left;
    await this.#indexFolders.close();
  }

  /**
   * Opens copies again from the files that `replaceFiles` puts in the place of theirs, which are closed then. The cluster state shows them
   * as started all the while. Resolves when they are open or have failed.
   */
  async reopen(keys: readonly ShardKey[], replaceFiles: () => Promise<void>): Promise<void> {
    const held = keys.map((key) => {
      const assignment = this.#assigned.all.get(key);
      assert(assignment !== undefined && this.#local.get(key)?.phase === 'open', `shard ${key} is not open here`);
      this.#close(key, true);
      return this.#hold(assignment);
    });
    await this.#queues.done();
    try {
      await replaceFiles();
    } finally {
      for (const shard of held) {
        const assignment = this.#assigned.all.get(shard.key);
        if (assignment?.allocationId === shard.allocationId) this.#openInTurn(shard, assignment, 'existing');
      }
      await this.#queues.done();
    }
  }

  #follow({ previous, state }: StateChange): void {
    if (this.#isClosed) return;
    const changed = this.#assigned.follow(state);
    const isSameForEngines = previous.metadata.synonymSets === state.metadata.synonymSets;
    const keys = isSameForEngines ? changed : new Set([...this.#local.keys(), ...changed]);
    this.#plan(keys);
    for (const key of keys) this.#groups.tell(this.#local.get(key), state);
    this.#indexFolders.follow(previous, state);
    this.#pool.limitRecoveries(recoveryRateOf(this.#cluster.settings()));
  }

  #plan(keys: Iterable<ShardKey>): void {
    for (const action of planShards(keys, this.#assigned.all, this.#local)) this.#perform(action);
  }

  #perform(action: ShardAction): void {
    switch (action.kind) {
      case 'open':
        this.#openInTurn(this.#hold(action.assignment), action.assignment, action.bootstrap);
        break;
      case 'close':
        this.#close(action.key);
        break;
      case 'reportStarted':
        this.#reports.started(action.assignment);
        break;
      case 'reportFailed':
        this.#reports.failed(action.assignment, this.#local.get(action.assignment.key)?.failure ?? action.reason);
        break;
      case 'enterTerm':
        this.#enterTerm(action.assignment);
        break;
      case 'refreshMetadata': {
        const shard = this.#local.get(action.assignment.key);
        const { index } = action.assignment;
        const sets = this.#cluster.state().metadata.synonymSets;
        if (shard !== undefined) this.#queues.enqueue(shard.key, () => passMetadata(shard, index, sets));
        break;
      }
    }
  }

  #openInTurn(shard: LocalShard, assignment: Assignment, bootstrap: Bootstrap): void {
    this.#queues.enqueue(shard.key, () => this.#tryToOpen(shard, assignment, bootstrap, ROOM_WAIT_FIRST_MS));
  }

  /** Takes the place of a copy that is about to be opened. */
  #hold(assignment: Assignment): LocalShard {
    const { key, routing, index, allocationId, primaryTerm } = assignment;
    const shard = new LocalShard({
      key,
      metadata: index,
      shard: routing.shard,
      allocationId,
      primaryTerm,
      isPrimary: routing.isPrimary,
    });
    // A copy that is replaced was closed by the action before: its folder is free when the queue comes to this one.
    const before = this.#local.get(key);
    assert(before === undefined, `shard ${key} is opened as ${allocationId} and is ${before?.phase} already`);
    this.#local.set(key, shard);
    this.#indexFolders.add(index.uuid);
    return shard;
  }

  async #tryToOpen(shard: LocalShard, assignment: Assignment, bootstrap: Bootstrap, waitMs: number): Promise<void> {
    if (this.#local.get(shard.key) !== shard || this.#isClosed) return;
    try {
      await this.#openNow(shard, assignment, bootstrap);
    } catch (error) {
      // An empty shard may find room on another node. One that holds documents is here alone, and nothing else is wrong with it.
      if (bootstrap === 'existing' && isNoRoomToOpen(error)) this.#openWithRoom(shard, assignment, waitMs);
      else this.#fail(shard, error);
    }
  }

  /** Opens the shard later: a full disk uses up none of the attempts that the cluster manager gives a copy. */
  #openWithRoom(shard: LocalShard, assignment: Assignment, waitMs: number): void {
    const { index, key } = shard;
    shard.worker = null;
    this.#pool.unpin(key);
    this.#runtime.log.warn('no room to open a shard, tried again', { index, shard: shard.shard, waitMs });
    this.#waits.after(waitMs, (nextMs) => {
      this.#queues.enqueue(key, () => this.#tryToOpen(shard, assignment, 'existing', nextMs));
    });
  }

  async #openNow(shard: LocalShard, assignment: Assignment, bootstrap: Bootstrap): Promise<void> {
    const { clock } = this.#runtime;
    const startedMs = clock.monotonicMs();
    const opening = openingOf(bootstrap, assignment, this.#cluster.state(), clock.wallMs());
    shard.opening = opening;
    const path = this.#folders.ofShard(shard.indexUuid, shard.shard);
    // The cluster manager asks for an empty store only when no copy ever held a write: what lies here is a torn attempt.
    if (bootstrap !== 'existing' && bootstrap !== 'peer') await this.#runtime.disk.removeTree(path);
    else if (bootstrap === 'existing' && hasOthers(assignment))
      await checkOwnStore(this.#runtime, this.#folders, shard);
    const restore = bootstrap === 'restore' ? this.#restoreOf(assignment.index, shard.shard) : null;
    shard.worker = await this.#pool.pin(shard.key);
    shard.knownMetadata = assignment.index;
    shard.knownSettings = engineSettings(assignment.index, this.#cluster.state().metadata.synonymSets);
    shard.hasShell = bootstrap === 'peer';
    const call = openCall(shard, assignment, { bootstrap, path, restore });
    const { recovery, keepsHistory } = await shard.worker.call('open', call);
    if (bootstrap === 'copy') {
      const isWanted = (): boolean => shard.phase === 'opening' && this.#local.get(shard.key) === shard;
      const { key, worker, shard: number, claim } = shard;
      const filled = { key, shard: number, index: assignment.index, worker, claim };
      await copySourceShards(this.#cluster, { ...filled, isWanted });
    }
    if (shard.phase !== 'opening') return;
    assert(shard.worker !== null, `shard ${shard.key} is open on no worker`);
    shard.phase = 'open';
    shard.hasShell ||= keepsHistory;
    this.#groups.tell(shard, this.#cluster.state());
    const { worker } = shard;
    if (worker !== null && assignment.index.aliases.size > 0) await passAliases(shard.key, worker, assignment.index);
    const tookMs = Math.round(clock.monotonicMs() - startedMs);
    shard.opening = { ...opening, stopMs: opening.startMs + tookMs, recovery };
    this.#runtime.log.info('shard open', { index: shard.index, shard: shard.shard, bootstrap, tookMs });
    await this.refreshMetadata(shard);
    if (bootstrap !== 'peer') this.#reports.started(assignment);
    // What came of it while it was opened.
    if (this.#local.get(shard.key) === shard) this.#plan([shard.key]);
  }

  /** The engine is told at once: writes that were routed by the new term are behind it in the order of calls. */
  #enterTerm({ key, primaryTerm, routing }: Assignment): void {
    const shard = this.#local.get(key);
    assert(shard !== undefined && shard.phase === 'open', `shard ${key} leads and is ${shard?.phase ?? 'not here'}`);
    shard.primaryTerm = primaryTerm;
    shard.isPrimary = routing.isPrimary;
    // Copies that hear of the group know the term by it.
    if (shard.hasShell || !routing.isPrimary) return;
    shard.worker?.call('lead', { key, primaryTerm }).catch((error: unknown) => this.broken(shard, asShoalError(error)));
  }

  /** The copy here is over, and its disk is sound: it is opened again where the state still has it here. */
  #openAgain(shard: LocalShard, reason: string): void {
    const { log } = this.#runtime;
    log.info('copy ended', { index: shard.index, shard: shard.shard, reason });
    this.#close(shard.key);
    if (!this.#isClosed) this.#plan([shard.key]);
  }

  /** @param isDiscarded its files go, and what was written last need not be in them */
  #close(key: ShardKey, isDiscarded = false): void {
    const shard = this.#local.get(key);
    if (shard === undefined) return;
    this.#local.delete(key);
    this.#closeInQueue(shard, isDiscarded);
  }

  #closeInQueue(shard: LocalShard, isDiscarded: boolean): void {
    const { key } = shard;
    this.#queues.enqueue(key, async () => {
      const { worker } = shard;
      if (worker === null || shard.phase === 'failed') {
        this.#pool.unpin(key);
        return;
      }
      await worker.call('close', { key, isDiscarded });
      this.#pool.unpin(key);
      this.#runtime.log.info('shard closed', { index: shard.index, shard: shard.shard });
    });
  }

  #lose(keys: readonly ShardKey[], reason: string): void {
    for (const key of keys) {
      // Holds the queue while the thread may still run: see `ShardQueues`.
      this.#queues.enqueue(key, async () => {});
      const shard = this.#local.get(key);
      if (shard !== undefined && shard.phase !== 'failed') {
        this.#fail(shard, new ShoalError('already_closed_exception', 503, `the shard's worker ended: ${reason}`));
      }
    }
  }

  /** The copy is not usable any more: the cluster manager is told, and decides where it is tried next. */
  #fail(shard: LocalShard, error: unknown): void {
    if (isAssertionFailure(error)) {
      stopProcess(this.#runtime, error);
      return;
    }
    if (shard.phase === 'failed') return;
    const cause = asShoalError(error);
    shard.phase = 'failed';
    shard.failure = `${cause.type}: ${cause.reason ?? ''}`;
    shard.worker = null;
    this.#pool.unpin(shard.key);
    this.#runtime.log.error('shard failed', { index: shard.index, shard: shard.shard, reason: shard.failure });
    const assignment = this.#assigned.all.get(shard.key);
    if (assignment?.allocationId === shard.allocationId) this.#reports.failed(assignment, shard.failure);
  }
}
