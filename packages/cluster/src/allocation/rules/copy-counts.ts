/**
 * Counts of assigned copies and of running recoveries by node in one round of allocation, kept in step while copies are assigned and moved: an
 * allocator that counted anew for each of ten thousand copies would hold the cluster manager for minutes.
 */
import type { ShardRouting } from '@shoal/cluster-state';
import type { FollowedCopies } from '../copies/copy-index.ts';
import { CopyTally, isArriving, type NodeTally } from '../copies/copy-tally.ts';

/** Indices whose copies are spread alike: what one of them weighs on a node, the others do. */
export interface AlikeIndices {
  readonly first: string;
  readonly names: () => readonly string[];
}

export class CopyCounts {
  readonly #before: FollowedCopies;
  readonly #total = new CopyTally();
  /** Copies by node, of the indices that the round changed. */
  readonly #changed = new Map<string, Map<string, number>>();
  /** Copies that recover to a node, by its id. */
  readonly #arriving = new Map<string, ShardRouting[]>();
  /** Copies on the move that are still on a node, by its id. */
  readonly #leaving = new Map<string, ShardRouting[]>();

  /** @param shardsOf copies of an index by shard, as they are before the round */
  constructor(before: FollowedCopies, shardsOf: (index: string) => Iterable<readonly ShardRouting[]>) {
    this.#before = before;
    this.#total.add(before.total, 1);
    for (const name of before.changingDisks()) {
      for (const copies of shardsOf(name)) for (const copy of copies) this.#noteDisk(copy);
    }
  }

  /** A copy that was counted where it is begins to move. */
  addMove(source: ShardRouting, target: ShardRouting, primary: ShardRouting | undefined): void {
    if (source.nodeId !== null) {
      this.#total.node(source.nodeId).copies--;
      this.#change(source, source.nodeId, -1);
    }
    this.#add(source, primary);
    this.#add(target, primary);
  }

  /** A copy that was counted as one without a node gets one. */
  addAssigned(copy: ShardRouting, primary: ShardRouting | undefined): void {
    this.#total.unassigned--;
    if (copy.isPrimary) this.#total.unassignedPrimaries--;
    this.#add(copy, primary);
  }

  get unassigned(): number {
    return this.#total.unassigned;
  }

  get unassignedPrimaries(): number {
    return this.#total.unassignedPrimaries;
  }

  /** Copies that have a node and do not serve yet, targets of moves left out. */
  get starting(): number {
    return this.#total.starting;
  }

  get startingPrimaries(): number {
    return this.#total.startingPrimaries;
  }

  /** Copies of the cluster that are on the move. */
  get moving(): number {
    return this.#total.moving;
  }

  /** Copies that come to a node and are not on its disk yet. */
  arriving(nodeId: string): readonly ShardRouting[] {
    return this.#arriving.get(nodeId) ?? [];
  }

  /** Copies that go from a node and are still on its disk. */
  leaving(nodeId: string): readonly ShardRouting[] {
    return this.#leaving.get(nodeId) ?? [];
  }

  /** Copies on a node; one on the move counts where it goes. */
  onNode(nodeId: string): number {
    return this.#of(nodeId, 'copies');
  }

  ofIndex(nodeId: string, index: string): number {
    const changed = this.#changed.get(index);
    if (changed !== undefined) return changed.get(nodeId) ?? 0;
    return this.#before.tallyOf(index).nodes.get(nodeId)?.copies ?? 0;
  }

  /** Indices by how their copies are spread over the nodes. */
  *alike(): IterableIterator<AlikeIndices> {
    const isSame = (name: string): boolean => !this.#changed.has(name);
    for (const names of this.#before.alike()) {
      for (const first of names) {
        if (!isSame(first)) continue;
        yield { first, names: () => [...names].filter(isSame) };
        break;
      }
    }
    for (const first of this.#changed.keys()) yield { first, names: () => [first] };
  }

  initialPrimaries(nodeId: string): number {
    return this.#of(nodeId, 'initialPrimaries');
  }

  incomingRecoveries(nodeId: string): number {
    return this.#of(nodeId, 'incoming');
  }

  outgoingRecoveries(nodeId: string): number {
    return this.#of(nodeId, 'outgoing');
  }

  returningRecoveries(nodeId: string): number {
    return this.#of(nodeId, 'returning');
  }

  #of(nodeId: string, count: keyof NodeTally): number {
    return this.#total.nodes.get(nodeId)?.[count] ?? 0;
  }

  #add(copy: ShardRouting, primary: ShardRouting | undefined): void {
    this.#total.addCopy(copy, primary);
    this.#noteDisk(copy);
    if (copy.nodeId !== null && copy.state !== 'RELOCATING') this.#change(copy, copy.nodeId, 1);
  }

  #noteDisk(copy: ShardRouting): void {
    if (copy.nodeId === null) return;
    if (copy.state === 'RELOCATING') list(this.#leaving, copy.nodeId).push(copy);
    else if (isArriving(copy)) list(this.#arriving, copy.nodeId).push(copy);
  }

  #change({ index }: ShardRouting, nodeId: string, by: number): void {
    let counts = this.#changed.get(index);
    if (counts === undefined) {
      counts = new Map();
      for (const [id, { copies }] of this.#before.tallyOf(index).nodes) counts.set(id, copies);
      this.#changed.set(index, counts);
    }
    counts.set(nodeId, (counts.get(nodeId) ?? 0) + by);
  }
}

function list(lists: Map<string, ShardRouting[]>, nodeId: string): ShardRouting[] {
  const known = lists.get(nodeId) ?? [];
  lists.set(nodeId, known);
  return known;
}
