/**
 * Counts of assigned copies by node, kept in step while copies are assigned: an allocator that counted anew for each of
 * ten thousand copies would hold the cluster manager for minutes.
 */
import type { ShardRouting } from '@shoal/cluster-state';

export class CopyCounts {
  readonly #onNode = new Map<string, number>();
  /** By node and index. */
  readonly #ofIndex = new Map<string, number>();

  constructor(copies: Iterable<ShardRouting>) {
    for (const copy of copies) this.add(copy);
  }

  /** Counts a copy; one without a node counts nowhere. */
  add({ nodeId, indexUuid }: ShardRouting): void {
    if (nodeId === null) return;
    const key = `${nodeId}/${indexUuid}`;
    this.#onNode.set(nodeId, this.onNode(nodeId) + 1);
    this.#ofIndex.set(key, (this.#ofIndex.get(key) ?? 0) + 1);
  }

  onNode(nodeId: string): number {
    return this.#onNode.get(nodeId) ?? 0;
  }

  ofIndex(nodeId: string, indexUuid: string): number {
    return this.#ofIndex.get(`${nodeId}/${indexUuid}`) ?? 0;
  }
}
