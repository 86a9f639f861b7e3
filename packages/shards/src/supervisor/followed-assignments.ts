/**
 * Copies that the cluster state assigns to this node, followed from state to state: an index whose routing and metadata are the same (===) as before
 * is not looked at again, so that a node of thousands of shards pays for what a state changes.
 */
import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import { type ShardKey, shardKey } from '../calls/worker-calls.ts';
import type { Assignment } from './shard-plan.ts';

type IndexRouting = NonNullable<ReturnType<ClusterState['routing']['indices']['get']>>;

interface Followed {
  readonly shards: IndexRouting;
  readonly index: IndexMetadata | undefined;
  readonly assignments: readonly Assignment[];
}

export class FollowedAssignments {
  readonly #nodeId: string;
  readonly #indices = new Map<string, Followed>();
  readonly #all = new Map<ShardKey, Assignment>();

  constructor(nodeId: string) {
    this.#nodeId = nodeId;
  }

  /** Every copy that the last state assigns to the node. */
  get all(): ReadonlyMap<ShardKey, Assignment> {
    return this.#all;
  }

  /** @returns keys of copies that are or were assigned to the node, of indices that are others than before */
  follow({ routing, metadata }: Pick<ClusterState, 'routing' | 'metadata'>): ReadonlySet<ShardKey> {
    const changed = new Set<ShardKey>();
    const gone = [...this.#indices.keys()].filter((name) => !routing.indices.has(name));
    for (const name of gone) this.#forget(name, changed);
    for (const [name, shards] of routing.indices) {
      const index = metadata.indices.get(name);
      const before = this.#indices.get(name);
      if (before?.shards === shards && before.index === index) continue;
      this.#forget(name, changed);
      const assignments = index === undefined ? [] : this.#assignmentsOf(index, shards);
      this.#indices.set(name, { shards, index, assignments });
      for (const assignment of assignments) {
        assert(!this.#all.has(assignment.key), `two copies of [${name}] are assigned to node [${this.#nodeId}]`);
        this.#all.set(assignment.key, assignment);
        changed.add(assignment.key);
      }
    }
    return changed;
  }

  #forget(name: string, changed: Set<ShardKey>): void {
    for (const { key } of this.#indices.get(name)?.assignments ?? []) {
      this.#all.delete(key);
      changed.add(key);
    }
    this.#indices.delete(name);
  }

  #assignmentsOf(index: IndexMetadata, shards: IndexRouting): readonly Assignment[] {
    const assignments: Assignment[] = [];
    for (const routing of shards.flat()) {
      const { nodeId, allocationId, shard, indexUuid } = routing;
      if (nodeId !== this.#nodeId || allocationId === null || routing.state === 'UNASSIGNED') continue;
      const primaryTerm = index.primaryTerms[shard];
      assert(primaryTerm !== undefined, `[${index.name}][${shard}] has no primary term: [${index.primaryTerms}]`);
      assignments.push({ key: shardKey(indexUuid, shard), routing, index, allocationId, primaryTerm });
    }
    return assignments;
  }
}
