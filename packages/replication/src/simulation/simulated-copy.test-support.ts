/**
 * The shell around one copy: performs its effects on a simulated store, over the world's network and clock.
 */
import type { CopyEffect, CopyEvent } from '../copy/copy-events.ts';
import { type CopyState, openCopy } from '../copy/copy-state.ts';
import type { AllocationId, NodeId } from '../group/shard-group.ts';
import { rangesOf } from '../sequence/seq-no-ranges.ts';
import { stepCopy } from '../step/copy-step.ts';
import type { ShardWorld } from './shard-world.test-support.ts';
import {
  filesOf,
  type SimCommit,
  type SimOperation,
  type SimulatedStore,
  type SimWrite,
  type StoredDocument,
} from './simulated-store.test-support.ts';

type Event = CopyEvent<SimOperation>;
type Effect = CopyEffect<SimOperation>;

export class SimulatedCopy {
  readonly world: ShardWorld;
  readonly node: NodeId;
  readonly allocationId: AllocationId;
  readonly store: SimulatedStore;
  state: CopyState<SimOperation>;
  /** When the engine has done all its jobs. */
  private freeAtMs = 0;
  /** Number of the newest `sync` effect. */
  private lastSync = 0;
  /** What clients want, and what became of it, by ticket. */
  private readonly writes = new Map<string, { readonly write: SimWrite; done: SimOperation | null }>();
  /** Parts of the history that are still to be given, by job. */
  private readonly reads = new Map<number, SimOperation[]>();
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
    for (const { seqNo, primaryTerm } of store.durable.values()) {
      world.require(
        primaryTerm <= stored.term,
        `the disk of ${this.allocationId} has ${seqNo}/${primaryTerm} and term ${stored.term}`,
      );
    }
    this.state = openCopy(place.allocationId, stored, world.events.nowMs);
  }

  write(ticket: string, write: SimWrite): void {
    this.writes.set(ticket, { write, done: null });
    this.take({ kind: 'write', ticket, activeCopiesMin: 1, waitsForSync: true });
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
        this.inTurn(effect.job, () => this.execute(effect.operations));
        return;
      case 'write':
        this.later(world.faults.engineMs, () => this.executeWrite(effect));
        return;
      case 'rollback':
        this.inTurn(effect.job, () => store.rollback(effect.to, effect.drops));
        return;
      case 'confirm':
        this.inTurn(effect.job, () => store.rebuild());
        return;
      case 'lead':
        this.inTurn(effect.job, () => world.checker.executed(this.allocationId, store.lead(effect.term)));
        return;
      case 'trim':
        store.trim(effect.above, effect.belowTerm);
        return;
      case 'sync':
        this.wantsSync = true;
        this.lastSync = effect.number;
        this.sync();
        return;
      case 'readHistory':
        this.later(world.faults.engineMs, () => this.readHistory(effect));
        return;
      case 'readMore':
        this.later(world.faults.engineMs, () => this.readPart(effect.job));
        return;
      case 'endRead':
        this.reads.delete(effect.job);
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
        this.later(world.faults.engineMs, () => {
          world.clients.readNow(effect.ticket, store);
          this.take({ kind: 'wasRead', ticket: effect.ticket, maxSeqNo: store.maxSeqNo });
        });
        return;
      case 'reply':
        world.clients.replied(effect.ticket, effect.outcome, this.writes.get(effect.ticket)?.done ?? null);
        this.writes.delete(effect.ticket);
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

  private execute(operations: readonly SimOperation[]): void {
    const { store, world } = this;
    for (const operation of operations) store.executeOnReplica(operation);
    world.checker.executed(this.allocationId, operations);
    if (world.random.chance(world.faults.tombstoneGc)) store.collectTombstones(this.state.processed.checkpoint);
  }

  /** Writes run beside each other, and each is told some time after it got its number: it may be one of many documents. */
  private executeWrite({ job, ticket, collects }: Extract<Effect, { readonly kind: 'write' }>): void {
    const { store, world } = this;
    const asked = this.writes.get(ticket);
    if (asked === undefined || !this.state.jobs.has(job)) return;
    const done = store.write(asked.write);
    asked.done = done;
    const operations = done === null ? [] : [done];
    world.checker.executed(this.allocationId, operations);
    const ranges = rangesOf(operations.map(({ seqNo }) => seqNo));
    this.later(world.faults.engineMs, () => {
      this.take({ kind: 'executed', job, ranges, operations: collects ? operations : [], repeated: -1 });
    });
  }

  private readHistory({ job, first, last }: Extract<Effect, { readonly kind: 'readHistory' }>): void {
    const operations: SimOperation[] = [];
    for (let seqNo = first; seqNo <= last; seqNo++) {
      const operation = this.store.history.get(seqNo);
      if (operation !== undefined) operations.push(operation);
    }
    this.reads.set(job, operations);
    this.readPart(job);
  }

  /** From either end: parts come in any order. */
  private readPart(job: number): void {
    const left = this.reads.get(job);
    if (left === undefined) return;
    const size = this.world.faults.operationsPerRequest;
    const operations = job % 2 === 0 ? left.splice(0, size) : left.splice(-size, size);
    const isLast = left.length === 0;
    if (isLast) this.reads.delete(job);
    this.take({ kind: 'historyRead', job, operations, isLast });
  }

  /** The engine works off its jobs one after another. */
  private inTurn(job: number, work: () => void): void {
    this.inEngine(job, () => {
      work();
      this.take({ kind: 'executed', job, ranges: [], operations: [], repeated: -1 });
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
    this.take({ kind: 'commitAcquired', job, commit: { through: commit.through, files, recentWrites: null } });
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
    const { store, lastSync: through } = this;
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
      this.take({ kind: 'synced', through });
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
