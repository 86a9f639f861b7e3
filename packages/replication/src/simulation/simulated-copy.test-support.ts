/**
 * The shell around one copy: performs its effects on a simulated store, over the world's network and clock.
 */
import type { CopyEffect, CopyEvent } from '../copy/copy-events.ts';
import { type CopyState, openCopy } from '../copy/copy-state.ts';
import type { AllocationId, NodeId } from '../group/shard-group.ts';
import { stepCopy } from '../step/copy-step.ts';
import type { ShardWorld } from './shard-world.test-support.ts';
import {
  filesOf,
  type SimCommit,
  type SimDocument,
  type SimOperation,
  type SimulatedStore,
  type StoredDocument,
} from './simulated-store.test-support.ts';

type Event = CopyEvent<SimDocument>;
type Effect = CopyEffect<SimDocument>;

export class SimulatedCopy {
  readonly world: ShardWorld;
  readonly node: NodeId;
  readonly allocationId: AllocationId;
  readonly store: SimulatedStore;
  state: CopyState<SimDocument>;
  /** When the engine has done all its jobs. */
  private freeAtMs = 0;
  private lastJob = 0;
  private retained: Extract<Effect, { readonly kind: 'retain' }> | null = null;
  private readonly held = new Map<AllocationId, SimCommit>();
  private readonly chunks = new Map<string, string>();
  private hasInstalled = false;
  private isSyncing = false;
  private wantsSync = false;
  /** False once the process died or the copy was opened anew: late events go nowhere. */
  isLive = true;

  constructor(
    world: ShardWorld,
    place: { readonly node: NodeId; readonly allocationId: AllocationId },
    store: SimulatedStore,
  ) {
    this.world = world;
    this.node = place.node;
    this.allocationId = place.allocationId;
    this.store = store;
    const stored = store.open();
    for (const { seqNo, term } of store.durable.values()) {
      world.require(
        term <= stored.term,
        `the disk of ${this.allocationId} has ${seqNo}/${term} and term ${stored.term}`,
      );
    }
    this.state = openCopy(place.allocationId, stored);
  }

  take(event: Event): void {
    if (!this.isLive) return;
    const before = this.state;
    if (this.world.lines !== null) this.world.trace(`${this.allocationId} ${lineOf(event)}`);
    const { state, effects } = stepCopy(before, event, this.world.context);
    this.state = state;
    this.world.checker.stepped(before, state);
    if (state.phase === 'primary' && before.phase !== 'primary')
      this.world.checker.opened(this.allocationId, this.store);
    if (before.phase === 'recovering' && state.phase === 'replica' && !this.hasInstalled) {
      this.world.counts.operationRecoveries += 1;
    }
    for (const effect of effects) this.perform(effect);
  }

  private perform(effect: Effect): void {
    const { world, store } = this;
    switch (effect.kind) {
      case 'persistTerm':
        store.term = effect.term;
        return;
      case 'keepGlobalCheckpoint':
        store.keepGlobalCheckpoint(effect.globalCheckpoint);
        if (this.state.primary !== null) world.globalCheckpointMoved(this, effect.globalCheckpoint);
        return;
      case 'execute':
        this.inTurn(effect.job, () => this.execute(effect));
        return;
      case 'rollback':
        this.inTurn(effect.job, () => {
          store.rollback(effect.to, effect.drops);
          return { operations: [], failed: [] };
        });
        return;
      case 'confirm':
        this.inTurn(effect.job, () => {
          store.rebuild();
          return { operations: [], failed: [] };
        });
        return;
      case 'trim':
        store.trim(effect.above, effect.belowTerm);
        return;
      case 'sync':
        this.wantsSync = true;
        this.sync();
        return;
      case 'readHistory':
        this.later(world.faults.engineMs, () => this.readHistory(effect));
        return;
      case 'send':
        world.network.send(this, effect);
        return;
      case 'sendLater':
        this.later(
          () => effect.delayMs,
          () => this.take({ kind: 'sendNow', requestId: effect.requestId }),
        );
        return;
      case 'answer':
        world.network.answer(this.node, effect.replyTo, effect.response);
        return;
      case 'askManager':
        world.askManager(this, effect.ask, effect.request);
        return;
      case 'readNow':
        world.clients.readNow(effect.ticket, store);
        return;
      case 'reply':
        world.clients.replied(effect.ticket, effect.outcome);
        return;
      case 'closed':
        world.trace(`${this.allocationId} closed: ${effect.reason}`);
        store.isDamaged = false;
        return;
      case 'beginHistory':
        store.historyUuid = effect.historyUuid;
        return;
      case 'keepLeases':
        store.leases = effect.leases;
        return;
      case 'retain':
        this.retained = effect;
        if (world.random.chance(world.faults.flush)) this.flush();
        return;
      case 'acquireCommit':
        this.later(world.faults.engineMs, () => this.acquireCommit(effect.job, effect.target));
        return;
      case 'verifyCommit':
        this.later(world.faults.engineMs, () => {
          this.take({ kind: 'commitVerified', job: effect.job, isSound: !store.isDamaged });
        });
        return;
      case 'keepChunk':
        this.chunks.set(`${effect.file}/${effect.chunk}`, world.network.payloadOf(effect.replyTo));
        return;
      case 'installFiles':
        this.inEngine(effect.job, () => this.install(effect));
        return;
    }
  }

  private execute(effect: Extract<Effect, { readonly kind: 'execute' }>): {
    operations: readonly SimOperation[];
    failed: readonly number[];
  } {
    const { store, world } = this;
    if (effect.origin === 'replica') {
      for (const operation of effect.operations) store.executeOnReplica(operation);
      world.checker.executed(this.allocationId, effect.operations);
      if (world.random.chance(world.faults.tombstoneGc)) store.collectTombstones(this.state.processed.checkpoint);
      return { operations: effect.operations, failed: [] };
    }
    const operations: SimOperation[] = [];
    const failed: number[] = [];
    for (const operation of effect.operations) {
      const done = store.executeOnPrimary(operation);
      if (done === null) failed.push(operation.seqNo);
      else operations.push(done);
    }
    world.checker.executed(this.allocationId, operations);
    return { operations, failed };
  }

  private readHistory({ job, first, last }: Extract<Effect, { readonly kind: 'readHistory' }>): void {
    const operations: SimOperation[] = [];
    for (let seqNo = first; seqNo <= last; seqNo++) {
      const operation = this.store.history.get(seqNo);
      if (operation !== undefined) operations.push(operation);
    }
    this.take({ kind: 'historyRead', job, operations });
  }

  /** The engine works off its jobs one after another. */
  private inTurn(job: number, work: () => { operations: readonly SimOperation[]; failed: readonly number[] }): void {
    this.inEngine(job, () => {
      const done = work();
      this.lastJob = job;
      this.take({ kind: 'executed', job, ...done });
    });
  }

  private inEngine(job: number, work: () => void): void {
    const { events, faults } = this.world;
    this.freeAtMs = Math.max(this.freeAtMs, events.nowMs) + faults.engineMs();
    this.later(
      () => this.freeAtMs - events.nowMs,
      () => {
        if (this.state.jobs.has(job)) work();
      },
    );
  }

  private flush(): void {
    if (this.retained === null) return;
    const { from, commitThrough } = this.retained;
    const through = Math.min(commitThrough, this.state.processed.checkpoint);
    if (through > this.store.commit.through) this.store.flush(through, from);
    if (this.world.random.chance(this.world.faults.damage)) this.store.isDamaged = true;
  }

  private acquireCommit(job: number, target: AllocationId): void {
    const { commit } = this.store;
    this.held.set(target, commit);
    const files = filesOf(commit).map(({ file }) => file);
    this.take({ kind: 'commitAcquired', job, commit: { through: commit.through, files } });
  }

  /** Bytes of a chunk as they leave, which may not be as they were written. */
  chunkOf(target: AllocationId, name: string, chunk: number): string {
    const found = filesOf(this.held.get(target) ?? this.store.commit).find(({ file }) => file.name === name)!;
    const half = found.file.chunks === 1 ? found.content.length : found.content.length >> 1;
    const bytes = chunk === 0 ? found.content.slice(0, half) : found.content.slice(half);
    const isWrong = this.store.isDamaged || this.world.random.chance(this.world.faults.corruption);
    return isWrong ? bytes.replace('#', '!') : bytes;
  }

  private install({ job, commit, historyUuid, verifies }: Extract<Effect, { readonly kind: 'installFiles' }>): void {
    const own = new Map(
      filesOf(this.store.commit).map(({ file, content }) => [`${file.name} ${file.checksum}`, content]),
    );
    const documents = new Map<string, StoredDocument>();
    for (const { name, chunks, checksum } of commit.files) {
      const parts = Array.from({ length: chunks }, (_, chunk) => this.chunks.get(`${name}/${chunk}`));
      const content = own.get(`${name} ${checksum}`) ?? parts.join('');
      if (verifies && content !== checksum) {
        this.chunks.clear();
        this.take({ kind: 'filesInstalled', job, isSound: false });
        return;
      }
      for (const [id, document] of JSON.parse(content)) documents.set(id, document);
    }
    this.store.install({ through: commit.through, documents }, historyUuid);
    this.hasInstalled = true;
    this.world.counts.fileRecoveries += 1;
    this.take({ kind: 'filesInstalled', job, isSound: true });
  }

  private sync(): void {
    if (this.isSyncing || !this.wantsSync) return;
    this.isSyncing = true;
    this.wantsSync = false;
    const { store, lastJob } = this;
    const records = store.recordCount;
    this.later(this.world.faults.syncMs, () => {
      this.isSyncing = false;
      if (this.world.random.chance(this.world.faults.syncFails)) {
        // What a failed sync leaves on the disk is anybody's guess.
        store.crash(this.world.random);
        this.take({ kind: 'engineFailed', reason: 'sync failed' });
        return;
      }
      store.synced(records);
      this.take({ kind: 'synced', throughJob: lastJob });
      this.sync();
    });
  }

  private later(delay: () => number, run: () => void): void {
    this.world.events.after(delay(), () => {
      if (this.isLive) run();
    });
  }
}

/** An event in a line of the trace. */
function lineOf(event: Event): string {
  return JSON.stringify(event, (_key, value) => {
    if (value instanceof Map) return [...value];
    if (value instanceof Set) return [...value];
    return value;
  });
}
