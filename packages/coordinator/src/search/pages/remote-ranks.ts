/**
 * The shards of a search as the keepers of sorted lists: rounds are requests, and what a shard keeps is let go when the page
 * cannot be finished with it.
 */
import { asShoalError, assert, isAssertionFailure, type ShoalError } from '@shoal/core';
import { RANK_ROUND, type RankQueryResponse, type RankRoundMessage } from '@shoal/protocol';
import type { RankAnswer, RankAsk, RankRound } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { OpenContext } from '../../context/free-contexts.ts';
import type { ReadCopy } from '../../copies/copy-order.ts';
import type { GatheredPage, RankSource } from '../../paging/gather-page.ts';
import type { QueryPlan } from '../phases/query-plan.ts';
import { rankShards, type ShardOutcome } from '../phases/query-shards.ts';
import { ShardBatches } from '../phases/shard-batches.ts';

/** A shard that answered at first cannot go on. */
export class ShardLost extends Error {
  readonly position: number;
  readonly reason: ShoalError;

  constructor(position: number, reason: ShoalError) {
    super(`shard ${position} was lost: ${reason.message}`);
    this.position = position;
    this.reason = reason;
  }
}

export class RemoteRanks implements RankSource {
  readonly #context: CoordinatorContext;
  readonly #plan: QueryPlan;
  readonly #askOf: (round: RankRound) => RankAsk;
  readonly #rounds: ShardBatches<RankRoundMessage, RankAnswer>;
  #outcomes: readonly ShardOutcome<RankQueryResponse>[] = [];

  constructor(context: CoordinatorContext, plan: QueryPlan, askOf: (round: RankRound) => RankAsk) {
    this.#context = context;
    this.#plan = plan;
    this.#askOf = askOf;
    this.#rounds = new ShardBatches(context, RANK_ROUND, { ...plan, asksRestAlone: false });
  }

  get shardCount(): number {
    return this.#plan.targets.length;
  }

  first = async (rounds: readonly RankRound[]): Promise<readonly (RankAnswer | null)[]> => {
    this.#outcomes = await rankShards(this.#context, this.#plan, rounds.map(this.#askOf), false);
    return this.#outcomes.map((outcome) => (outcome.kind === 'answered' ? outcome.response.rank : null));
  };

  again = async (shard: number, round: RankRound): Promise<RankAnswer> => {
    const { copy, contextId, listId } = this.#kept(shard);
    const request = { contextId, listId, round, shardIndex: shard };
    try {
      return await this.#rounds.send(copy.nodeId, { target: copy.target, request });
    } catch (error) {
      if (isAssertionFailure(error)) throw error;
      throw new ShardLost(shard, asShoalError(error));
    }
  };

  #kept(shard: number): { readonly copy: ReadCopy; readonly contextId: number; readonly listId: number } {
    const outcome = this.#outcomes[shard];
    assert(outcome?.kind === 'answered', `shard ${shard} has not answered`);
    const { contextId } = outcome.response.result;
    const { listId } = outcome.response.rank;
    assert(contextId !== null && listId !== null, `shard ${shard} keeps no list`);
    return { copy: outcome.copy, contextId, listId };
  }

  /** What the shards answered, each with its entries of the page. */
  outcomesWith({ entries }: GatheredPage): readonly ShardOutcome[] {
    return this.#outcomes.map((outcome, shard): ShardOutcome => {
      if (outcome.kind !== 'answered') return outcome;
      const { result } = outcome.response;
      return { ...outcome, response: { result: { ...result, ...entries[shard] }, hits: null } };
    });
  }

  /** Lets go of what the shards keep for this search alone. */
  release(): void {
    const open: OpenContext[] = [];
    for (const [position, outcome] of this.#outcomes.entries()) {
      if (outcome.kind !== 'answered' || this.#plan.targets[position]?.pinned !== null) continue;
      const { contextId } = outcome.response.result;
      const { nodeId, target } = outcome.copy;
      if (contextId !== null) open.push({ nodeId, target, contextId });
    }
    this.#context.releases.add(open);
  }
}
