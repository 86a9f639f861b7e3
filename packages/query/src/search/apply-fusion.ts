/**
 * Which way several searches make the hits of one: by the retriever of a body, or by its `rank`.
 */
import type { JsonNode } from '@shoal/core';
import { MATCH_NONE } from '../kinds/match-none/match-none.ts';
import type { Mutable } from '../node/mutable.ts';
import type { Query } from '../registry/query.ts';
import { plainSearch, searchRequest } from './default-request.ts';
import { notValid, type ParsedFusion, type ParsePart } from './fused-parts.ts';
import type { KnnSearch } from './knn-search.ts';
import { parsePinnedRetriever } from './parse-pinned-retriever.ts';
import { parseRank, parseRankFusion } from './parse-rank-fusion.ts';
import { parseRescorer } from './parse-rescorer.ts';
import type { FusingRetriever } from './parse-retriever.ts';
import { parseScoreFusion } from './parse-score-fusion.ts';
import type { RankFusion, SearchRequest } from './search-request.ts';

/** What of a search may be fused. */
interface RankedParts {
  /** null where the hits are those of one search. */
  readonly retriever: FusingRetriever | null;
  /** `rank` of the body; null without it. */
  readonly rank: JsonNode | null;
  readonly knn: readonly KnnSearch[];
  /** null for a search without one. */
  readonly ownQuery: Query | null;
}

const PARSERS: Readonly<Record<FusingRetriever['kind'], (node: JsonNode, parsePart: ParsePart) => ParsedFusion>> = {
  rrf: parseRankFusion,
  linear: parseScoreFusion,
  rescorer: parseRescorer,
  pinned: parsePinnedRetriever,
};

/**
 * The searches whose ranks are fused; null for a search that is one.
 *
 * @param request is told the least score that the fusion asks for
 * @param parsePart parses a body
 */
export function applyFusion(
  request: Mutable<SearchRequest>,
  { retriever, rank, knn, ownQuery }: RankedParts,
  parsePart: ParsePart,
): RankFusion | null {
  let fusion: RankFusion | null = null;
  if (retriever !== null) {
    const parsed = PARSERS[retriever.kind](retriever.node, parsePart);
    request.minScore = parsed.minScore;
    fusion = parsed.fusion;
  } else if (rank !== null) {
    const byQuery = ownQuery === null ? [] : [plainSearch(searchRequest({ query: ownQuery }))];
    const byVectors = knn.map((each) => ({ ...plainSearch(searchRequest({ query: MATCH_NONE })), knn: [each] }));
    fusion = parseRank(rank, [...byQuery, ...byVectors]);
  }
  if (fusion !== null) checkFusedPage(fusion, request);
  return fusion;
}

/** @throws ShoalError for a page that is larger than what is ranked */
function checkFusedPage({ retriever, windowSize }: RankFusion, { size }: SearchRequest): void {
  if (size <= windowSize) return;
  throw notValid(
    `[${retriever}] requires [rank_window_size: ${windowSize}] be greater than or equal to [size: ${size}]`,
  );
}
