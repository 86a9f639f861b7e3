/**
 * Makes the plan of a failing life smaller for as long as it fails: whole classes of faults go first, then time, clients, documents and
 * nodes, and last single faults by delta debugging (Zeller & Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
 *
 * Random streams are forked by label, so that what is left mostly goes the way it went.
 */
import type { Fault, LifePlan, PlannedFault, Victim } from './life-plan.test-support.ts';

/** Lives that are lived to shrink one plan. */
const TRIES_MAX = 150;
const NODES_MIN = 3;
const FAULTS_MS_MIN = 10_000;

export type Fails = (plan: LifePlan) => Promise<boolean>;

export async function shrunkPlan(plan: LifePlan, fails: Fails): Promise<LifePlan> {
  const search = new Search(plan, fails);
  for (let before: LifePlan | null = null; before !== search.plan && search.triesLeft > 0; ) {
    before = search.plan;
    await search.dropClasses();
    await search.halveTime();
    await search.lessen();
    await search.dropFaults();
  }
  return search.plan;
}

class Search {
  plan: LifePlan;
  triesLeft = TRIES_MAX;
  readonly #fails: Fails;

  constructor(plan: LifePlan, fails: Fails) {
    this.plan = plan;
    this.#fails = fails;
  }

  async dropClasses(): Promise<void> {
    for (const kind of new Set(this.plan.faults.map(({ fault }) => fault.kind))) {
      await this.#try({ ...this.plan, faults: this.plan.faults.filter(({ fault }) => fault.kind !== kind) });
    }
  }

  async halveTime(): Promise<void> {
    while (this.plan.faultsMs > FAULTS_MS_MIN) {
      const faultsMs = Math.round(this.plan.faultsMs / 2);
      const faults = this.plan.faults.filter(({ atMs }) => atMs < faultsMs);
      const cut = faults.map((fault) => ({ ...fault, lastsMs: Math.min(fault.lastsMs, faultsMs - fault.atMs) }));
      if (!(await this.#try({ ...this.plan, faultsMs, faults: cut }))) return;
    }
  }

  /** Fewer of everything, one at a time. */
  async lessen(): Promise<void> {
    while (this.plan.clients > 1 && (await this.#try({ ...this.plan, clients: this.plan.clients - 1 })));
    while (this.plan.documents > 1 && (await this.#try({ ...this.plan, documents: this.plan.documents >> 1 })));
    while (this.plan.indices.length > 1 && (await this.#try(withoutLastIndex(this.plan))));
    while (this.plan.nodes > NODES_MIN && (await this.#try(withoutLastNode(this.plan))));
    await this.#try({ ...this.plan, indices: this.plan.indices.map((index) => ({ ...index, shards: 1 })) });
    for (const kind of Object.keys(this.plan.mix) as (keyof LifePlan['mix'])[]) {
      if (this.plan.mix[kind] > 0 && kind !== 'index') {
        await this.#try({ ...this.plan, mix: { ...this.plan.mix, [kind]: 0 } });
      }
    }
  }

  /** Takes out ever smaller parts of the list. */
  async dropFaults(): Promise<void> {
    for (let size = Math.ceil(this.plan.faults.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < this.plan.faults.length; ) {
        const faults = [...this.plan.faults.slice(0, at), ...this.plan.faults.slice(at + size)];
        if (!(await this.#try({ ...this.plan, faults }))) at += size;
      }
    }
  }

  async #try(smaller: LifePlan): Promise<boolean> {
    if (this.triesLeft === 0 || JSON.stringify(smaller) === JSON.stringify(this.plan)) return false;
    this.triesLeft -= 1;
    if (!(await this.#fails(smaller))) return false;
    this.plan = smaller;
    return true;
  }
}

function withoutLastIndex(plan: LifePlan): LifePlan {
  const indices = plan.indices.slice(0, -1);
  const stays = ({ fault }: PlannedFault): boolean =>
    !(fault.kind === 'replicaCount' || fault.kind === 'closedIndex') || fault.index < indices.length;
  return { ...plan, indices, faults: plan.faults.filter(stays) };
}

function withoutLastNode(plan: LifePlan): LifePlan {
  const nodes = plan.nodes - 1;
  return { ...plan, nodes, faults: plan.faults.filter(({ fault }) => victimsOf(fault).every((at) => at !== nodes)) };
}

/** Every node that a fault names. */
function victimsOf(fault: Fault): readonly Victim[] {
  switch (fault.kind) {
    case 'halves':
      return fault.left;
    case 'crash':
      return fault.nodes;
    case 'oneWay':
    case 'reset':
      return [fault.from, fault.to];
    case 'ring':
    case 'spikes':
    case 'replicaCount':
    case 'closedIndex':
    case 'copyCut':
    case 'promotedCrash':
    case 'move':
      return [];
    default:
      return [fault.node];
  }
}
