/**
 * The next page of a scroll: every shard gives its next entries, the best of them are shown, and each shard learns how many of
 * its own were.
 */
import { asShoalError, illegalArgument, isAssertionFailure, ShoalError } from '@shoal/core';
import { FREE_ALL_CONTEXTS, FREE_CONTEXT, SCROLL_PHASE, type ScrollPhaseResponse } from '@shoal/protocol';
import { parseSearchRequest, type RequestInput } from '@shoal/query';
import type { CancelFlag } from '@shoal/transport';
import { askNodes } from '../admin/node-requests.ts';
import type { CoordinatorContext } from '../coordinator-context.ts';
import {
  type ContextIdContent,
  type HeldContext,
  readContextId,
  targetsOfContexts,
  writeContextId,
} from '../search/context-ids.ts';
import { GatheredResults } from '../search/gathered-results.ts';
import { withStoredFields } from '../search/hit-fields.ts';
import { PerNodeLimit } from '../search/per-node-limit.ts';
import { pinnedCopy, pinnedError, type ShardOutcome, shardTimeoutMs } from '../search/query-shards.ts';
import type { SearchTarget } from '../search/search-targets.ts';
import { DEFAULT_CONCURRENT_SHARD_REQUESTS, type SearchOutcome } from './execute-search.ts';

export interface ScrollInput {
  readonly scrollId: string;
  /** How long the scroll is kept from now on; null: as long as before. */
  readonly keepAliveMs: number | null;
  readonly signal: CancelFlag | null;
}

interface ScrolledShard {
  readonly outcome: ShardOutcome;
  /** The search that is continued; null when the shard did not answer. */
  readonly origin: RequestInput | null;
}

export async function executeScroll(context: CoordinatorContext, input: ScrollInput): Promise<SearchOutcome> {
  const startedMs = context.runtime.clock.monotonicMs();
  const content = readContextId('scroll', input.scrollId);
  const { targets, lost } = targetsOfContexts(context.cluster.state(), content);
  if (targets.length === 0 && lost.length > 0) throw contextMissing(lost);
  const limit = new PerNodeLimit(DEFAULT_CONCURRENT_SHARD_REQUESTS);
  const shards = await Promise.all(
    targets.map((target) => nextOf(context, input, target, targets.length === 1, limit)),
  );
  const gathered = new GatheredResults(
    targets,
    shards.map(({ outcome }) => outcome),
  );
  gathered.keepContexts();
  gathered.checkQueryPhase(true);
  const origin = shards.find((shard) => shard.origin !== null)?.origin ?? { body: null, params: {} };
  const request = parseSearchRequest(origin);
  const page = gathered.page(request);
  const source = { ...origin, signal: input.signal };
  const hits = targets.length === 1 ? gathered.hitsOfOnly(0) : await gathered.fetch(context, source, page, limit);
  gathered.checkFetchPhase(true);
  return {
    request,
    tookMs: Math.round(context.runtime.clock.monotonicMs() - startedMs),
    timedOut: gathered.results.some((result) => result?.timedOut === true),
    terminatedEarly: null,
    shards: gathered.counts(),
    total: gathered.total(request),
    maxScore: gathered.maxScore(request),
    hits: withStoredFields(context.cluster.state(), request, hits),
    aggregations: null,
    profile: gathered.profile(request, null),
    scrollId: writeContextId('scroll', content),
    pointInTimeId: null,
  };
}

function contextMissing(lost: readonly HeldContext[]): ShoalError {
  const id = lost[0]?.contextId ?? 0;
  return new ShoalError('search_context_missing_exception', 404, `No search context found for id [${id}]`);
}

async function nextOf(
  context: CoordinatorContext,
  input: ScrollInput,
  target: SearchTarget,
  isSingle: boolean,
  limit: PerNodeLimit,
): Promise<ScrolledShard> {
  const { pinned } = target;
  if (pinned === null) return { outcome: { kind: 'missing' }, origin: null };
  const copy = pinnedCopy(context, target, pinned);
  const next = { contextId: pinned.contextId, keepAliveMs: input.keepAliveMs ?? 0 };
  const { signal } = input;
  try {
    const answer: ScrollPhaseResponse = await limit.run(pinned.nodeId, () =>
      context.cluster.send(
        pinned.nodeId,
        SCROLL_PHASE,
        { target: copy.target, next, fetchesPage: isSingle },
        { channel: 'reg', timeoutMs: shardTimeoutMs(null), ...(signal === null ? {} : { signal }) },
      ),
    );
    const { result, hits, body, params } = answer;
    return { outcome: { kind: 'answered', copy, response: { result, hits } }, origin: { body, params } };
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    const failure = pinnedError(asShoalError(error), pinned);
    return { outcome: { kind: 'failed', nodeId: pinned.nodeId, error: failure }, origin: null };
  }
}

/** How many contexts were there to be let go. A node that does not answer forgets by itself after the keep-alive. */
export async function freeHeldContexts(
  context: CoordinatorContext,
  contents: readonly ContextIdContent[],
): Promise<number> {
  const freed = await Promise.all(contents.flatMap(({ held }) => held.map((one) => freeHeldContext(context, one))));
  return freed.filter((isFreed) => isFreed).length;
}

const FREE_TIMEOUT_MS = 30_000;

async function freeHeldContext(context: CoordinatorContext, held: HeldContext): Promise<boolean> {
  const { shard, nodeId, allocationId, contextId } = held;
  const stateVersion = context.cluster.state().version;
  const target = { index: shard.index, indexUuid: shard.indexUuid, shard: shard.number, allocationId, stateVersion };
  try {
    const options = { channel: 'reg', timeoutMs: FREE_TIMEOUT_MS } as const;
    return (await context.cluster.send(nodeId, FREE_CONTEXT, { target, contextId }, options)).freed;
  } catch (error) {
    if (isAssertionFailure(error)) throw error;
    return false;
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
