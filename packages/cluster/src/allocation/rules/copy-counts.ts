/**
 * Counts of assigned copies and of running recoveries by node, kept in step while copies are assigned: an allocator that
 * counted anew for each of ten thousand copies would hold the cluster manager for minutes.
 */
import { isRelocationTarget, type ShardRouting } from '@shoal/cluster-state';

export class CopyCounts {
  readonly #onNode = new Map<string, number>();
  /** By index, then node. */
  readonly #ofIndex = new Map<string, Map<string, number>>();
  readonly #initialPrimaries = new Map<string, number>();
  readonly #incoming = new Map<string, number>();
  readonly #outgoing = new Map<string, number>();
  /** Copies that recover to a node, by its id. */
  readonly #arriving = new Map<string, ShardRouting[]>();
  /** Copies on the move that are still on a node, by its id. */
  readonly #leaving = new Map<string, ShardRouting[]>();
  #unassigned = 0;
  #unassignedPrimaries = 0;
  #starting = 0;
  #startingPrimaries = 0;
  #moving = 0;

  /** @param shards copies of each shard, the primary first */
  constructor(shards: Iterable<readonly ShardRouting[]>) {
    for (const copies of shards) for (const copy of copies) this.add(copy, copies[0]);
  }

  /**
   * Counts a copy; one without a node counts nowhere, one on the move where it goes. `primary`: that of its shard, which it
   * recovers from.
   */
  add(copy: ShardRouting, primary: ShardRouting | undefined): void {
    const { nodeId } = copy;
    if (nodeId === null) {
      this.#unassigned++;
      if (copy.isPrimary) this.#unassignedPrimaries++;
      return;
    }
    if (copy.state === 'RELOCATING') {
      this.#moving++;
      list(this.#leaving, nodeId).push(copy);
      return;
    }
    this.#change(copy, nodeId, 1);
    if (copy.state !== 'INITIALIZING') return;
    if (!isRelocationTarget(copy)) this.#starting++;
    if (copy.isPrimary) this.#startingPrimaries++;
    if (copy.recoverySource !== 'EXISTING_STORE') list(this.#arriving, nodeId).push(copy);
    if (copy.isPrimary) increment(this.#initialPrimaries, nodeId);
    else if (copy.recoverySource === 'PEER') {
      increment(this.#incoming, nodeId);
      if (primary?.nodeId != null) increment(this.#outgoing, primary.nodeId);
    }
  }

  /** A copy that was counted where it is begins to move. */
  addMove(source: ShardRouting, target: ShardRouting, primary: ShardRouting | undefined): void {
    if (source.nodeId !== null) this.#change(source, source.nodeId, -1);
    this.add(source, primary);
    this.add(target, primary);
  }

  /** A copy that was counted as one without a node gets one. */
  addAssigned(copy: ShardRouting, primary: ShardRouting | undefined): void {
    this.#unassigned--;
    if (copy.isPrimary) this.#unassignedPrimaries--;
    this.add(copy, primary);
  }

  get unassigned(): number {
    return this.#unassigned;
  }

  get unassignedPrimaries(): number {
    return this.#unassignedPrimaries;
  }

  /** Copies that have a node and do not serve yet, targets of moves left out. */
  get starting(): number {
    return this.#starting;
  }

  get startingPrimaries(): number {
    return this.#startingPrimaries;
  }

  /** Copies of the cluster that are on the move. */
  get moving(): number {
    return this.#moving;
  }

  /** Copies that come to a node and are not on its disk yet. */
  arriving(nodeId: string): readonly ShardRouting[] {
    return this.#arriving.get(nodeId) ?? [];
  }

  /** Copies that go from a node and are still on its disk. */
  leaving(nodeId: string): readonly ShardRouting[] {
    return this.#leaving.get(nodeId) ?? [];
  }

  onNode(nodeId: string): number {
    return this.#onNode.get(nodeId) ?? 0;
  }

  ofIndex(nodeId: string, indexUuid: string): number {
    return this.#ofIndex.get(indexUuid)?.get(nodeId) ?? 0;
  }

  /** Primaries that start there from a store, a snapshot or nothing. */
  initialPrimaries(nodeId: string): number {
    return this.#initialPrimaries.get(nodeId) ?? 0;
  }

  /** Replicas there that recover from their primaries. */
  incomingRecoveries(nodeId: string): number {
    return this.#incoming.get(nodeId) ?? 0;
  }

  /** Replicas elsewhere that recover from primaries there. */
  outgoingRecoveries(nodeId: string): number {
    return this.#outgoing.get(nodeId) ?? 0;
  }

  #change({ indexUuid }: ShardRouting, nodeId: string, by: number): void {
    increment(this.#onNode, nodeId, by);
    let ofIndex = this.#ofIndex.get(indexUuid);
    if (ofIndex === undefined) {
      ofIndex = new Map();
      this.#ofIndex.set(indexUuid, ofIndex);
    }
    increment(ofIndex, nodeId, by);
  }
}

function list(lists: Map<string, ShardRouting[]>, nodeId: string): ShardRouting[] {
  const known = lists.get(nodeId) ?? [];
  lists.set(nodeId, known);
  return known;
}

function increment(counts: Map<string, number>, nodeId: string, by = 1): void {
  counts.set(nodeId, (counts.get(nodeId) ?? 0) + by);
}
