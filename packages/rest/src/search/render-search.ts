/**
 * The answer of a search in Elasticsearch's shape.
 */
import { renderInSteps } from '@shoal/aggregations';
import {
  type InnerSearch,
  reduceFailure,
  renderProfile,
  renderShardCounts,
  type SearchOutcome,
} from '@shoal/coordinator';
import { FloatNumber, type RawJson, StepMeter, type Steps } from '@shoal/core';
import { HitsJson } from '@shoal/shard-api';
import { suggestJson } from './suggest-json.ts';

export interface SearchRenderOptions {
  /** `rest_total_hits_as_int`: the total as a plain number, as before version 7. */
  readonly totalHitsAsInt: boolean;
  /** `typed_keys`: names of aggregations carry the type of their result. */
  readonly typedKeys: boolean;
  /** Hits show the mapping type, as version 7 does. */
  readonly withTypes: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** Estimated cost of rendering a hit, in microseconds. */
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
    num_reduce_phases: outcome.reducePhases === 1 ? undefined : outcome.reducePhases,
    _shards: renderShardCounts(outcome.shards),
    hits: {
      total: shownTotal,
      max_score: outcome.maxScore === null ? null : new FloatNumber(outcome.maxScore),
      hits,
    },
    aggregations: aggregations === null ? undefined : yield* renderAggregations(aggregations, options),
    suggest: outcome.suggestions === null ? undefined : suggestJson(outcome.suggestions, options),
    profile: outcome.profile === null ? undefined : renderProfile(outcome.profile),
  };
}

/** Scripts of the reduction run where their values are shown. */
function* renderAggregations(
  { tree, finished }: NonNullable<SearchOutcome['aggregations']>,
  options: SearchRenderOptions,
): Steps<RawJson> {
  try {
    return yield* renderInSteps(tree, finished, options);
  } catch (error) {
    throw reduceFailure(error);
  }
}

function* renderHits({ request, hits }: SearchOutcome, options: SearchRenderOptions, meter: StepMeter): Steps<RawJson> {
  const shown = new HitsJson(request, {
    isInner: false,
    isCollapsed: request.collapse !== null,
    showsTypes: options.withTypes,
  });
  for (const hit of hits) {
    shown.add(hit, hit.innerHits.length === 0 ? null : yield* renderInnerHits(hit.innerHits, options));
    if (meter.isDue(HIT_UNITS)) yield;
  }
  return shown.finish();
}

function* renderInnerHits(searches: readonly InnerSearch[], options: SearchRenderOptions): Steps<Json> {
  const shown: [string, Json][] = [];
  for (const { name, outcome } of searches) {
    const { hits } = yield* renderSearch(outcome, options);
    shown.push([name, { hits }]);
  }
  return Object.fromEntries(shown);
}
