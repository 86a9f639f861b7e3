/**
 * The aggregations of one request over one shard, and the search around them.
 */
import type { AggregationNode } from '@shoal/aggregations';
import type { Steps } from '@shoal/core';
import type { QueryNode } from '@shoal/query';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import type { Weight } from '../../../match/weight/weight.ts';
import type { BreakerAccount } from '../../../memory/request-breaker.ts';
import type { MatchWalk } from '../../walk/match-walk.ts';
import type { AggregationProfile } from '../collector/aggregation-profile.ts';
import type { ShownDocuments } from '../collector/shown-documents.ts';
import type { SearchSharing } from './search-guests.ts';

export interface AggregationRun {
  readonly ctx: CompileContext;
  /** The outermost ones, in the order of the request. */
  readonly aggregations: readonly AggregationNode[];
  /** What the search asks for, without the post filter. */
  readonly query: QueryNode;
  /** The query without the post filter: that one is for the hits alone. */
  readonly weight: Weight;
  /** Counts the matches; ends early as the request asks. */
  readonly walk: MatchWalk;
  /** For the aggregations that do not care what the query matches. */
  readonly globalWalk: MatchWalk;
  /** Told what the buckets take; null: nobody counts. */
  readonly held: BreakerAccount | null;
  /** Documents as the search shows them; null where none can be shown. */
  readonly documents: ShownDocuments | null;
  /** null when nobody asked. */
  readonly profile: AggregationProfile | null;
  /** How other threads may take part; null: one thread does all. */
  readonly sharing: SearchSharing | null;
}

/** What was collected is made an answer in slices, as it was collected: buckets may be many. */
export async function inSlices<T>({ walk }: Pick<AggregationRun, 'walk'>, steps: Steps<T>): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    const pause = walk.rest();
    if (pause !== null) await pause;
  }
}
