/**
 * Kept states of a simulated cluster: the disks of all its nodes at one instant of the world, in which no node is ahead of another.
 *
 * A node that starts on such a disk finds what a process finds that was killed: nothing that was acknowledged is missing. All nodes start
 * on theirs together, or one of them could tell the others of a term that they have not lived yet.
 */
import type { SavedDisk } from '@shoal/simulation';
import type { Snapshot } from '../values/snapshot.ts';
import type { NodeSurroundings, RunningNode } from './cluster-node.ts';
import { isWhole, startedShards } from './whole-cluster.ts';

interface SavedCluster {
  readonly disks: readonly SavedDisk[];
  /** Shards that could be searched. */
  readonly started: readonly string[];
}

/** Lets time pass until a condition holds. */
type Wait = (condition: () => boolean) => Promise<void>;

export class ClusterStates {
  readonly #around: NodeSurroundings;
  readonly #nodes: readonly RunningNode[];
  readonly #now: () => number;
  readonly #saved = new WeakMap<Snapshot, SavedCluster>();

  constructor(around: NodeSurroundings, nodes: readonly RunningNode[], now: () => number) {
    this.#around = around;
    this.#nodes = nodes;
    this.#now = now;
  }

  /** @throws Error when a node is dead, or one does not see all others */
  save(): Snapshot {
    const clusters = this.#nodes.map(({ name, program }) => {
      if (program === null) throw new Error(`a snapshot is one of all nodes, and [${name}] is dead`);
      if (!isWhole(program.cluster, this.#nodes.length))
        throw new Error(`a snapshot is one of all nodes together, and [${name}] does not see every other`);
      return program.cluster;
    });
    const [first] = clusters;
    if (first === undefined) throw new Error('a cluster has a node');
    const snapshot: Snapshot = { takenAt: this.#now(), indices: [...first.state().metadata.indices.keys()].sort() };
    this.#saved.set(snapshot, {
      disks: this.#nodes.map((node) => node.saveDisk()),
      started: startedShards(first),
    });
    return snapshot;
  }

  async returnTo(snapshot: Snapshot, wait: Wait): Promise<void> {
    const saved = this.#saved.get(snapshot);
    if (saved === undefined) throw new Error('the snapshot is one of another cluster');
    this.#around.world.heal();
    for (const node of this.#nodes) node.kill({});
    for (const [position, disk] of saved.disks.entries()) this.#nodes[position]?.startFrom(disk);
    await wait(() => this.#nodes.every((node) => this.#isBack(node, saved)));
  }

  #isBack({ program }: RunningNode, { started }: SavedCluster): boolean {
    if (program === null || !isWhole(program.cluster, this.#nodes.length)) return false;
    const now = new Set(startedShards(program.cluster));
    return started.every((shard) => now.has(shard));
  }
}
