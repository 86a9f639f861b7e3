/**
 * The answer of a search in the shape that users know.
 */
import { renderInSteps, StepMeter, type Steps } from '@shoal/aggregations';
import { FloatNumber, RawJson } from '@shoal/core';
import { type SearchRequest, type ShardQueryResult, type SortColumn, sortValueForHit } from '@shoal/query';
import { type DateFormatter, dateFormatter } from '@shoal/schema';
import type { SearchOutcome } from '../actions/execute-search.ts';
import type { InnerSearch } from './expand-groups.ts';
import type { SearchHit } from './gathered-results.ts';
import { renderShardCounts } from './search-failures.ts';
import { renderProfile } from './search-profile.ts';
import { shownFields } from './shown-fields.ts';

export interface SearchRenderOptions {
  /** `rest_total_hits_as_int`: the total as a plain number, as before version 7. */
  readonly totalHitsAsInt: boolean;
  /** `typed_keys`: names of aggregations carry the type of their result. */
  readonly typedKeys: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** What a hit costs, about, in microseconds. */
const HIT_UNITS = 2;

/** A value for `writeJson`. */
export function* renderSearch(outcome: SearchOutcome, options: SearchRenderOptions): Steps<Json> {
  const { total, aggregations } = outcome;
  const hits = yield* renderHits(outcome, options, new StepMeter());
  const shownTotal = options.totalHitsAsInt ? (total?.value ?? -1) : (total ?? undefined);
  return {
    _scroll_id: outcome.scrollId ?? undefined,
    pit_id: outcome.pointInTimeId ?? undefined,
    took: outcome.tookMs,
    timed_out: outcome.timedOut,
    terminated_early: outcome.terminatedEarly ?? undefined,
    _shards: renderShardCounts(outcome.shards),
    hits: {
      total: shownTotal,
      max_score: outcome.maxScore === null ? null : new FloatNumber(outcome.maxScore),
      hits,
    },
    aggregations:
      aggregations === null ? undefined : yield* renderInSteps(aggregations.tree, aggregations.finished, options),
    profile: outcome.profile === null ? undefined : renderProfile(outcome.profile),
  };
}

function* renderHits(
  { request, hits }: SearchOutcome,
  options: SearchRenderOptions,
  meter: StepMeter,
): Steps<readonly Json[]> {
  const formatters = request.sort.map(({ format }) => (format === null ? null : dateFormatter(format)));
  const shown: Json[] = [];
  for (const hit of hits) {
    const inner = hit.innerHits.length === 0 ? undefined : yield* renderInnerHits(hit.innerHits, options);
    shown.push({ ...renderHit(hit, request, formatters), inner_hits: inner });
    if (meter.isDue(HIT_UNITS)) yield;
  }
  return shown;
}

function* renderInnerHits(searches: readonly InnerSearch[], options: SearchRenderOptions): Steps<Json> {
  const shown: [string, Json][] = [];
  for (const { name, outcome } of searches) {
    const { hits } = yield* renderSearch(outcome, options);
    shown.push([name, { hits }]);
  }
  return Object.fromEntries(shown);
}

type SortFormatters = readonly (DateFormatter | null)[];

function renderHit(found: SearchHit, request: SearchRequest, formatters: SortFormatters): Json {
  const { hit, result, position } = found;
  return {
    _shard: hit.explanation === null ? undefined : `[${found.index}][${found.shardNumber}]`,
    _node: hit.explanation === null ? undefined : found.nodeId,
    _index: found.index,
    _id: request.storedFields?.includes('_none_') === true ? undefined : hit.id,
    _version: request.version ? hit.version : undefined,
    _seq_no: request.seqNoPrimaryTerm ? hit.seqNo : undefined,
    _primary_term: request.seqNoPrimaryTerm ? hit.primaryTerm : undefined,
    _score: scoreOf(result, position, request),
    _routing: hit.routing ?? undefined,
    _source: hit.source === null ? undefined : new RawJson(hit.source),
    fields: shownFields(found),
    highlight: hit.highlight === null ? undefined : new RawJson(hit.highlight),
    sort: sortsByScoreAlone(request)
      ? undefined
      : result.columns.map((column, k) => shownSortValue(column, position, formatters[k])),
    matched_queries: hit.matchedQueries === null ? undefined : new RawJson(hit.matchedQueries),
    _explanation: hit.explanation === null ? undefined : new RawJson(hit.explanation.tree),
  };
}

/** Dates in the format that the sort asks for; shards take a format for dates alone. */
function shownSortValue(column: SortColumn, position: number, formatter: DateFormatter | null | undefined): unknown {
  const value = sortValueForHit(column, position);
  return formatter && column.kind === 'integer' && typeof value === 'number' ? formatter.print(value) : value;
}

/** Sorting by `_score` alone is what a search without a sort does, and is answered alike. */
function sortsByScoreAlone(request: SearchRequest): boolean {
  const [only] = request.sort;
  return only === undefined || (request.sort.length === 1 && only.kind === 'score' && only.order === 'desc');
}

function scoreOf(result: ShardQueryResult, position: number, request: SearchRequest): FloatNumber | null {
  const beside = result.scores?.[position];
  if (beside !== undefined) return new FloatNumber(beside);
  const key = request.sort.length === 0 ? 0 : request.sort.findIndex((field) => field.kind === 'score');
  const column = result.columns[key];
  if (column?.kind !== 'score') return null;
  return new FloatNumber(column.values[position] ?? 0);
}
