/**
 * Whole nodes under random cuts, crashes, pauses and resets, with indices made and deleted and copies moved meanwhile. In the end all is
 * healed: every node has the same state, all copies of all shards are started, and nothing that was acknowledged is missing.
 */
import { expect, test } from 'vitest';
import { seedsToRun, settleUnderSeed } from '../../../simulation/src/simulation-seeds.ts';
import { emptyIndex, TIMEOUTS } from '../start/cluster-nodes.test-support.ts';
import { ClusterWorld } from './cluster-world.test-support.ts';

const ROUNDS = 12;
const ROUND_MS_MAX = 20_000;
const PAUSE_MS_MAX = 40_000;
/** Checks, pauses and lags that began before the end have ended by then. */
const SETTLE_MS = 120_000;

class Chaos {
  readonly cluster: ClusterWorld;
  readonly acknowledged = new Set<string>();
  readonly deleted = new Set<string>();
  moves = 0;
  readonly #dead = new Set<string>();
  readonly #below: (n: number) => number;

  constructor(seed: number | string) {
    this.cluster = new ClusterWorld(`chaos-${seed}`, 3);
    const random = this.cluster.world.random.fork('chaos');
    this.#below = (n) => random.below(n);
    this.cluster.world.setNetworkFaults({ latencyMaxMs: 1 + this.#below(30), spikes: this.#below(2) * 0.02 });
  }

  async run(): Promise<void> {
    const { world } = this.cluster;
    await this.cluster.startAll();
    await this.cluster.until(this.cluster.isWhole, 60_000);
    for (let round = 0; round < ROUNDS; round++) {
      this.#change(`i${round}`);
      await this.#disturb();
      await world.run(world.nowMs + this.#below(ROUND_MS_MAX));
      expect(this.cluster.fatal).toEqual([]);
    }
    world.heal();
    for (const name of this.#dead) await this.cluster.restart(name);
    await world.run(world.nowMs + SETTLE_MS);
    await this.cluster.until(this.cluster.isWhole, 60_000);
    await world.run(world.nowMs + 5_000);
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T;
  }

  #change(index: string): void {
    const admin = this.#pick([...this.cluster.services.values()]).admin;
    const settings = { number_of_shards: 1 + this.#below(3), number_of_replicas: this.#below(3) };
    const request = { ...emptyIndex(index, 1), settings, waitForActiveShards: 0 };
    admin.createIndex(request).then(({ acknowledged }) => {
      if (acknowledged) this.acknowledged.add(index);
    }, unknownResult);
    this.#move();
    if (this.#below(4) !== 0 || this.acknowledged.size === 0) return;
    const old = this.#pick([...this.acknowledged]);
    this.deleted.add(old);
    admin.deleteIndices({ ...TIMEOUTS, indices: [old] }).catch(unknownResult);
  }

  /** Any copy to any node, as one of the nodes sees them; the cluster manager refuses what cannot be. */
  #move(): void {
    const service = this.#pick([...this.cluster.services.values()]);
    const state = service.state();
    const started = [...state.routing.indices.values()].flat(2).filter((copy) => copy.state === 'STARTED');
    const to = this.#pick([...state.nodes.keys()]);
    if (started.length === 0) return;
    const { index, shard, nodeId } = this.#pick(started);
    const command = { kind: 'move', index, shard, fromNode: nodeId ?? '', toNode: to } as const;
    const request = { ...TIMEOUTS, retryFailed: false, isDryRun: false, isExplained: false, commands: [command] };
    service.admin.reroute(request).then(() => {
      this.moves += 1;
    }, unknownResult);
  }

  async #disturb(): Promise<void> {
    const { cluster } = this;
    const { world, names } = cluster;
    const running = [...cluster.services.keys()];
    switch (this.#below(7)) {
      case 0: {
        const cut = 1 + this.#below(names.length - 1);
        return world.partition(names.slice(0, cut), names.slice(cut));
      }
      case 1:
        return world.block(this.#pick(names), this.#pick(names));
      case 2:
        return world.heal();
      case 3: {
        if (running.length === 1) return;
        const victim = this.#pick(running);
        cluster.crash(victim, this.#below(2) === 0);
        this.#dead.add(victim);
        return;
      }
      case 4: {
        const [back] = this.#dead;
        if (back === undefined) return;
        this.#dead.delete(back);
        return cluster.restart(back);
      }
      case 5:
        return world.node(this.#pick(running)).pause(this.#below(PAUSE_MS_MAX));
      default:
        return world.resetConnections(this.#pick(names), this.#pick(names));
    }
  }
}

test('whatever the network and the machines do, acknowledged changes stay and all nodes agree in the end', async () => {
  let [total, moves] = [0, 0];
  const seeds = seedsToRun(8);
  for (const seed of seeds) {
    const chaos = new Chaos(seed);
    await settleUnderSeed(seed, () => chaos.run());
    total += chaos.acknowledged.size;
    moves += chaos.moves;
    const states = chaos.cluster.names.map((name) => chaos.cluster.state(name));
    const [first] = states;
    for (const state of states) {
      expect(state, `SEED=${seed}`).toEqual(first);
      for (const index of chaos.acknowledged) {
        if (chaos.deleted.has(index)) continue;
        expect(state.metadata.indices.has(index), `SEED=${seed}: ${index} is missing`).toBe(true);
      }
    }
  }
  // One seed alone may be all bad luck; several without any success would test nothing.
  if (seeds.length > 1) expect(Math.min(total, moves)).toBeGreaterThan(0);
}, 600_000);

/** The answer was lost, or it was an error: the change may have happened or not. */
function unknownResult(): void {}
