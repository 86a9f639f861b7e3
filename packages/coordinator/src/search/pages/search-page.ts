/**
 * The query phase of a page that is not gathered the classical way.
 */
import { createHash } from 'node:crypto';
import { type SearchRequest, searchIdentity } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import {
  type GatheredPage,
  gatherByMerge,
  gatherByRank,
  type PageRequest,
  RanksChanged,
} from '../../paging/gather-page.ts';
import type { PagingWay } from '../../paging/paging-strategy.ts';
import type { RankMemory } from '../../paging/rank-memory.ts';
import type { PageEntry } from '../phases/fetch-page.ts';
import type { QueryPlan } from '../phases/query-plan.ts';
import { rankShards, type ShardOutcome } from '../phases/query-shards.ts';
import type { PagingReport } from '../results/search-profile.ts';
import { RemoteRanks, ShardLost } from './remote-ranks.ts';

export interface PagedOutcomes {
  /** Outcomes as the query phase gives them; shards' entries are those of the page alone. */
  readonly outcomes: readonly ShardOutcome[];
  readonly page: readonly PageEntry[];
  readonly paging: PagingReport;
}

export interface PagePlan {
  readonly query: QueryPlan;
  readonly request: SearchRequest;
  readonly way: Exclude<PagingWay, 'classical'>;
  /** Entries that this node may hold for one search. */
  readonly entriesMax: number;
}

/** A shard that is lost in the midst of its rounds is asked once more, then left out. */
const RESTARTS_MAX = 2;

export function searchPage(context: CoordinatorContext, plan: PagePlan): Promise<PagedOutcomes> {
  return plan.way === 'own_rank' ? pageOfOnly(context, plan) : pageOfMany(context, plan);
}

/** The only shard sends the page, and its documents with it. */
async function pageOfOnly(context: CoordinatorContext, { query, request }: PagePlan): Promise<PagedOutcomes> {
  const { from, size, pointInTime } = request;
  const round = { lower: null, upper: null, from, to: from, pivots: 0, tail: size };
  // A point in time keeps the whole order: its next pages only look.
  const ask = pointInTime === null ? ({ kind: 'page', from, size } as const) : ({ kind: 'list', round } as const);
  const outcomes = await rankShards(context, query, [ask], true);
  const shown = outcomes.map((outcome): ShardOutcome => {
    if (outcome.kind !== 'answered') return outcome;
    const { result, rank, hits } = outcome.response;
    return { ...outcome, response: { result: { ...result, ...rank.entries }, hits } };
  });
  const [only] = shown;
  const entriesMoved = only?.kind === 'answered' ? only.response.result.ords.length : 0;
  const page = Array.from({ length: entriesMoved }, (_, position) => ({ target: 0, position }));
  return { outcomes: shown, page, paging: { way: 'own_rank', rounds: 1, entriesMoved } };
}

async function pageOfMany(context: CoordinatorContext, plan: PagePlan): Promise<PagedOutcomes> {
  const { request, way, entriesMax } = plan;
  const { sort, from, size } = request;
  const lost = new Map<number, ShardLost>();
  const askedAgain = new Set<number>();
  const memory = way === 'rank_selection' ? memoryOf(context, plan) : null;
  const page: PageRequest = { sort, from, size, entriesMax };
  let restarts = 0;
  for (;;) {
    const ranks = new RemoteRanks(context, withoutLost(plan, lost), (round) => {
      return way === 'lazy_merge' ? { kind: 'top', round } : { kind: 'list', round };
    });
    try {
      const gathered =
        way === 'lazy_merge' ? await gatherByMerge(ranks, page) : await gatherByRank(ranks, page, memory);
      return { outcomes: ranks.outcomesWith(gathered), page: gathered.page, paging: reportOf(way, gathered) };
    } catch (error) {
      ranks.release();
      const isOther = !(error instanceof ShardLost || error instanceof RanksChanged);
      if (isOther) throw error;
      memory?.forget();
      if (++restarts > RESTARTS_MAX) throw error instanceof ShardLost ? error.reason : error;
      if (!(error instanceof ShardLost)) continue;
      // What it kept may have given way to other searches: that alone does not make it fail.
      if (askedAgain.has(error.position)) lost.set(error.position, error);
      askedAgain.add(error.position);
    }
  }
}

function reportOf(way: PagingWay, { rounds, entriesMoved }: GatheredPage): PagingReport {
  return { way, rounds, entriesMoved };
}

/** A shard that was lost counts as failed: what it had can be told from nobody else. */
function withoutLost({ query }: PagePlan, lost: ReadonlyMap<number, ShardLost>): QueryPlan {
  return { ...query, refuse: (target) => lost.get(target.position)?.reason ?? query.refuse(target) };
}

/** What pages of the same search in the same point in time found out before; null without one. */
function memoryOf(context: CoordinatorContext, { request, query }: PagePlan): RankMemory | null {
  if (request.pointInTime === null) return null;
  const { nowMs, statistics } = query.query;
  const search = createHash('sha256').update(request.pointInTime.id).update('\0');
  search
    .update(statistics ?? new Uint8Array(0))
    .update('\0')
    .update(searchIdentity(request, nowMs));
  return context.rankMemories.of(search.digest('base64'));
}
