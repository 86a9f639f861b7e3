/**
 * Does to a simulated cluster what a plan says, each fault at its time, and takes it back when it is over.
 */
import type { DiskFaults } from '@shoal/simulation';
import type { CopyVictim, Fault, FaultKind, LifePlan, PlannedFault, Victim } from './life-plan.test-support.ts';
import type { Question, WholeWorld } from './whole-world.test-support.ts';

/** Settings of a disk that does what it is asked. */
const SOUND: Partial<DiskFaults> = { readErrors: 0, writeErrors: 0, syncErrors: 0, capacityBytes: 2 ** 40 };
const ADMIN_TIMEOUT_MS = 30_000;
/** Between two looks for a new primary. */
const LOOK_EVERY_MS = 5;

/** Faults that fall while clients write much. */
const UNDER_LOAD: ReadonlySet<FaultKind> = new Set(['promotedCrash', 'move', 'crash', 'copyCut', 'closedIndex']);
const BURST_BEFORE_MS = 300;
const BURSTS_MAX = 12;

type End = () => void;
type CutKind = 'halves' | 'isolated' | 'ring' | 'bridge' | 'oneWay' | 'managerCut' | 'copyCut';
type Cut = readonly (readonly [from: string, to: string])[];

export class Nemesis {
  /** Faults that were begun, by class. */
  readonly counts = new Map<FaultKind, number>();
  readonly #around: WholeWorld;
  readonly #plan: LifePlan;
  readonly #burst: () => void;
  /** Cuts that are in force. */
  readonly #cuts = new Set<Cut>();
  readonly #ends = new Set<End>();

  /** @param burst makes clients write much in a short time */
  constructor(around: WholeWorld, plan: LifePlan, burst: () => void) {
    this.#around = around;
    this.#plan = plan;
    this.#burst = burst;
  }

  run(): void {
    for (const planned of this.#plan.faults) this.#around.after(planned.atMs, () => this.#begin(planned));
    if (!this.#plan.bursts) return;
    const strokes = this.#plan.faults.filter(({ fault }) => UNDER_LOAD.has(fault.kind)).slice(0, BURSTS_MAX);
    for (const { atMs } of strokes) this.#around.after(Math.max(0, atMs - BURST_BEFORE_MS), this.#burst);
  }

  /** Takes back every fault, and starts every node. */
  heal(): void {
    const { world, names } = this.#around;
    for (const end of [...this.#ends]) end();
    this.#cuts.clear();
    world.heal();
    world.setNetworkFaults({ latencyMaxMs: 1, spikes: 0 });
    for (const name of names) {
      world.node(name).setDiskFaults({ ...SOUND, latencyMaxMs: 0.2 });
      world.node(name).setWorkTimes({ betweenReadingsMaxMs: 0.1, stalls: 0 });
      this.#around.start(name);
    }
  }

  #begin({ fault, lastsMs }: PlannedFault): void {
    this.counts.set(fault.kind, (this.counts.get(fault.kind) ?? 0) + 1);
    this.#around.log.info('fault', { ...fault, lastsMs });
    const undo = this.#inflict(fault, lastsMs);
    if (undo === null) return;
    const end = (): void => {
      if (!this.#ends.delete(end)) return;
      this.#around.log.info('fault ends', { ...fault });
      undo();
    };
    this.#ends.add(end);
    this.#around.after(lastsMs, end);
  }

  /** @returns what ends the fault; null when it ends by itself */
  #inflict(fault: Fault, lastsMs: number): End | null {
    const { world, names } = this.#around;
    switch (fault.kind) {
      case 'reset':
        world.resetConnections(names[fault.from] ?? '', names[fault.to] ?? '');
        return null;
      case 'spikes':
        world.setNetworkFaults({ spikes: fault.chance, spikeMs: fault.spikeMs });
        return () => world.setNetworkFaults(this.#plan.network);
      case 'crash':
        return this.#crash(
          fault.nodes.map((node) => this.#around.nameOf(node)),
          fault.silent,
        );
      case 'pause':
        world.node(this.#around.nameOf(fault.node)).pause(lastsMs);
        return null;
      case 'slowDisk':
        return this.#disk(
          fault.node,
          { latencyMaxMs: fault.latencyMaxMs },
          { latencyMaxMs: this.#plan.diskLatencyMaxMs },
        );
      case 'failingSyncs':
        return this.#disk(fault.node, { syncErrors: fault.chance });
      case 'failingWrites':
        return this.#disk(fault.node, { writeErrors: fault.chance });
      case 'failingReads':
        return this.#disk(fault.node, { readErrors: fault.chance });
      case 'fullDisk':
        return this.#fillDisk(fault.node, fault.bytesLeft);
      case 'wallClock':
        world.node(names[fault.node] ?? '').jumpWallClock(fault.jumpMs);
        return null;
      case 'rollingRestart':
        return this.#restart(names[fault.node] ?? '');
      case 'promotedCrash':
        return this.#crashPromoted(fault);
      case 'move':
        this.#move(fault.copy);
        return null;
      case 'replicaCount':
        this.#changeReplicas(fault.index, fault.replicas);
        return null;
      case 'closedIndex':
        return this.#close(fault.index);
      default:
        return this.#cut(this.#directions(fault));
    }
  }

  #crash(victims: readonly string[], silent: boolean): End {
    for (const name of victims) this.#around.crash(name, silent);
    return () => {
      for (const name of victims) this.#around.start(name);
    };
  }

  /** The second stroke falls while the new primary brings the other copies up to what it has. */
  #crashPromoted(fault: Extract<Fault, { kind: 'promotedCrash' }>): End {
    const around = this.#around;
    const victim = { ...fault, copy: 'primary' } as const;
    const first = around.nameOf(victim);
    const undo = [this.#crash([first], fault.silent)];
    let isOver = false;
    const look = (): void => {
      if (isOver) return;
      const next = around.nodesOf(victim).find((name) => name !== first && around.leads(name, victim));
      if (next === undefined) around.after(LOOK_EVERY_MS, look);
      else around.after(fault.delayMs, () => isOver || undo.push(this.#crash([next], fault.silent)));
    };
    look();
    return () => {
      isOver = true;
      for (const end of undo) end();
    };
  }

  #move(copy: CopyVictim): void {
    const around = this.#around;
    const from = around.nodesOf(copy);
    const to = around.names.find((name) => !around.nodesOf({ ...copy, copy: 'any' }).includes(name));
    if (from[0] === undefined || to === undefined) return;
    const { index, shard } = around.shardAt(copy);
    const body = { commands: [{ move: { index, shard, from_node: from[0], to_node: to } }] };
    this.#administer({ method: 'POST', target: '/_cluster/reroute', body });
  }

  #restart(name: string): End {
    this.#around.own(this.#around.close(name));
    return () => {
      // One whose end takes longer than that is killed.
      this.#around.crash(name, false);
      this.#around.start(name);
    };
  }

  #disk(node: Victim, faults: Partial<DiskFaults>, after: Partial<DiskFaults> = SOUND): End {
    const machine = this.#around.machine(this.#around.nameOf(node));
    machine.setDiskFaults(faults);
    return () => machine.setDiskFaults(after);
  }

  #fillDisk(victim: Victim, bytesLeft: number): End {
    const node = this.#around.names.indexOf(this.#around.nameOf(victim));
    const machine = this.#around.machine(this.#around.nameOf(node));
    return this.#disk(node, { capacityBytes: machine.diskUsedBytes + bytesLeft });
  }

  #changeReplicas(at: number, replicas: number): void {
    const body = { index: { number_of_replicas: replicas } };
    this.#administer({ method: 'PUT', target: `/${this.#nameOf(at)}/_settings`, body });
  }

  #close(at: number): End {
    this.#administer({ method: 'POST', target: `/${this.#nameOf(at)}/_close` });
    return () => this.#administer({ method: 'POST', target: `/${this.#nameOf(at)}/_open` });
  }

  #nameOf(at: number): string {
    return this.#plan.indices[at]?.name ?? '';
  }

  /** Whoever runs the cluster asks any node that is up, and does not look what becomes of it. */
  #administer(question: Question): void {
    const [node = this.#around.names[0] ?? ''] = this.#around.programs.keys();
    this.#around.own(this.#around.ask(node, question, ADMIN_TIMEOUT_MS));
  }

  #cut(cut: Cut): End {
    this.#cuts.add(cut);
    this.#apply();
    return () => {
      this.#cuts.delete(cut);
      this.#apply();
    };
  }

  /** Directions that several cuts block stay blocked until the last of them is over. */
  #apply(): void {
    const { world } = this.#around;
    world.heal();
    for (const cut of this.#cuts) for (const [from, to] of cut) world.block(from, to);
  }

  #directions(fault: Extract<Fault, { kind: CutKind }>): Cut {
    const { names } = this.#around;
    const between = (apart: (a: string, b: string) => boolean): Cut =>
      names.flatMap((a) => names.filter((b) => a !== b && apart(a, b)).map((b) => [a, b] as const));
    switch (fault.kind) {
      case 'halves': {
        const left = new Set(fault.left.map((at) => names[at]));
        return between((a, b) => left.has(a) !== left.has(b));
      }
      case 'isolated': {
        const alone = this.#around.nameOf(fault.node);
        return between((a, b) => a === alone || b === alone);
      }
      case 'oneWay':
        return [[this.#around.nameOf(fault.from), names[fault.to] ?? '']];
      case 'managerCut':
        return bothWays([this.#around.nameOf(fault.node)], [this.#around.nameOf('manager')]);
      case 'copyCut': {
        const primary = this.#around.nodesOf({ ...fault, copy: 'primary' });
        return bothWays(primary, this.#around.nodesOf({ ...fault, copy: 'replica' }));
      }
      case 'ring':
        return between((a, b) => {
          const distance = Math.abs(names.indexOf(a) - names.indexOf(b));
          return distance > 1 && distance < names.length - 1;
        });
      default: {
        const bridge = names[fault.node];
        const half = (name: string): boolean => names.indexOf(name) % 2 === 0;
        return between((a, b) => a !== bridge && b !== bridge && half(a) !== half(b));
      }
    }
  }
}

function bothWays(left: readonly string[], right: readonly string[]): Cut {
  return left.flatMap((a) => right.filter((b) => a !== b).flatMap((b) => [[a, b] as const, [b, a] as const]));
}
