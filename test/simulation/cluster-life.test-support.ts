/**
 * A whole life of a cluster from its plan: quiet, then faults, then everything heals, the cluster becomes whole again, and its
 * documents are looked at.
 */
import { closedIndices, FinalLook, isWhole, sightOf } from './copies.test-support.ts';
import { CopyWatch } from './copy-watch.test-support.ts';
import { History } from './history.test-support.ts';
import { type FaultKind, type LifePlan, LONG_CHECK_EVERY_MS } from './life-plan.test-support.ts';
import { Nemesis } from './nemesis.test-support.ts';
import { SimulatedClients } from './simulated-clients.test-support.ts';
import { demand } from './violation.test-support.ts';
import { WholeWorld } from './whole-world.test-support.ts';

const FORM_MS_MAX = 60_000;
const CONVERGE_MS_MAX = 300_000;
/** Longest time of a healed majority without a cluster manager. */
const MANAGER_MS_MAX = 60_000;
/** Three checks of a node time out after so long. */
const LATE_CHECKS_MS = 45_000;
const CHECKS = 3;
const RUN_MS_MAX = 3_600_000;
const PENDING_MS_MAX = 120_000;
/** Copies that are not written to are told the global checkpoint every few seconds. */
const AGREE_MS_MAX = 60_000;
/** Contexts that nobody asked to end are held for five minutes at most. */
const LET_GO_MS_MAX = 420_000;
const LOOK_EVERY_MS = 15_000;
const RETRY_EVERY_MS = 10_000;
const ADMIN_TIMEOUT_MS = 60_000;
/** A client that waits so long hears of a write whose node had its time out. */
const PATIENT_MS_MIN = 60_000;
const LINES_OF_REPORT = 200;

export interface LifeReport {
  readonly simulatedMs: number;
  readonly acknowledged: number;
  readonly unknown: number;
  /** Acknowledged operations that were looked for on copies, each on each. */
  readonly looked: number;
  /** Answers to writes whose clients had gone on. */
  readonly late: number;
  readonly answered: number;
  readonly faults: ReadonlyMap<FaultKind, number>;
  /** Processes that stopped since their disk failed. */
  readonly stopped: number;
  /** Highest primary term of all shards. */
  readonly primaryTerm: number;
  readonly convergedAfterMs: number;
  readonly traceHash: string;
}

/**
 * @param onLogLine given every line that the nodes, the clients and the nemesis log
 * @param history where clients keep what they asked for and were told
 * @throws SimulationViolation when something does not hold that must; any other error is one of the program
 */
export async function liveCluster(
  plan: LifePlan,
  onLogLine?: (line: string) => void,
  history: History = new History(),
): Promise<LifeReport> {
  const life = new ClusterLife(plan, await WholeWorld.create(plan, onLogLine), history);
  return life.run();
}

class ClusterLife {
  readonly #plan: LifePlan;
  readonly #around: WholeWorld;
  readonly #history: History;
  readonly #copies: CopyWatch;
  readonly #clients: SimulatedClients;
  readonly #nemesis: Nemesis;
  /** How much later than in other lives nodes of this one miss each other. */
  readonly #checksLaterMs: number;

  constructor(plan: LifePlan, around: WholeWorld, history: History) {
    this.#plan = plan;
    this.#around = around;
    this.#history = history;
    this.#copies = new CopyWatch(around);
    this.#clients = new SimulatedClients(around, plan, history, this.#copies);
    this.#checksLaterMs = plan.long === undefined ? 0 : CHECKS * LONG_CHECK_EVERY_MS;
    this.#nemesis = new Nemesis(around, plan, () => this.#clients.burst());
  }

  async run(): Promise<LifeReport> {
    const around = this.#around;
    try {
      await this.#form();
      this.#clients.run();
      await around.until(() => false, this.#plan.quietMs);
      this.#nemesis.run();
      // One run has an end to its events: hours of a long life are runs of their own.
      for (let leftMs = this.#plan.faultsMs; leftMs > 0; leftMs -= RUN_MS_MAX) {
        await around.until(() => false, Math.min(leftMs, RUN_MS_MAX));
      }
      const convergedAfterMs = await this.#converge();
      await around.until(() => this.#copies.areAgreed, AGREE_MS_MAX);
      this.#copies.converged();
      this.#checkNothingFailed();
      const look = new FinalLook(around, this.#plan, this.#history);
      await this.#settle(look.check());
      await this.#checkLetGo(look);
      return {
        simulatedMs: around.nowMs,
        acknowledged: this.#history.acknowledgedCount,
        unknown: this.#history.unknownCount,
        looked: this.#copies.histories.checkedCount,
        late: this.#history.lateCount,
        answered: this.#clients.answeredCount,
        faults: this.#nemesis.counts,
        stopped: around.stoppedCount,
        primaryTerm: this.#primaryTerm(),
        convergedAfterMs,
        traceHash: around.world.traceHash,
      };
    } catch (error) {
      if (error instanceof Error) {
        error.message += `\nat ${around.nowMs.toFixed(0)} ms of the life, behind these lines:\n${this.#lastLines()}`;
      }
      throw error;
    } finally {
      this.#copies.end();
      await around.end();
    }
  }

  async #form(): Promise<void> {
    const around = this.#around;
    for (const name of around.names) around.start(name);
    demand(await around.until(() => isWhole(around), FORM_MS_MAX), () => `no cluster forms:\n${sightOf(around)}`);
    for (const { name, shards, replicas } of this.#plan.indices) {
      const body = {
        settings: { number_of_shards: shards, number_of_replicas: replicas },
        mappings: { properties: { value: { type: 'keyword' }, n: { type: 'long' } } },
      };
      const asked = around.ask(around.names[0] ?? '', { method: 'PUT', target: `/${name}`, body }, ADMIN_TIMEOUT_MS);
      const answer = await this.#settle(asked);
      demand(answer.kind === 'answered' && answer.status === 200, () => `create ${name}: ${JSON.stringify(answer)}`);
    }
    demand(await around.until(() => isWhole(around), FORM_MS_MAX), () => `no green indices:\n${sightOf(around)}`);
  }

  /** @returns how long it took after everything healed */
  async #converge(): Promise<number> {
    const around = this.#around;
    const healedMs = around.nowMs;
    this.#clients.isStopped = true;
    this.#nemesis.heal();
    const hasManager = (): boolean =>
      [...around.programs.values()].some(({ cluster }) => cluster.state().clusterManagerId !== null);
    demand(
      await around.until(hasManager, MANAGER_MS_MAX + this.#checksLaterMs),
      () => `no cluster manager after healing:\n${sightOf(around)}`,
    );
    this.#repair(healedMs + CONVERGE_MS_MAX);
    await this.#becomeWhole(healedMs);
    const convergedAfterMs = around.nowMs - healedMs;
    // Checks that began before the healing may still fail, and cost a node its place for a moment.
    await around.until(() => false, LATE_CHECKS_MS + this.#checksLaterMs);
    await this.#becomeWhole(healedMs);
    const over = await around.until(() => this.#clients.openCount === 0, PENDING_MS_MAX);
    demand(over, () => `${this.#clients.openCount} calls are still open`);
    for (const { name } of this.#plan.indices) {
      for (const node of around.names) {
        const isDone = await this.#settle(this.#clients.writeOnce(node, name, 'last'));
        demand(isDone, () => `a write through ${node} to ${name} is not done after healing`);
      }
    }
    return convergedAfterMs;
  }

  async #becomeWhole(healedMs: number): Promise<void> {
    const around = this.#around;
    const isOver = (): boolean => isWhole(around) && closedIndices(around).length === 0;
    const whole = await around.until(isOver, healedMs + CONVERGE_MS_MAX - around.nowMs);
    demand(whole, () => `the cluster does not become whole:\n${sightOf(around)}`);
  }

  /** Copies that are moved and nothing else: whoever asks for a write hears what became of it. */
  #checkNothingFailed(): void {
    const { faults, lateAnswers, patienceMs } = this.#plan;
    if (!lateAnswers || patienceMs < PATIENT_MS_MIN || faults.some(({ fault }) => fault.kind !== 'move')) return;
    const { unknownCount } = this.#history;
    demand(unknownCount === 0, () => `nothing failed, and nobody knows the outcome of ${unknownCount} writes`);
  }

  async #checkLetGo(look: FinalLook): Promise<void> {
    const sinceMs = this.#around.nowMs;
    for (;;) {
      const held = await this.#settle(look.held());
      if (held === '') return;
      demand(this.#around.nowMs - sinceMs < LET_GO_MS_MAX, () => `still held after ${LET_GO_MS_MAX} ms:\n${held}`);
      await this.#around.until(() => false, LOOK_EVERY_MS);
    }
  }

  /**
   * Copies that failed too often wait for whoever runs the cluster to say that their disks are well again; an index that was closed is
   * opened, also where the first answer to that was lost.
   */
  #repair(untilMs: number): void {
    const around = this.#around;
    if (around.nowMs > untilMs) return;
    const [node = around.names[0] ?? ''] = around.programs.keys();
    if (!isWhole(around)) {
      void around.ask(node, { method: 'POST', target: '/_cluster/reroute?retry_failed=true' }, ADMIN_TIMEOUT_MS);
    }
    for (const index of closedIndices(around)) {
      void around.ask(node, { method: 'POST', target: `/${index}/_open` }, ADMIN_TIMEOUT_MS);
    }
    around.after(RETRY_EVERY_MS, () => this.#repair(untilMs));
  }

  #primaryTerm(): number {
    const [program] = this.#around.programs.values();
    const indices = [...(program?.cluster.state().metadata.indices.values() ?? [])];
    return Math.max(0, ...indices.flatMap(({ primaryTerms }) => [...primaryTerms]));
  }

  #settle<T>(work: Promise<T>): Promise<T> {
    return this.#around.world.settle(work);
  }

  #lastLines(): string {
    return this.#around.world.logLines.slice(-LINES_OF_REPORT).join('\n');
  }
}
