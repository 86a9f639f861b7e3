/**
 * A cluster of coordinator cores in one process: nodes with disks, a faulty network, clients, and the checkers that look
 * after every event.
 */
import type { DiscoveryNode, NodeRole } from '@shoal/protocol';
import { type SeededRandom, seededRandom } from '@shoal/simulation';
import type {
  BootstrapPlan,
  CoordinatorEffect,
  CoordinatorEvent,
  ProposalResult,
} from '../effects/coordination-events.ts';
import { type CoordinationSettings, DEFAULT_COORDINATION_SETTINGS } from '../effects/coordination-settings.ts';
import type { DurableState, NodeId } from '../steps/accepted-state.ts';
import { ALL_RULES, type ConsensusRules } from '../steps/consensus-rules.ts';
import { initialDurableState } from '../steps/consensus-state.ts';
import type { CoordResponse } from '../steps/coord-message.ts';
import { ConsensusChecker, ConsensusViolation } from './consensus-checker.test-support.ts';
import { CoordinatorProcess, type ProcessWorld } from './coordinator-process.test-support.ts';
import { MessageNetwork, type VirtualTime } from './message-network.test-support.ts';
import { EMPTY_VALUE, SIM_MODEL, type SimValue, simNode } from './sim-value.test-support.ts';

type Effect = CoordinatorEffect<SimValue>;

/** Lines kept for the message of a failure. */
const TRACE_LINES_MAX = 60;

export interface ClusterFaults {
  /** Milliseconds a durable write takes at most, and how often it takes a hundred times that. */
  readonly persistMaxMs: number;
  readonly slowPersist: number;
  readonly applyMaxMs: number;
  /** A killed process' connections are seen to close, rather than to fall silent. */
  readonly deathIsSeen: number;
}

export const NO_CLUSTER_FAULTS: ClusterFaults = { persistMaxMs: 5, slowPersist: 0, applyMaxMs: 5, deathIsSeen: 1 };

export interface ClusterOptions {
  readonly seed: string;
  readonly roles: ReadonlyMap<NodeId, readonly NodeRole[]>;
  readonly bootstrap: BootstrapPlan;
  readonly settings: Partial<CoordinationSettings>;
  readonly rules: ConsensusRules;
}

interface Machine {
  readonly id: NodeId;
  readonly roles: readonly NodeRole[];
  disk: DurableState<SimValue>;
  process: CoordinatorProcess | null;
  processCount: number;
}

export class CoordinatorCluster implements ProcessWorld {
  readonly random: SeededRandom;
  readonly network: MessageNetwork;
  readonly checker: ConsensusChecker = new ConsensusChecker();
  readonly trace: string[] = [];
  readonly results = new Map<string, ProposalResult | null>();
  faults: ClusterFaults = NO_CLUSTER_FAULTS;
  eventCount = 0;
  /** Of everything that happened: equal for two runs of one seed. */
  traceHash = 0;
  private readonly options: ClusterOptions;
  private readonly machines = new Map<NodeId, Machine>();
  private readonly replies = new Map<number, { readonly to: CoordinatorProcess; readonly requestId: number }>();
  private readonly holders = new Map<string, Set<NodeId>>();
  private readonly proposalsOpen = new Map<string, string>();
  private nextReplyTo = 1;
  private nextTicket = 1;

  constructor(options: ClusterOptions) {
    this.options = options;
    this.random = seededRandom(options.seed);
    this.network = new MessageNetwork(this.random.fork('network'));
    for (const [id, roles] of options.roles) {
      this.machines.set(id, { id, roles, disk: initialDurableState(EMPTY_VALUE), process: null, processCount: 0 });
    }
  }

  get time(): VirtualTime {
    return this.network.time;
  }

  get ids(): readonly NodeId[] {
    return [...this.machines.keys()];
  }

  get alive(): readonly CoordinatorProcess[] {
    return [...this.machines.values()].flatMap(({ process }) => (process === null ? [] : [process]));
  }

  process(id: NodeId): CoordinatorProcess | null {
    return this.machine(id).process;
  }

  start(id: NodeId): void {
    const machine = this.machine(id);
    if (machine.process !== null) return;
    machine.processCount += 1;
    machine.process = new CoordinatorProcess(
      {
        local: simNode(id, machine.processCount, machine.roles),
        settings: { ...DEFAULT_COORDINATION_SETTINGS, ...this.options.settings },
        bootstrap: this.options.bootstrap,
        model: SIM_MODEL,
        durable: machine.disk,
        rules: this.options.rules,
      },
      this,
      this.random.fork(`process/${id}/${machine.processCount}`),
    );
    this.note(`start ${id}`);
    machine.process.feed({ kind: 'start' });
  }

  /** Kills the process; what was not durable is gone. */
  crash(id: NodeId): void {
    const machine = this.machine(id);
    const { process } = machine;
    if (process === null) return;
    this.note(`crash ${id}`);
    process.kill();
    machine.process = null;
    for (const other of this.alive) {
      if (this.network.isCut(id, other.node.id) || !this.random.chance(this.faults.deathIsSeen)) continue;
      this.time.after(this.network.latencyMs(), () =>
        other.feed({ kind: 'nodeDisconnected', node: id, ephemeralId: process.node.ephemeralId }),
      );
    }
  }

  /** A client's write on this node. Its name in `results` tells how it went. */
  write(process: CoordinatorProcess): string {
    const name = `w${this.nextTicket}`;
    this.propose(process, name, (value) => ({ ...value, writes: [...value.writes, name] }));
    return name;
  }

  propose(process: CoordinatorProcess, name: string, update: (value: SimValue) => SimValue): void {
    const ticket = this.nextTicket++;
    this.results.set(name, null);
    this.proposalsOpen.set(`${process.node.ephemeralId}/${ticket}`, name);
    process.feed({ kind: 'propose', ticket, source: name, update });
  }

  /** Runs until the predicate holds or the time is over; says which. */
  run(untilMs: number, predicate: () => boolean = () => false): boolean {
    for (;;) {
      if (predicate()) return true;
      if (!this.time.next(untilMs)) return predicate();
    }
  }

  note(line: string): void {
    const text = `${this.time.nowMs.toFixed(1)} ${line}`;
    for (let at = 0; at < text.length; at++) this.traceHash = (Math.imul(this.traceHash, 31) + text.charCodeAt(at)) | 0;
    this.trace.push(text);
    if (this.trace.length > TRACE_LINES_MAX) this.trace.shift();
  }

  // What processes ask of the world

  request(from: CoordinatorProcess, effect: Extract<Effect, { kind: 'send' }>): void {
    const { to, requestId, request } = effect;
    this.note(`${from.node.id} -> ${to.id} ${request.kind} #${requestId}`);
    const disconnected = { kind: 'requestFailed', requestId, cause: 'disconnected', reason: 'disconnected' } as const;
    const passage = this.network.carry(from.node.id, to.id, () => {
      const target = this.machine(to.id).process;
      if (target === null || target.node.ephemeralId !== to.ephemeralId) {
        if (this.random.chance(this.faults.deathIsSeen)) from.settle(requestId, disconnected);
        return;
      }
      const replyTo = this.nextReplyTo++;
      this.replies.set(replyTo, { to: from, requestId });
      target.request(from.node, replyTo, request);
    });
    if (passage === 'reset') this.time.after(1, () => from.settle(requestId, disconnected));
  }

  answer(from: CoordinatorProcess, replyTo: number, answer: CoordResponse | { readonly refused: string }): void {
    const reply = this.replies.get(replyTo);
    if (reply === undefined) throw new ConsensusViolation(`request ${replyTo} is answered twice`);
    this.replies.delete(replyTo);
    const { to, requestId } = reply;
    const text = 'refused' in answer ? `refuses: ${answer.refused}` : answer.kind;
    this.note(`${from.node.id} answers ${to.node.id} #${requestId} ${text}`);
    this.network.carry(from.node.id, to.node.id, () => {
      if ('refused' in answer) {
        to.settle(requestId, { kind: 'requestFailed', requestId, cause: 'refused', reason: answer.refused });
      } else {
        to.settle(requestId, { kind: 'response', requestId, response: answer });
      }
    });
  }

  probe(from: CoordinatorProcess, host: string | null): void {
    for (const machine of this.machines.values()) {
      if (machine.id === from.node.id || (host !== null && host !== `host-${machine.id}`)) continue;
      const there = this.network.carry(from.node.id, machine.id, () => {
        const target = machine.process;
        if (target === null) {
          from.feed({ kind: 'probeFailed', address: `host-${machine.id}:9300`, reason: 'refused' });
          return;
        }
        this.network.carry(machine.id, from.node.id, () => from.feed({ kind: 'peerFound', node: target.node }));
      });
      if (there !== 'delivered') {
        this.time.after(3_000, () =>
          from.feed({ kind: 'probeFailed', address: `host-${machine.id}:9300`, reason: 'timeout' }),
        );
      }
    }
  }

  persistMs(): number {
    const { persistMaxMs, slowPersist } = this.faults;
    return this.random.unit() * persistMaxMs * (this.random.chance(slowPersist) ? 100 : 1);
  }

  persisted(process: CoordinatorProcess, durable: DurableState<SimValue>): void {
    const machine = this.machine(process.node.id);
    machine.disk = durable;
    const { accepted } = durable;
    const holders = this.holders.get(accepted.stateUuid) ?? new Set();
    this.holders.set(accepted.stateUuid, holders.add(machine.id));
    this.checker.acceptedBy(machine.id, accepted);
  }

  applyMs(): number {
    return this.random.unit() * this.faults.applyMaxMs;
  }

  completed(process: CoordinatorProcess, ticket: number, result: ProposalResult): void {
    const name = this.proposalsOpen.get(`${process.node.ephemeralId}/${ticket}`);
    if (name === undefined)
      throw new ConsensusViolation(`proposal ${ticket} of ${process.node.ephemeralId} ended twice`);
    this.proposalsOpen.delete(`${process.node.ephemeralId}/${ticket}`);
    this.results.set(name, result);
    this.note(`${process.node.id} completes ${name} ${result.kind}`);
  }

  observe(process: CoordinatorProcess, effect: Effect): void {
    const { id } = process.node;
    if (effect.kind === 'send' && effect.request.kind === 'publish') this.published(process, effect.request.state);
    else if (effect.kind === 'persist' && effect.what === 'accepted') this.published(process, effect.durable.accepted);
    else if (effect.kind === 'send' && effect.request.kind === 'applyCommit') this.committed(effect.request);
    else if (effect.kind === 'apply' && effect.manager !== null) {
      this.committed(effect.state);
      const last = process.applied?.state;
      const goesBack =
        last !== undefined &&
        (effect.state.term < last.term || (effect.state.term === last.term && effect.state.version < last.version));
      if (goesBack) throw new ConsensusViolation(`${id} goes back to ${effect.state.term}/${effect.state.version}`);
      this.note(`${id} applies ${effect.state.term}/${effect.state.version}`);
    } else if (effect.kind === 'modeChanged') this.note(`${id} is ${effect.mode} in term ${effect.term}`);
    else if (effect.kind === 'log' && effect.level !== 'debug') {
      this.note(`${id} ${effect.message} ${JSON.stringify(effect.fields)}`);
    }
  }

  afterEvent(process: CoordinatorProcess, event: CoordinatorEvent<SimValue>): void {
    this.eventCount += 1;
    const { mode } = process.core;
    if (mode === 'leader') this.checker.elected(process.node.id, process.core.snapshot().term);
    if (event.kind === 'timer') this.note(`${process.node.id} timer ${event.id}`);
  }

  private published(process: CoordinatorProcess, state: DurableState<SimValue>['accepted']): void {
    // Only the leader that made a state sees it first; everybody else persists what is known by then.
    if (state.term === 0 || this.checker.isKnown(state)) return;
    const { id } = process.node;
    const parent = process.acceptedInMemory;
    // Only this node would hold it, and its voters could then elect nobody: a cluster got stuck in that way once.
    const isOutsider = parent.value.excluded.has(id) && !parent.committedConfig.includes(id);
    if (isOutsider && parent.committedConfig.some((voter) => parent.value.nodes.has(voter))) {
      throw new ConsensusViolation(`${id} publishes ${state.term}/${state.version} though excluded and no voter`);
    }
    this.checker.proposed(id, parent, state);
  }

  private committed(state: { readonly term: number; readonly version: number }): void {
    const stateUuid = this.checker.stateUuidOf(state);
    this.checker.committed(state.term, state.version, this.holders.get(stateUuid) ?? new Set());
  }

  private machine(id: NodeId): Machine {
    const machine = this.machines.get(id);
    if (machine === undefined) throw new Error(`no machine ${id}`);
    return machine;
  }
}

/** All eligible, bootstrapped from the list of their names. */
export function clusterOf(
  count: number,
  seed: string,
  settings: Partial<CoordinationSettings> = {},
): CoordinatorCluster {
  const ids = Array.from({ length: count }, (_, index) => `n${index + 1}`);
  return new CoordinatorCluster({
    seed,
    roles: new Map(ids.map((id) => [id, ['cluster_manager', 'data'] as const])),
    bootstrap: { kind: 'initialNodes', names: ids },
    settings,
    rules: ALL_RULES,
  });
}

/** The leader that all live processes follow in one applied state with all of them in it; null while there is none. */
export function agreedLeader(cluster: CoordinatorCluster): CoordinatorProcess | null {
  const { alive } = cluster;
  const leaders = alive.filter((process) => process.core.mode === 'leader');
  const [leader] = leaders;
  if (leader === undefined || leaders.length > 1 || leader.applied === null) return null;
  const { state } = leader.applied;
  const members: ReadonlyMap<NodeId, DiscoveryNode> = state.value.nodes;
  const agreed =
    members.size === alive.length &&
    alive.every(
      (process) =>
        members.get(process.node.id)?.ephemeralId === process.node.ephemeralId &&
        process.applied?.state.stateUuid === state.stateUuid &&
        process.applied.manager?.id === leader.node.id,
    );
  return agreed ? leader : null;
}
