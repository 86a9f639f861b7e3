/**
 * The shell around one copy: performs its effects on a simulated store, over the world's network and clock.
 */
import type { CopyEffect, CopyEvent } from '../copy/copy-events.ts';
import { type CopyState, openCopy } from '../copy/copy-state.ts';
import type { AllocationId, NodeId } from '../group/shard-group.ts';
import { stepCopy } from '../step/copy-step.ts';
import type { ShardWorld } from './shard-world.test-support.ts';
import type { SimDocument, SimOperation, SimulatedStore } from './simulated-store.test-support.ts';

type Event = CopyEvent<SimDocument>;
type Effect = CopyEffect<SimDocument>;

export class SimulatedCopy {
  readonly world: ShardWorld;
  readonly node: NodeId;
  readonly allocationId: AllocationId;
  readonly store: SimulatedStore;
  state: CopyState<SimDocument>;
  /** Answers that wait at the sender's side, by request. */
  private freeAtMs = 0;
  private lastJob = 0;
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
        world.send(this, effect);
        return;
      case 'sendLater':
        this.later(
          () => effect.delayMs,
          () => this.take({ kind: 'sendNow', requestId: effect.requestId }),
        );
        return;
      case 'answer':
        world.answer(this.node, effect.replyTo, effect.response);
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
    const { events, faults } = this.world;
    this.freeAtMs = Math.max(this.freeAtMs, events.nowMs) + faults.engineMs();
    this.later(
      () => this.freeAtMs - events.nowMs,
      () => {
        if (!this.state.jobs.has(job)) return;
        const done = work();
        this.lastJob = job;
        this.take({ kind: 'executed', job, ...done });
      },
    );
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
