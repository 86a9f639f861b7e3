/**
 * The query phase over all shards of a search: one copy of each is asked, a bounded number at a time on each node, and
 * what each answered or why it did not is collected in the order of the targets.
 */
import { asShoalError, assert, isAssertionFailure, ShoalError } from '@shoal/core';
import { QUERY_PHASE, type QueryPhaseResponse, RANK_QUERY, type RankQueryResponse } from '@shoal/protocol';
import type { RankAsk } from '@shoal/shard-api';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import type { ReadCopy } from '../../copies/copy-order.ts';
import { type CopyOutcome, isStaleRouting } from '../../documents/ask-copies.ts';
import { askUntilCurrent } from '../../documents/ask-until-current.ts';
import type { PinnedContext, SearchTarget } from '../targets/search-targets.ts';
import { queryBatches } from './query-batches.ts';
import { ownQuery, type QueryPlan, sendOptions, shardQuery } from './query-plan.ts';
import { ShardBatches } from './shard-batches.ts';

/** Asked of the only shard of a search. */
export type FetchedPageRange = { readonly from: number; readonly size: number } | null;

export type ShardOutcome<Res = QueryPhaseResponse> = CopyOutcome<Res>;

/** Outcomes of the shards, taken as they come. */
export interface OutcomeSink {
  take(position: number, outcome: ShardOutcome): void;
  /** Resolves when what was taken before is dealt with. */
  reduced(): Promise<void>;
}

/** One outcome a target, in their order. */
export async function queryShards(
  context: CoordinatorContext,
  plan: QueryPlan & { readonly fetchPage: FetchedPageRange },
): Promise<readonly ShardOutcome[]> {
  const outcomes = new Array<ShardOutcome>(plan.targets.length);
  await queryInto(context, plan, {
    take: (position, outcome) => {
      outcomes[position] = outcome;
    },
    reduced: () => Promise.resolve(),
  });
  return outcomes;
}

/** Queries all shards; each outcome is taken as it comes. */
export async function queryInto(
  context: CoordinatorContext,
  plan: QueryPlan & { readonly fetchPage: FetchedPageRange },
  sink: OutcomeSink,
): Promise<void> {
  const { targets, fetchPage, query } = plan;
  const [only] = targets;
  if (only !== undefined && targets.length === 1) {
    sink.take(only.position, await askShard(context, plan, only, queryAlone(context, plan, fetchPage)));
    return;
  }
  const batches = queryBatches(context, plan, () => sink.reduced());
  const send: AskShard<QueryPhaseResponse> = (target, copy) =>
    batches.send(copy.nodeId, { target: copy.target, ...ownQuery(plan, target) });
  const skipped: SearchTarget[] = [];
  let isAnyRun = false;
  await Promise.all(
    targets.map(async (target) => {
      const outcome = await askShard(context, plan, target, send);
      if (outcome.kind === 'answered' && outcome.response.result.isSkipped) skipped.push(target);
      else isAnyRun ||= outcome.kind === 'answered';
      sink.take(target.position, outcome);
    }),
  );
  const [first] = skipped.sort((a, b) => a.position - b.position);
  if (first === undefined || isAnyRun) return;
  // One shard is always run: an answer without matches has the shape of one with matches.
  const whole = { ...plan, query: { ...query, canSkip: false } };
  sink.take(first.position, await askShard(context, whole, first, queryAlone(context, whole, null)));
}

function queryAlone(
  { cluster }: CoordinatorContext,
  plan: QueryPlan,
  fetchPage: FetchedPageRange,
): AskShard<QueryPhaseResponse> {
  return (target, copy) => {
    const message = { target: copy.target, query: shardQuery(plan.query, ownQuery(plan, target)), fetchPage };
    return cluster.send(copy.nodeId, QUERY_PHASE, message, sendOptions(plan));
  };
}

/**
 * The first round of a page far back. `asks`: by target; null where it was lost before and is not asked again.
 */
export function rankShards(
  context: CoordinatorContext,
  plan: QueryPlan,
  asks: readonly RankAsk[],
  fetchesPage: boolean,
): Promise<readonly ShardOutcome<RankQueryResponse>[]> {
  const batches = new ShardBatches(context, RANK_QUERY, { ...plan, asksRestAlone: false });
  const send: AskShard<RankQueryResponse> = (target, copy) => {
    const ask = asks[target.position];
    assert(ask, `nothing to ask of target ${target.position}`);
    const message = { target: copy.target, query: shardQuery(plan.query, ownQuery(plan, target)), ask, fetchesPage };
    return batches.send(copy.nodeId, message);
  };
  return Promise.all(plan.targets.map((target) => askShard(context, plan, target, send)));
}

type AskShard<Res> = (target: SearchTarget, copy: ReadCopy) => Promise<Res>;

/** Asks the copy of a shard that can answer, or the one that is pinned. */
export function askShard<Res>(
  context: CoordinatorContext,
  plan: QueryPlan,
  target: SearchTarget,
  send: AskShard<Res>,
): Promise<ShardOutcome<Res>> {
  const asked = (copy: ReadCopy): Promise<Res> => send(target, copy);
  const refusal = plan.refuse(target) ?? plan.aliasFilters.refusal(target);
  if (refusal !== null) return Promise.resolve({ kind: 'failed', nodeId: nodeOf(context, target), error: refusal });
  if (target.pinned !== null) return askPinned(context, target, target.pinned, asked);
  return askUntilCurrent(context, target.shard, plan.signal, asked);
}

/** Only the copy that holds the reader can answer: another one has other documents under the same numbers. */
export async function askPinned<Res>(
  context: CoordinatorContext,
  target: SearchTarget,
  pinned: PinnedContext,
  asked: (copy: ReadCopy) => Promise<Res>,
): Promise<ShardOutcome<Res>> {
  try {
    const copy = pinnedCopy(context, target, pinned);
    return { kind: 'answered', copy, response: await asked(copy) };
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    return { kind: 'failed', nodeId: pinned.nodeId, error: pinnedError(asShoalError(error), pinned) };
  }
}

/** The copy that a scroll or a point in time holds a reader of. */
export function pinnedCopy(
  context: CoordinatorContext,
  { shard }: Pick<SearchTarget, 'shard'>,
  pinned: PinnedContext,
): ReadCopy {
  const { index, indexUuid, number } = shard;
  const stateVersion = context.cluster.state().version;
  const target = { index, indexUuid, shard: number, allocationId: pinned.allocationId, stateVersion };
  return { nodeId: pinned.nodeId, target };
}

/** With the copy its readers are gone: 404 says that they do not come back, whatever became of the shard. */
function pinnedError(error: ShoalError, { contextId }: PinnedContext): ShoalError {
  if (!isStaleRouting(error)) return error;
  return new ShoalError('search_context_missing_exception', 404, `No search context found for id [${contextId}]`, {
    causedBy: error,
  });
}

function nodeOf(context: CoordinatorContext, target: SearchTarget): string | null {
  const copies = context.cluster.state().routing.indices.get(target.shard.index)?.[target.shard.number];
  return copies?.find((copy) => copy.isPrimary)?.nodeId ?? null;
}
