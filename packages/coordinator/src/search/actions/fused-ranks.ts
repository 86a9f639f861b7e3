/**
 * Ranks that are fused: every part is searched first, the places or scores of its hits make the scores of the search itself.
 *
 * Only the documents of the page are hits by their scores. All others that any part matches are counted and aggregated, without a
 * score. Documents are told by their ids, as nearest neighbours are: one that another write replaces in between keeps its score.
 */
import {
  type FoundNeighbour,
  type FusedPart,
  type FusionRule,
  type Query,
  RANKED_DOCUMENTS,
  type RankFusion,
  type SearchRequest,
  searchRequest,
} from '@shoal/query';
import type { SearchHit, SearchOutcome } from '../results/search-outcome.ts';
import type { SearchInput } from '../targets/search-input.ts';
import { normalizedScores } from './normalized-scores.ts';

export interface FusedSearch {
  readonly input: SearchInput;
  readonly request: SearchRequest;
  readonly fusion: RankFusion;
}

/** A search whose hits are known, and the order in which they stand. */
export interface FusedRanks {
  readonly request: SearchRequest;
  /** Documents of the page, the best first. */
  readonly page: readonly FoundNeighbour[];
  /** Best score of all pages; null where nothing was found. */
  readonly maxScore: number | null;
}

interface RankedDocument extends FoundNeighbour {
  readonly key: string;
  /** Place in each part, from 1; Infinity where it was not found. */
  readonly places: readonly number[];
}

/** @param search runs a search of its own */
export async function withFusedRanks(
  { input, request, fusion }: FusedSearch,
  search: (input: SearchInput) => Promise<SearchOutcome>,
): Promise<FusedRanks> {
  const outcomes = await Promise.all(fusion.parts.map((part) => search(partInput(part, input, request, fusion))));
  const least = request.minScore ?? 0;
  const ranked = fuseRanks(
    outcomes.map(({ hits }) => hits),
    fusion,
  )
    .slice(0, fusion.windowSize)
    .filter(({ score }) => score >= least);
  const page = ranked.slice(request.from, request.from + request.size);
  const matched = anyOf(outcomes.map((outcome) => outcome.request.query));
  const counted: Query = { ...anyOf([]), filter: [matched] };
  const query = anyOf([
    { ...RANKED_DOCUMENTS, found: page.map(({ key: _key, places: _places, ...one }) => one) },
    counted,
  ]);
  return { request: { ...request, query, from: 0, size: page.length }, page, maxScore: ranked[0]?.score ?? null };
}

/** Hits in the order in which they were ranked, which decides between equal scores. */
export function inRankedOrder(hits: readonly SearchHit[], page: readonly FoundNeighbour[]): readonly SearchHit[] {
  const places = new Map(page.map(({ index, shard, id }, at) => [keyOf(index, shard, id), at]));
  const placeOf = ({ index, shardNumber, hit }: SearchHit): number =>
    places.get(keyOf(index, shardNumber, hit.id)) ?? places.size;
  return hits.filter((hit) => placeOf(hit) < places.size).toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Documents with the sums of what their places are worth, the best first. */
function fuseRanks(
  lists: readonly (readonly SearchHit[])[],
  { parts, rule }: Pick<RankFusion, 'parts' | 'rule'>,
): readonly RankedDocument[] {
  const found = new Map<string, RankedDocument>();
  for (const [part, hits] of lists.entries()) {
    const worths = worthsOf(hits, rule, parts[part]);
    for (const [at, { index, shardNumber, hit }] of hits.entries()) {
      const key = keyOf(index, shardNumber, hit.id);
      const known = found.get(key);
      const places = known?.places ?? lists.map(() => Number.POSITIVE_INFINITY);
      // Sums of floats, as they are where the scores come from.
      const score = Math.fround((known?.score ?? 0) + (worths[at] ?? 0));
      found.set(key, { key, index, shard: shardNumber, id: hit.id, score, places: places.with(part, at + 1) });
    }
  }
  return [...found.values()].sort(compareRanked);
}

/** What each hit of a part is worth, weighed. */
function worthsOf(hits: readonly SearchHit[], rule: FusionRule, part: FusedPart | undefined): readonly number[] {
  const { weight, normalizer } = part ?? { weight: 1, normalizer: 'none' };
  const values =
    rule.kind === 'places'
      ? hits.map((_, at) => Math.fround(1 / (rule.rankConstant + at + 1)))
      : normalizedScores(hits.map(scoreOf), normalizer);
  return values.map((value) => Math.fround(weight * value));
}

/** Score of a hit; 0 where hits were sorted by something else. */
function scoreOf({ result, position }: SearchHit): number {
  const column = result.columns[0];
  return (column?.kind === 'score' ? column.values[position] : result.scores?.[position]) ?? 0;
}

/** The better score first; among equals that with the better place in the first part that tells them apart. */
function compareRanked(a: RankedDocument, b: RankedDocument): number {
  if (a.score !== b.score) return b.score - a.score;
  for (const [part, place] of a.places.entries()) {
    const other = b.places[part] ?? Number.POSITIVE_INFINITY;
    if (place !== other) return place - other;
  }
  return 0;
}

const keyOf = (index: string, shard: number, id: string): string => JSON.stringify([index, shard, id]);

/** Search of one part: nothing of its hits is read but their ids. */
function partInput(
  { search }: FusedPart,
  input: SearchInput,
  { pointInTime, timeoutMs, runtimeMappings, slice, indicesBoost }: SearchRequest,
  { windowSize }: RankFusion,
): SearchInput {
  const around = { pointInTime, timeoutMs, runtimeMappings, slice, indicesBoost };
  const shown = { source: { enabled: false, includes: [], excludes: [] }, trackTotalHits: 0 };
  const request = searchRequest({ ...search.request, ...around, ...shown, from: 0, size: windowSize });
  return {
    ...input,
    body: null,
    params: {},
    parsed: { ...search, request },
    scrollKeepAliveMs: null,
    countsExactly: false,
  };
}

function anyOf(queries: readonly Query[]): Extract<Query, { kind: 'bool' }> {
  const none = { must: [], filter: [], mustNot: [] };
  return { kind: 'bool', ...none, should: [...queries], minimumShouldMatch: null, boost: 1, name: null };
}
