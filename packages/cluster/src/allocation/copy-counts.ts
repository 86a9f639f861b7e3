/**
 * Counts of assigned copies and of running recoveries by node, kept in step while copies are assigned: an allocator that
 * counted anew for each of ten thousand copies would hold the cluster manager for minutes.
 */
import type { ShardRouting } from '@shoal/cluster-state';

export class CopyCounts {
  readonly #onNode = new Map<string, number>();
  /** By index, then node. */
  readonly #ofIndex = new Map<string, Map<string, number>>();
  readonly #initialPrimaries = new Map<string, number>();
  readonly #incoming = new Map<string, number>();
  readonly #outgoing = new Map<string, number>();

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
    if (nodeId === null || copy.state === 'RELOCATING') return;
    this.#change(copy, nodeId, 1);
    if (copy.state !== 'INITIALIZING') return;
    if (copy.isPrimary) increment(this.#initialPrimaries, nodeId);
    else if (copy.recoverySource === 'PEER') {
      increment(this.#incoming, nodeId);
      if (primary?.nodeId != null) increment(this.#outgoing, primary.nodeId);
    }
  }

  /** A copy that was counted where it is begins to move. */
  addMove(source: ShardRouting, target: ShardRouting, primary: ShardRouting | undefined): void {
    if (source.nodeId !== null) this.#change(source, source.nodeId, -1);
    this.add(target, primary);
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

function increment(counts: Map<string, number>, nodeId: string, by = 1): void {
  counts.set(nodeId, (counts.get(nodeId) ?? 0) + by);
}
