/**
 * Deep pages on an open shard: the first round of a search, which finds and sorts its matches, and the rounds behind it.
 */
import { searchIdentity, searchRequest } from '@shoal/query';
import type { QueryShardRequest, RankAnswer, RankAsk, RankedQueryResult, RankRoundRequest } from '@shoal/shard-api';
import { answerRound } from '../../collect/deep-page/ranked-list.ts';
import type { Searcher } from '../../format/reader/segment-reader.ts';
import type { StopSignal } from '../../pacing/stop-signal.ts';
import type { ShardQueryOutcome } from '../../phases/context/shard-search-context.ts';
import { totalHits } from '../../phases/query/execute-query.ts';
import type { RankedOutcome } from '../../phases/query/rank-query.ts';
import type { SegmentSet } from '../commit/segment-set.ts';
import type { RankLists, StoredList } from './ranked-list-store.ts';
import type { SearchContexts } from './search-contexts.ts';

export interface RankedSearchesParts {
  readonly contexts: SearchContexts;
  readonly segments: SegmentSet;
  readonly lists: RankLists;
  /** Throws when the shard was closed meanwhile. */
  readonly checkOpen: () => void;
  readonly execute: (searcher: Searcher, request: QueryShardRequest, stop: StopSignal) => Promise<ShardQueryOutcome>;
  readonly rank: (
    searcher: Searcher,
    request: QueryShardRequest,
    ask: RankAsk,
    stop: StopSignal,
    bytesMax: number,
  ) => Promise<RankedOutcome>;
}

export class RankedSearches {
  private readonly parts: RankedSearchesParts;

  constructor(parts: RankedSearchesParts) {
    this.parts = parts;
  }

  async query(request: QueryShardRequest, ask: RankAsk, stop: StopSignal): Promise<RankedQueryResult> {
    const { contexts, segments, lists } = this.parts;
    const { reader } = request;
    if (reader !== null) {
      return contexts.during(reader, request.keepAliveMs, ({ searcher }) =>
        this.inReader(searcher, reader, request, ask, stop),
      );
    }
    const searcher = segments.acquire();
    let isKept = false;
    try {
      const { result, answer, kept } = await this.parts.rank(searcher, request, ask, stop, lists.roomBytes);
      this.parts.checkOpen();
      if (answer.count === 0) return { result: { ...result, contextId: null }, rank: { ...answer, listId: null } };
      const contextId = contexts.open('fetch', searcher, request.keepAliveMs, {
        cursor: null,
        request: request.search.request,
      });
      isKept = true;
      return { result: { ...result, contextId }, rank: { ...answer, listId: this.keep(contextId, null, kept) } };
    } finally {
      if (!isKept) segments.release(searcher);
    }
  }

  /** What a point in time keeps is asked again by its next pages. */
  private async inReader(
    searcher: Searcher,
    contextId: number,
    request: QueryShardRequest,
    ask: RankAsk,
    stop: StopSignal,
  ): Promise<RankedQueryResult> {
    const { lists } = this.parts;
    const identity = ask.kind === 'list' ? this.identityOf(request) : null;
    const known = identity === null ? null : lists.find(contextId, identity);
    if (known !== null && ask.kind === 'list') {
      const answer = answerRound(known.matches.entries, known.matches.sort, ask.round, request.shardIndex);
      return { result: await this.again(searcher, known, request, stop), rank: { ...answer, listId: known.id } };
    }
    const { result, answer, kept } = await this.parts.rank(searcher, request, ask, stop, lists.roomBytes);
    const isWhole = kept?.isPartial === false;
    const listId = this.keep(contextId, isWhole ? identity : null, kept);
    return { result: { ...result, contextId }, rank: { ...answer, listId } };
  }

  /** What a search tells beside its entries, when they are known already. */
  private async again(
    searcher: Searcher,
    { contextId, matches }: StoredList,
    request: QueryShardRequest,
    stop: StopSignal,
  ): Promise<RankedQueryResult['result']> {
    const { request: search, aggregations } = request.search;
    const { total, maxScore } = matches;
    if (aggregations !== null || search.isProfiled) {
      const found = await this.parts.execute(searcher, { ...request, topN: 0 }, stop);
      return { ...found, total: totalHits(search, total), maxScore, contextId };
    }
    return {
      contextId,
      total: totalHits(search, total),
      maxScore,
      columns: [],
      scores: null,
      ords: new Uint32Array(0),
      groups: null,
      profile: null,
      aggregations: null,
      timedOut: false,
      terminatedEarly: search.terminateAfter > 0 && total >= search.terminateAfter,
      isSkipped: false,
    };
  }

  private identityOf({ search, aliasFilter, statistics, indexBoost, shardIndex, nowMs }: QueryShardRequest): string {
    const filtered = aliasFilter === null ? null : searchIdentity(searchRequest({ query: aliasFilter }), nowMs);
    const termCounts = statistics === null ? '' : Buffer.from(statistics).toString('latin1');
    return JSON.stringify([shardIndex, indexBoost, filtered, termCounts, searchIdentity(search.request, nowMs)]);
  }

  private keep(contextId: number, identity: string | null, kept: RankedOutcome['kept']): number | null {
    const { contexts, lists } = this.parts;
    if (kept === null) return null;
    const outlivesSearch = contexts.get(contextId).kind === 'reader';
    try {
      return lists.add({ contextId, identity, outlivesSearch, matches: kept });
    } catch (error) {
      if (!outlivesSearch) contexts.free(contextId);
      throw error;
    }
  }

  round({ contextId, listId, round, shardIndex }: RankRoundRequest): Promise<RankAnswer> {
    const { contexts, lists } = this.parts;
    return contexts.during(contextId, 0, async () => {
      const { entries, sort } = lists.get(contextId, listId).matches;
      return { ...answerRound(entries, sort, round, shardIndex), listId };
    });
  }
}
