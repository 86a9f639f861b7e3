/**
 * The next page of a scroll: every shard gives its next entries, the best of them are shown, and each shard learns how many of
 * its own were.
 */
import { type CancelFlag, illegalArgument, isAssertionFailure, ShoalError } from '@shoal/core';
import { FREE_ALL_CONTEXTS, type FreeContextRequest, SCROLL_PHASE, type ScrollPhaseResponse } from '@shoal/protocol';
import { type SearchRequest, searchRequest } from '@shoal/query';
import type { CoordinatorContext } from '../../context/coordinator-context.ts';
import { byNode, sendFreeContexts } from '../../context/free-contexts.ts';
import { askNodes } from '../../nodes/node-requests.ts';
import { askPinned, pinnedCopy, type ShardOutcome } from '../phases/query-shards.ts';
import { ShardBatches } from '../phases/shard-batches.ts';
import { GatheredResults } from '../results/gathered-results.ts';
import { withStoredFields } from '../results/hit-stored-fields.ts';
import type { SearchOutcome } from '../results/search-outcome.ts';
import {
  type ContextIdContent,
  type HeldContext,
  readContextId,
  targetsOfContexts,
  writeContextId,
} from '../targets/context-ids.ts';
import { PerNodeLimit } from '../targets/per-node-limit.ts';
import { DEFAULT_CONCURRENT_SHARD_REQUESTS } from '../targets/search-input.ts';

export interface ScrollInput {
  readonly scrollId: string;
  /** How long the scroll is kept from now on; null: as long as before. */
  readonly keepAliveMs: number | null;
  readonly signal: CancelFlag | null;
}

export async function executeScroll(context: CoordinatorContext, input: ScrollInput): Promise<SearchOutcome> {
  const startedMs = context.runtime.clock.monotonicMs();
  const content = readContextId('scroll', input.scrollId);
  const { targets, lost } = targetsOfContexts(context.cluster.state(), content);
  if (targets.length === 0 && lost.length > 0) throw contextMissing(lost);
  const limit = new PerNodeLimit(DEFAULT_CONCURRENT_SHARD_REQUESTS);
  const asked = { limit, timeoutMs: null, signal: input.signal, asksRestAlone: false };
  const batches = new ShardBatches(context, SCROLL_PHASE, asked);
  const fetchesPage = targets.length === 1;
  const outcomes = await Promise.all(
    targets.map(async (target): Promise<ShardOutcome<ScrollPhaseResponse>> => {
      const { pinned } = target;
      if (pinned === null) return { kind: 'missing' };
      const next = { contextId: pinned.contextId, keepAliveMs: input.keepAliveMs ?? 0 };
      return askPinned(context, target, pinned, (copy) =>
        batches.send(copy.nodeId, { target: copy.target, next, fetchesPage }),
      );
    }),
  );
  const gathered = new GatheredResults(targets, outcomes);
  gathered.keepContexts();
  gathered.checkQueryPhase(true);
  const request = originOf(context, outcomes);
  const page = gathered.page(request);
  const source = { search: null, signal: input.signal };
  const hits = targets.length === 1 ? gathered.hitsOfOnly(0) : await gathered.fetch(context, source, page, limit);
  gathered.checkFetchPhase(true);
  return {
    request,
    tookMs: Math.round(context.runtime.clock.monotonicMs() - startedMs),
    timedOut: gathered.results.some((result) => result?.timedOut === true),
    terminatedEarly: null,
    reducePhases: gathered.reducePhases,
    shards: gathered.counts(),
    total: gathered.total(request),
    maxScore: gathered.maxScore(request),
    hits: withStoredFields(context.cluster.state(), request, hits),
    aggregations: null,
    suggestions: null,
    profile: gathered.profile(request, null),
    scrollId: writeContextId('scroll', content),
    pointInTimeId: null,
  };
}

function contextMissing(lost: readonly HeldContext[]): ShoalError {
  const id = lost[0]?.contextId ?? 0;
  return new ShoalError('search_context_missing_exception', 404, `No search context found for id [${id}]`);
}

/** The search that is continued, as any of its shards has it. */
function originOf(context: CoordinatorContext, outcomes: readonly ShardOutcome<ScrollPhaseResponse>[]): SearchRequest {
  for (const outcome of outcomes) {
    if (outcome.kind === 'answered') return context.searches.readSearch(outcome.response.search).request;
  }
  return searchRequest({});
}

/** How many contexts were there to be let go. A node that does not answer forgets by itself after the keep-alive. */
export async function freeHeldContexts(
  context: CoordinatorContext,
  contents: readonly ContextIdContent[],
): Promise<number> {
  const open = contents.flatMap(({ held }) =>
    held.map((one) => {
      const { nodeId, target } = pinnedCopy(context, one, one);
      return { nodeId, target, contextId: one.contextId };
    }),
  );
  const freed = await Promise.all(byNode(open).map(([nodeId, contexts]) => freeOfNode(context, nodeId, contexts)));
  return freed.reduce((sum, count) => sum + count, 0);
}

async function freeOfNode(
  context: CoordinatorContext,
  nodeId: string,
  contexts: readonly FreeContextRequest[],
): Promise<number> {
  try {
    return await sendFreeContexts(context.cluster, nodeId, contexts);
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    return 0;
  }
}

/** All scrolls, or all points in time, of all nodes. */
export async function freeAllContexts(context: CoordinatorContext, kind: 'scroll' | 'reader'): Promise<number> {
  const nodes = [...context.cluster.state().nodes.values()].filter((node) => node.roles.includes('data'));
  const { answers } = await askNodes(context, nodes, FREE_ALL_CONTEXTS, () => ({ kind }));
  let freed = 0;
  for (const answer of answers.values()) freed += answer.freed;
  return freed;
}

/** @throws ShoalError 400 without any */
export function requireIds(ids: readonly string[], what: string): readonly string[] {
  if (ids.length > 0) return ids;
  throw illegalArgument(`no ${what} ids specified`);
}
