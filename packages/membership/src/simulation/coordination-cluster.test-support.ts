/**
 * A cluster whose nodes run the coordination of the product on a simulated network and simulated disks, with clients and
 * with the checker of the consensus, which looks at every state that is made, written or brought into force.
 */
import { emptyClusterState, headerOf } from '@shoal/cluster';
import type { ClusterState, NodeRole } from '@shoal/cluster-state';
import {
  type BootstrapPlan,
  type CoordinationSettings,
  DEFAULT_COORDINATION_SETTINGS,
  type DurableState,
  initialDurableState,
  type ProposalResult,
} from '@shoal/consensus';
import { DiskError } from '@shoal/runtime';
import { createWorld, type SeededRandom, type SimulatedWorld } from '@shoal/simulation';
import {
  ConsensusChecker,
  ConsensusViolation,
} from '../../../consensus/src/simulation/consensus-checker.test-support.ts';
import type { CoordinationDiagnosis } from '../service/cluster-service.ts';
import { CLUSTER_NAME, CoordinationProcess, type ProcessWatcher } from './coordination-process.test-support.ts';

const WRITE_PREFIX = 'simulated.';

export interface ClusterFaults {
  readonly applyMaxMs: number;
  /** Probability that a killed process' connections are seen to close, rather than to fall silent. */
  readonly deathIsSeen: number;
  /** A blocked direction also resets the connections, rather than to swallow silently. */
  readonly cutsReset: boolean;
}

export const NO_CLUSTER_FAULTS: ClusterFaults = { applyMaxMs: 5, deathIsSeen: 1, cutsReset: false };

export interface ClusterOptions {
  readonly seed: string;
  readonly roles: ReadonlyMap<string, readonly NodeRole[]>;
  readonly bootstrap: BootstrapPlan;
  readonly settings: Partial<CoordinationSettings>;
}

interface Machine {
  readonly roles: readonly NodeRole[];
  process: CoordinationProcess | null;
  processCount: number;
}

export class CoordinationCluster implements ProcessWatcher {
  readonly world: SimulatedWorld;
  readonly random: SeededRandom;
  readonly checker: ConsensusChecker = new ConsensusChecker();
  /** By the name of a proposal; null while it is open or its process died. */
  readonly results = new Map<string, ProposalResult | null>();
  faults: ClusterFaults = NO_CLUSTER_FAULTS;
  /** Processes that were to stop and did, since their disk failed. */
  stoppedCount = 0;
  readonly #options: ClusterOptions;
  readonly #machines = new Map<string, Machine>();
  readonly #holders = new Map<string, Set<string>>();
  readonly #violations: unknown[] = [];
  #lastProposal = 0;

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.world = createWorld({ seed: options.seed });
    this.random = this.world.random.fork('cluster');
    for (const [id, roles] of options.roles) this.#machines.set(id, { roles, process: null, processCount: 0 });
    this.world.onEveryEvent(() => {
      const [violation] = this.#violations;
      if (violation !== undefined) throw violation;
    });
  }

  get ids(): readonly string[] {
    return [...this.#machines.keys()];
  }

  get alive(): readonly CoordinationProcess[] {
    return [...this.#machines.values()].flatMap(({ process }) => (process === null ? [] : [process]));
  }

  process(id: string): CoordinationProcess | null {
    return this.#machine(id).process;
  }

  /** Starts a node that does not run. */
  start(id: string): void {
    const machine = this.#machine(id);
    const node = this.world.node(id);
    if (machine.processCount > 0 && node.isAlive) return;
    machine.processCount += 1;
    const runtime = machine.processCount === 1 ? node.runtime : node.restart();
    const options = {
      id,
      processCount: machine.processCount,
      roles: machine.roles,
      bootstrap: this.#options.bootstrap,
      seedHosts: this.ids,
      settings: { ...DEFAULT_COORDINATION_SETTINGS, ...this.#options.settings },
      empty: initialDurableState(emptyClusterState(CLUSTER_NAME)),
    };
    CoordinationProcess.start(runtime, this, options).then(
      (process) => {
        machine.process = process;
      },
      (error: unknown) => this.#failed(id, error),
    );
  }

  /** Kills the process; what was not durable is gone. */
  crash(id: string): void {
    const node = this.world.node(id);
    if (!node.isAlive) return;
    this.#machine(id).process = null;
    node.crash({ silent: !this.random.chance(this.faults.deathIsSeen) });
  }

  /** Nothing passes from one to the other any more. */
  cut(from: string, to: string): void {
    this.world.block(from, to);
    if (this.faults.cutsReset) this.world.resetConnections(from, to);
  }

  /** A client's write on this node. Its name in `results` tells how it went. */
  write(process: CoordinationProcess): string {
    const name = `w${++this.#lastProposal}`;
    this.propose(process, name, (state) => {
      const persistentSettings = { ...state.metadata.persistentSettings, [`${WRITE_PREFIX}${name}`]: '1' };
      return { ...state, metadata: { ...state.metadata, persistentSettings } };
    });
    return name;
  }

  propose(process: CoordinationProcess, name: string, update: (state: ClusterState) => ClusterState): void {
    this.results.set(name, null);
    void process.propose(name, update).then((result) => this.results.set(name, result));
  }

  exclude(process: CoordinationProcess, ids: readonly string[]): void {
    const votingConfigExclusions = ids.map((id) => ({ nodeId: id, nodeName: id }));
    this.propose(process, `exclusions ${++this.#lastProposal}`, (state) => {
      const coordination = { ...state.metadata.coordination, votingConfigExclusions };
      return { ...state, metadata: { ...state.metadata, coordination } };
    });
  }

  /** Runs `fn` after some time, whatever happens to the nodes. */
  after(ms: number, fn: () => void): void {
    this.world.node('nemesis').runtime.sched.after(ms, fn);
  }

  /** Runs until the predicate holds or the time is over; says which. */
  async run(untilMs: number, predicate: () => boolean = () => false): Promise<boolean> {
    // The world jumps to the next event; this one makes it stop in time.
    this.after(Math.max(0, untilMs - this.world.nowMs), () => undefined);
    await this.world.run(() => predicate() || this.world.nowMs >= untilMs);
    return predicate();
  }

  applyMs(): number {
    return this.random.unit() * this.faults.applyMaxMs;
  }

  saving(process: CoordinationProcess, before: ClusterState, durable: DurableState<ClusterState>): void {
    const { accepted } = durable;
    // Only the leader that made a state writes it first; everybody else writes what is known by then.
    if (accepted.term === 0 || this.checker.isKnown(accepted)) return;
    this.#check(() => {
      const { id } = process;
      const parent = { ...headerOf(before), value: before };
      // Only this node would hold it, and its voters could then elect nobody: a cluster got stuck in that way once.
      const isExcluded = before.metadata.coordination.votingConfigExclusions.some(({ nodeId }) => nodeId === id);
      const isOutsider = isExcluded && !parent.committedConfig.includes(id);
      if (isOutsider && parent.committedConfig.some((voter) => before.nodes.has(voter))) {
        throw new ConsensusViolation(`${id} publishes ${accepted.term}/${accepted.version} though excluded, no voter`);
      }
      this.checker.proposed(id, parent, accepted);
    });
  }

  saved(process: CoordinationProcess, { accepted }: DurableState<ClusterState>): void {
    this.#holders.set(accepted.stateUuid, (this.#holders.get(accepted.stateUuid) ?? new Set()).add(process.id));
    this.#check(() => this.checker.acceptedBy(process.id, accepted));
  }

  committed(process: CoordinationProcess, state: ClusterState): void {
    this.#check(() => {
      const last = process.applied;
      const goesBack =
        last !== null && (state.term < last.term || (state.term === last.term && state.version < last.version));
      if (goesBack) throw new ConsensusViolation(`${process.id} goes back to ${state.term}/${state.version}`);
      if (this.checker.stateUuidOf(state) !== state.stateUuid) {
        throw new ConsensusViolation(`${process.id} applies ${state.stateUuid}, which nobody published`);
      }
      this.checker.committed(state.term, state.version, this.#holders.get(state.stateUuid) ?? new Set());
    });
  }

  modeChanged(process: CoordinationProcess, mode: CoordinationDiagnosis['mode']): void {
    if (mode === 'leader') this.#check(() => this.checker.elected(process.id, process.diagnose().term));
  }

  fatal(process: CoordinationProcess, error: unknown): void {
    this.#failed(process.id, error);
  }

  /** The owner of a process ends it when its disk fails under the log; anything else that is fatal is our bug. */
  #failed(id: string, error: unknown): void {
    if (!(error instanceof DiskError)) {
      this.#violations.push(error);
      return;
    }
    this.stoppedCount += 1;
    // In a later event: this one still runs in the process that ends.
    this.after(0, () => this.crash(id));
  }

  /** A violation fails the run, not the process that happened to be watched. */
  #check(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#violations.push(error);
    }
  }

  #machine(id: string): Machine {
    const machine = this.#machines.get(id);
    if (machine === undefined) throw new Error(`no machine ${id}`);
    return machine;
  }
}

/** Names of the writes that a state shows. */
export function writesIn(state: ClusterState): ReadonlySet<string> {
  const names = Object.keys(state.metadata.persistentSettings).filter((key) => key.startsWith(WRITE_PREFIX));
  return new Set(names.map((name) => name.slice(WRITE_PREFIX.length)));
}

/** All eligible, bootstrapped from the list of their names. */
export function clusterOf(
  count: number,
  seed: string,
  settings: Partial<CoordinationSettings> = {},
): CoordinationCluster {
  const ids = Array.from({ length: count }, (_, index) => `n${index + 1}`);
  return new CoordinationCluster({
    seed,
    roles: new Map(ids.map((id) => [id, ['cluster_manager', 'data'] as const])),
    bootstrap: { kind: 'initialNodes', names: ids },
    settings,
  });
}

/** The leader that all live processes follow in one applied state with all of them in it; null while there is none. */
export function agreedLeader(cluster: CoordinationCluster): CoordinationProcess | null {
  const { alive } = cluster;
  const leaders = alive.filter((process) => process.isLeader);
  const [leader] = leaders;
  if (leader === undefined || leaders.length > 1 || leader.applied === null) return null;
  const { nodes, stateUuid } = leader.applied;
  const agreed =
    nodes.size === alive.length &&
    alive.every(
      ({ node, applied }) =>
        nodes.get(node.id)?.ephemeralId === node.ephemeralId &&
        applied?.stateUuid === stateUuid &&
        applied.clusterManagerId === leader.id,
    );
  return agreed ? leader : null;
}
