/**
 * Changes to the routing of one cluster state, collected and turned into the next state at once.
 *
 * Keeps what belongs together in step: the copies, the primary terms and the in-sync sets. Used inside pure functions and
 * never kept: from outside, a state goes in and a state comes out.
 */

import {
  type ClusterState,
  type IndexMetadata,
  type ShardRouting,
  type UnassignedInfo,
  withEntries,
  withoutTargets,
} from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import { assertIndexRouting } from './routing-invariants.ts';

export class RoutingChanges {
  readonly #state: ClusterState;
  readonly #routing = new Map<string, (readonly ShardRouting[])[]>();
  readonly #indices = new Map<string, IndexMetadata>();

  constructor(state: ClusterState) {
    this.#state = state;
  }

  /** null: the state has no such index. */
  findIndex(name: string): IndexMetadata | null {
    return this.#indices.get(name) ?? this.#state.metadata.indices.get(name) ?? null;
  }

  index(name: string): IndexMetadata {
    const index = this.findIndex(name);
    assert(index !== null, `routing of unknown index ${name}`);
    return index;
  }

  /** Node that the copy is on, as it is kept when the copy goes from it. */
  nodeOf({ nodeId }: ShardRouting): Pick<UnassignedInfo, 'lastNodeId' | 'lastNodeName'> {
    const node = nodeId === null ? undefined : this.#state.nodes.get(nodeId);
    return { lastNodeId: nodeId, ...(node === undefined ? {} : { lastNodeName: node.name }) };
  }

  /** Names of indices whose routing is not that of the state any more. */
  changedIndices(): Iterable<string> {
    return this.#routing.keys();
  }

  hasChanged(index: string): boolean {
    return this.#routing.has(index);
  }

  /** Copies of each shard as they stand now: by index name, shard number. */
  *shards(): IterableIterator<readonly ShardRouting[]> {
    for (const [name, shards] of this.#state.routing.indices) yield* this.#routing.get(name) ?? shards;
  }

  /** Copies of one shard as they stand now. */
  shardCopies(index: string, shard: number): readonly ShardRouting[] {
    return (this.#routing.get(index) ?? this.#state.routing.indices.get(index))?.[shard] ?? [];
  }

  replace(old: ShardRouting, next: ShardRouting): void {
    const copies = this.shardCopies(old.index, old.shard);
    assert(copies.includes(old), `no such copy of [${old.index}][${old.shard}] in state ${this.#state.version}`);
    this.replaceShard(
      old.index,
      old.shard,
      copies.map((copy) => (copy === old ? next : copy)),
    );
  }

  /** Other copies of one shard, as many as before but for the targets of moves, the primary first. */
  replaceShard(index: string, shard: number, copies: readonly ShardRouting[]): void {
    const before = withoutTargets(this.shardCopies(index, shard)).length;
    const after = withoutTargets(copies).length;
    assert(before === after, `[${index}][${shard}] has ${before} copies and would have ${after}`);
    let shards = this.#routing.get(index);
    if (shards === undefined) {
      shards = [...(this.#state.routing.indices.get(index) ?? [])];
      this.#routing.set(index, shards);
    }
    shards[shard] = copies;
  }

  bumpPrimaryTerm(name: string, shard: number): void {
    const index = this.index(name);
    assert(shard < index.primaryTerms.length, `[${name}] has no shard ${shard}: terms [${index.primaryTerms}]`);
    const primaryTerms = index.primaryTerms.map((term, i) => (i === shard ? term + 1 : term));
    this.#indices.set(name, { ...index, primaryTerms });
  }

  setInSync(name: string, shard: number, allocationIds: readonly string[]): void {
    const index = this.index(name);
    assert(allocationIds.length > 0, `no copy of [${name}][${shard}] would be in sync any more`);
    assert(new Set(allocationIds).size === allocationIds.length, `in sync twice: [${allocationIds}]`);
    const inSyncAllocations = index.inSyncAllocations.map((ids, i) => (i === shard ? allocationIds : ids));
    this.#indices.set(name, { ...index, inSyncAllocations });
  }

  /** The same state (===) when nothing changed. */
  finish(): ClusterState {
    const { routing, metadata } = this.#state;
    if (this.#routing.size === 0 && this.#indices.size === 0) return this.#state;
    for (const [name, shards] of this.#routing) {
      assertIndexRouting(this.index(name), shards, this.#state.routing.indices.get(name) ?? []);
    }
    return {
      ...this.#state,
      routing:
        this.#routing.size === 0
          ? routing
          : { version: routing.version + 1, indices: withEntries(routing.indices, this.#routing) },
      metadata:
        this.#indices.size === 0 ? metadata : { ...metadata, indices: withEntries(metadata.indices, this.#indices) },
    };
  }
}
