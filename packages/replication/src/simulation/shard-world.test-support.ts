/**
 * A life of one shard under virtual time: nodes with disks, their network, a cluster manager, clients. The same seed gives the same life.
 */
import { type SeededRandom, seededRandom } from '@shoal/simulation';
import type { CopyContext } from '../copy/copy-context.ts';
import type { ManagerRequest } from '../copy/copy-events.ts';
import { newGroup } from '../group/group-changes.ts';
import type { AllocationId, NodeId, ShardGroup } from '../group/shard-group.ts';
import type { ReplicationRules } from '../rules/replication-rules.ts';
import { highestSeqNo } from '../sequence/seq-no-ranges.ts';
import { ReplicationChecker, ReplicationViolation } from './replication-checker.test-support.ts';
import { ShardEvents } from './shard-events.test-support.ts';
import type { ShardFaults } from './shard-faults.test-support.ts';
import { ShardNetwork } from './shard-network.test-support.ts';
import { SimulatedClients } from './simulated-clients.test-support.ts';
import { SimulatedCopy } from './simulated-copy.test-support.ts';
import { SimulatedManager } from './simulated-manager.test-support.ts';
import { type SimOperation, SimulatedStore } from './simulated-store.test-support.ts';

const MANAGER = 'manager';
const MANAGER_TIMEOUT_MS = 300;
const MANAGER_TICK_MS = 100;
const COPY_TICK_MS = 500;
/** Virtual time that everything has to become quiet after the faults are over. */
const QUIET_MAX_MS = 240_000;

const LAST_WRITES_EVERY_MS = 5_000;

export interface SimNode {
  readonly id: NodeId;
  isAlive: boolean;
  /** Processes that this node has been; the cluster manager knows each apart. */
  incarnation: number;
  copy: SimulatedCopy | null;
  /** What lies in the shard's folder. */
  disk: { readonly allocationId: AllocationId; readonly store: SimulatedStore } | null;
  applied: ShardGroup | null;
  /** Process that the cluster manager has taken in; null: none. */
  joined: number | null;
  /** Time since when the cluster manager does not reach it. */
  silentSinceMs: number | null;
}

export interface WorldOptions {
  readonly seed: string;
  readonly nodes: number;
  /** Copies of the shard; fewer than nodes leave room to move. */
  readonly copies: number;
  readonly documents: number;
  readonly faults: ShardFaults;
  readonly rules: ReplicationRules;
  /** Nothing fails: every call has an answer that says what became of it. */
  readonly isPlanned?: boolean;
}

export class ShardWorld {
  readonly events: ShardEvents = new ShardEvents();
  readonly checker: ReplicationChecker = new ReplicationChecker();
  readonly random: SeededRandom;
  readonly rules: ReplicationRules;
  readonly context: CopyContext;
  readonly nodes: readonly SimNode[];
  readonly network: ShardNetwork;
  readonly clients: SimulatedClients;
  readonly manager: SimulatedManager;
  readonly documentIds: readonly string[];
  readonly slowNodes: Set<NodeId> = new Set();
  readonly copies: number;
  readonly isPlanned: boolean;
  faults: ShardFaults;
  /** Lines of `trace`, the newest last; null unless somebody wants them. */
  lines: string[] | null = null;
  private redSinceMs: number | null = null;
  readonly counts = { fileRecoveries: 0, operationRecoveries: 0, forced: 0, moved: 0 };

  constructor({ seed, nodes, copies, documents, faults, rules, isPlanned = false }: WorldOptions) {
    this.isPlanned = isPlanned;
    this.random = seededRandom(seed);
    this.rules = rules;
    const { resendMaxMs, leasePeriodMs, handOffMaxMs } = faults;
    this.context = { rules, resendMaxMs, leasePeriodMs, handOffMaxMs };
    this.copies = copies;
    this.faults = faults;
    this.documentIds = Array.from({ length: documents }, (_, at) => `d${at}`);
    this.nodes = Array.from({ length: nodes }, (_, at) => newNode(`n${at + 1}`));
    this.manager = new SimulatedManager(newGroup('n1.0', 'n1'), rules);
    this.network = new ShardNetwork(this);
    this.clients = new SimulatedClients(this);
    this.events.after(0, () => this.managerTick());
    this.events.after(0, () => this.copyTick());
  }

  require(condition: boolean, message: string): void {
    if (!condition) throw new ReplicationViolation(message);
  }

  trace(line: string): void {
    if (this.lines === null) return;
    this.lines.push(`${this.events.nowMs.toFixed(1)} ${line}`);
  }

  runUntil(ms: number): void {
    while (this.events.runNext(ms));
    this.events.nowMs = ms;
  }

  /** Lets a new shard get all its copies before anything goes wrong. */
  fill(): void {
    const { faults } = this;
    this.faults = { ...faults, loss: 0, duplicate: 0, syncFails: 0, corruption: 0, damage: 0, assigns: 1 };
    const started = (): number =>
      [...this.manager.group.copies.values()].filter(({ state }) => state === 'started').length;
    while (started() < this.copies) {
      this.require(this.events.nowMs < QUIET_MAX_MS, `copies of a new shard do not start: ${this.restlessness()}`);
      this.runUntil(this.events.nowMs + 20);
    }
    this.faults = faults;
  }

  askManager(copy: SimulatedCopy, ask: number, request: ManagerRequest): void {
    let isAnswered = false;
    this.network.transmit(copy.node, MANAGER, () => {
      const before = this.manager.group;
      const answer = this.manager.ask(request);
      this.countMoves(before);
      if (request.kind === 'copyStarted' && this.manager.group !== before) this.started(request.allocationId);
      this.trace(`manager: ${copy.allocationId} asks ${JSON.stringify(request)}: ${answer}`);
      this.network.transmit(MANAGER, copy.node, () => {
        if (isAnswered) return;
        isAnswered = true;
        copy.take({ kind: 'managerAnswered', ask, answer });
      });
    });
    this.events.after(MANAGER_TIMEOUT_MS, () => {
      if (isAnswered) return;
      isAnswered = true;
      copy.take({ kind: 'managerAnswered', ask, answer: 'unavailable' });
    });
  }

  // Processes.

  crash(node: SimNode): void {
    if (!node.isAlive) return;
    this.trace(`${node.id} crashes`);
    node.isAlive = false;
    if (node.copy !== null) node.copy.isLive = false;
    node.copy = null;
    node.applied = null;
    node.disk?.store.crash(this.random);
  }

  /** A node that stops in order: it answers still, and has the copy no more. */
  closeCopy(node: SimNode): void {
    this.trace(`${node.id} closes its copy`);
    if (node.copy !== null) node.copy.isLive = false;
    node.copy = null;
  }

  restart(node: SimNode): void {
    if (node.isAlive) return;
    this.trace(`${node.id} restarts`);
    node.isAlive = true;
    node.incarnation += 1;
  }

  // What clients and checkers see.

  /** The primary on the node that the cluster manager, or a node that is behind, believes to have it. */
  primaryAsSeen(): SimulatedCopy | null {
    const seen = this.random.chance(0.5) ? this.manager.group : (this.random.pick(this.nodes).applied ?? null);
    const id = seen?.primary ?? null;
    const node = this.nodes.find(({ copy }) => copy?.allocationId === id && copy?.isLive === true);
    return node?.copy ?? null;
  }

  acknowledged(operations: readonly SimOperation[]): void {
    this.checker.acknowledgedWrite(operations, this.inSyncStores());
  }

  globalCheckpointMoved(copy: SimulatedCopy, to: number): void {
    this.checker.globalCheckpointMoved({ copy: copy.allocationId, term: copy.state.term }, to, this.inSyncStores());
  }

  /** Ends all faults, waits until all is quiet, and compares the copies. */
  finish(): void {
    this.clients.isStopped = true;
    this.network.healAll();
    this.faults = {
      ...this.faults,
      loss: 0,
      duplicate: 0,
      syncFails: 0,
      corruption: 0,
      damage: 0,
      forces: 0,
      assigns: 1,
    };
    this.slowNodes.clear();
    for (const node of this.nodes) this.restart(node);
    const until = this.events.nowMs + QUIET_MAX_MS;
    let lastWriteMs = 0;
    // An event cascade may be empty for a moment while a group is on its way: quiet is asked for now and then.
    while (!this.isQuiet()) {
      this.require(this.events.nowMs < until, `not quiet after the faults: ${this.restlessness()}`);
      this.runUntil(this.events.nowMs + 250);
      // Only a write takes copies out that are in sync and gone for good.
      if (this.events.nowMs - lastWriteMs < LAST_WRITES_EVERY_MS) continue;
      lastWriteMs = this.events.nowMs;
      this.clients.writeOnce();
    }
    const copies = new Map(this.liveCopies().map((copy) => [copy.allocationId, copy.state]));
    const stores = new Map(this.liveCopies().map((copy) => [copy.allocationId, copy.store]));
    this.checker.converged(this.manager.group, copies, stores);
    this.clients.giveUp();
    this.clients.readAll(stores.get(this.manager.group.primary ?? '')!);
    this.checker.linearizable();
  }

  private managerTick(): void {
    const { nowMs } = this.events;
    for (const node of this.nodes) {
      const isCut = this.network.isCut(MANAGER, node.id) || this.network.isCut(node.id, MANAGER);
      const isReached = node.isAlive && !isCut;
      node.silentSinceMs = isReached ? null : (node.silentSinceMs ?? nowMs);
      const isSilent = node.silentSinceMs !== null && nowMs - node.silentSinceMs > this.faults.detectMs;
      if (node.joined !== null && (isSilent || (isReached && node.joined !== node.incarnation))) {
        this.manager.left(node.id);
        node.joined = null;
      }
      if (isReached) node.joined = node.incarnation;
    }
    this.allocate();
    for (const node of this.nodes) this.publish(node);
    this.events.after(MANAGER_TICK_MS, () => this.managerTick());
  }

  private allocate(): void {
    const { manager, faults, random } = this;
    const { nowMs } = this.events;
    const isHere = (node: SimNode): boolean => node.isAlive && node.joined === node.incarnation;
    if (manager.group.primary !== null) {
      this.redSinceMs = null;
      const nodes = new Set([...manager.group.copies.values()].map(({ node }) => node));
      for (const node of this.nodes) {
        if (!isHere(node) || nodes.has(node.id) || this.copyCount() >= this.copies) continue;
        if (random.chance(faults.assigns)) manager.assignReplica(node.id);
      }
      return;
    }
    this.redSinceMs ??= nowMs;
    for (const node of this.nodes) {
      if (node.joined !== node.incarnation || !node.isAlive || node.disk === null) continue;
      if (manager.assignPrimary(node.disk.allocationId, node.id)) {
        this.trace(`manager: ${node.disk.allocationId} is primary of term ${manager.group.primaryTerm} from its disk`);
        return;
      }
    }
    const forced = this.nodes.find((node) => isHere(node) && node.disk !== null);
    if (forced === undefined || nowMs - this.redSinceMs < 200 || !random.chance(faults.forces)) return;
    if (!manager.forcePrimary(forced.id)) return;
    this.trace(`manager: a copy on ${forced.id} is forced to be primary`);
    this.counts.forced += 1;
    this.checker.lossAccepted(this.manager.group.primaryTerm);
  }

  /** A target that is none any more, and still there while what it replaced is gone, has arrived. */
  private countMoves(before: ShardGroup): void {
    const { copies } = this.manager.group;
    for (const [id, { replaces }] of before.copies) {
      if (replaces !== null && copies.get(id)?.state === 'started' && !copies.has(replaces)) this.counts.moved += 1;
    }
  }

  /** Copies of the shard, each on the move once. */
  private copyCount(): number {
    return [...this.manager.group.copies.values()].filter(({ replaces }) => replaces === null).length;
  }

  private started(id: AllocationId): void {
    const primary = this.liveCopies().find(({ allocationId }) => allocationId === this.manager.group.primary);
    const node = this.nodes.find(({ disk }) => disk?.allocationId === id);
    if (primary === undefined || node?.disk === null || node === undefined) return;
    this.checker.started(id, node.disk.store, primary.state.globalCheckpoint);
  }

  private publish(node: SimNode): void {
    const { group } = this.manager;
    const { incarnation } = node;
    if (node.joined !== incarnation || (node.applied?.version ?? 0) >= group.version) return;
    this.network.transmit(MANAGER, node.id, () => {
      if (node.isAlive && node.incarnation === incarnation) this.apply(node, group);
    });
  }

  private apply(node: SimNode, group: ShardGroup): void {
    if ((node.applied?.version ?? 0) >= group.version) return;
    node.applied = group;
    node.copy?.take({ kind: 'groupChanged', group });
    const id = [...group.copies].find(([, { node: at }]) => at === node.id)?.[0];
    if (id === undefined || group.copies.get(id)?.state === 'started') return;
    if (node.copy?.isLive && node.copy.allocationId === id && node.copy.state.phase !== 'closed') return;
    if (node.copy !== null) node.copy.isLive = false;
    if (this.isAnothersStore(node, id, group)) {
      // Another assignment, which the cluster manager did not know of when it looked, has changed what was here.
      this.trace(`${node.id} refuses to open ${id} from the store of ${node.disk?.allocationId}`);
      this.manager.ask({ kind: 'copyFailed', allocationId: id, primaryTerm: 0, markStale: false });
      return;
    }
    this.open(node, id);
    node.copy?.take({ kind: 'groupChanged', group });
  }

  /** A copy that was primary or in sync before goes on from its own store or not at all. */
  private isAnothersStore({ disk }: SimNode, id: AllocationId, { primary, copies }: ShardGroup): boolean {
    return primary === id && copies.get(id)?.isForced === false && disk !== null && disk.allocationId !== id;
  }

  private open(node: SimNode, allocationId: AllocationId): void {
    const store = node.disk?.store ?? new SimulatedStore(this.rules);
    node.disk = { allocationId, store };
    node.copy = new SimulatedCopy(this, { node: node.id, allocationId }, store);
  }

  private copyTick(): void {
    for (const { copy } of this.nodes) copy?.take({ kind: 'tick', nowMs: this.events.nowMs });
    this.events.after(COPY_TICK_MS, () => this.copyTick());
  }

  private liveCopies(): readonly SimulatedCopy[] {
    return this.nodes.flatMap(({ copy }) => (copy?.isLive && copy.state.phase !== 'closed' ? [copy] : []));
  }

  private inSyncStores(): ReadonlyMap<AllocationId, SimulatedStore> {
    const stores = new Map<AllocationId, SimulatedStore>();
    for (const { disk } of this.nodes) {
      if (disk !== null && this.manager.group.inSync.has(disk.allocationId)) stores.set(disk.allocationId, disk.store);
    }
    return stores;
  }

  private isQuiet(): boolean {
    return this.restlessness() === '';
  }

  private restlessness(): string {
    const { group } = this.manager;
    if (group.primary === null) return 'no primary';
    const restless: string[] = [];
    if (group.copies.size !== this.copies) restless.push(`${group.copies.size} copies instead of ${this.copies}`);
    const live = new Set(this.liveCopies().map(({ allocationId }) => allocationId));
    for (const [id, { state, node }] of group.copies) {
      if (state !== 'started' || !live.has(id)) restless.push(`${id} on ${node} is ${state}`);
    }
    for (const node of this.nodes) if (node.applied?.version !== group.version) restless.push(`${node.id} is behind`);
    for (const { state } of this.liveCopies()) {
      const { allocationId, jobs, requests, asks, unsynced, deferred, awaitingSync, primary } = state;
      const open = jobs.size + requests.size + asks.size + unsynced.length + deferred.length + awaitingSync.length;
      if (open > 0) restless.push(`${allocationId} has ${open} things open`);
      const [highest, writes] = [highestSeqNo(state.processed), primary?.writes.size ?? 0];
      if (primary !== null && (writes > 0 || state.globalCheckpoint < highest)) {
        restless.push(`${allocationId} waits for ${writes} writes, at ${state.globalCheckpoint} of ${highest}`);
      }
      const primarys = this.liveCopies().find((copy) => copy.allocationId === group.primary)?.state.globalCheckpoint;
      if (state.globalCheckpoint !== primarys) restless.push(`${allocationId} does not know checkpoint ${primarys}`);
    }
    return restless.join('; ');
  }
}

function newNode(id: NodeId): SimNode {
  return {
    id,
    isAlive: true,
    incarnation: 1,
    copy: null,
    disk: null,
    applied: null,
    joined: 1,
    silentSinceMs: null,
  };
}
