/**
 * Which copy of a shard a read asks, and which after it when that one cannot answer.
 *
 * A node knows how quickly the others answered it: response times alone, since what they take for themselves is not told.
 */
import { isActive } from '@shoal/cluster';
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { indexNotFound } from '@shoal/core';
import type { ShardTarget } from '@shoal/protocol';
import { type CopyPreference, copiesInOrder, observed, pulledTowards, type Statistics } from '@shoal/replication';
import type { Clock } from '@shoal/runtime';
import type { ShardId } from '@shoal/shard-api';

/** A copy of a shard that may be read, as one cluster state has it. */
export interface ReadCopy {
  readonly nodeId: string;
  readonly target: ShardTarget;
}

/** What `preference` says. */
export interface ReadPreference {
  readonly copies: CopyPreference;
  /** Numbers of the shards that are read at all; null: every one. */
  readonly shards: ReadonlySet<number> | null;
}

/** What a request counts for that failed, at least: a node that refuses at once would be the quickest of all. */
const FAILED_MS = 1_000;

export const ANY_COPY: ReadPreference = { copies: { kind: 'adaptive' }, shards: null };

/** Copies that serve, the primary first. Throws 404 when the index is gone, or another one of its name. */
export function activeCopies(state: ClusterState, shard: ShardId): readonly ReadCopy[] {
  const index = state.metadata.indices.get(shard.index);
  if (index === undefined || index.uuid !== shard.indexUuid) throw indexNotFound(shard.index);
  const copies = state.routing.indices.get(shard.index)?.[shard.number] ?? [];
  return copies.flatMap((copy) => readCopy(state, shard, copy) ?? []);
}

/** null for a copy that does not serve, or whose node is not there. */
export function readCopy(state: ClusterState, shard: ShardId, copy: ShardRouting): ReadCopy | null {
  const { nodeId, allocationId } = copy;
  if (!isActive(copy) || nodeId === null || allocationId === null || !state.nodes.has(nodeId)) return null;
  const { index, indexUuid, number } = shard;
  return { nodeId, target: { index, indexUuid, shard: number, allocationId, stateVersion: state.version } };
}

export class CopyOrder {
  readonly #clock: Clock;
  readonly #outstanding = new Map<string, number>();
  #statistics: Statistics = new Map();
  #turn = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Copies in the order in which they are to be asked, without those that the preference rules out. */
  inOrder(copies: readonly ReadCopy[], preference: CopyPreference): readonly ReadCopy[] {
    if (copies.length < 2 && preference.kind !== 'nodes') return copies;
    const choice = {
      preference,
      statistics: this.#statistics,
      outstanding: this.#outstanding,
      turn: this.#turn++,
    };
    const readable = copies.map((copy) => ({ allocationId: copy.target.allocationId, node: copy.nodeId, copy }));
    return copiesInOrder(readable, choice).map(({ copy }) => copy);
  }

  /**
   * Asks a copy, and remembers how long its answer took.
   *
   * @param copies all that could have been asked: where it is the only one nothing is to be learned
   */
  async ask<Res>(copy: ReadCopy, copies: readonly ReadCopy[], send: (copy: ReadCopy) => Promise<Res>): Promise<Res> {
    if (copies.length < 2) return send(copy);
    const { nodeId } = copy;
    const startMs = this.#clock.monotonicMs();
    this.#outstanding.set(nodeId, (this.#outstanding.get(nodeId) ?? 0) + 1);
    let leastMs = FAILED_MS;
    try {
      const answer = await send(copy);
      leastMs = 0;
      return answer;
    } finally {
      const left = (this.#outstanding.get(nodeId) ?? 1) - 1;
      if (left > 0) this.#outstanding.set(nodeId, left);
      else this.#outstanding.delete(nodeId);
      const tookMs = Math.max(leastMs, this.#clock.monotonicMs() - startMs);
      const others = copies.map((other) => other.nodeId).filter((other) => other !== nodeId);
      const seen = observed(this.#statistics, nodeId, { responseMs: tookMs, serviceMs: tookMs, queue: 0 });
      this.#statistics = pulledTowards(seen, nodeId, others);
    }
  }
}
