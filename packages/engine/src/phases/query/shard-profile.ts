/**
 * `profile` of a search on one shard: its query and its aggregations.
 */
import { writeJson } from '@shoal/core';
import type { Clock } from '@shoal/runtime';
import { AggregationProfile } from '../../collect/aggregations/collector/aggregation-profile.ts';
import { type CollectorReport, QueryProfile } from '../../match/profile/query-profile.ts';
import type { Wording } from '../../match/weight/weight.ts';

export class ShardProfile {
  readonly query: QueryProfile;
  readonly aggregations: AggregationProfile;

  constructor(clock: Clock, wording: Wording) {
    this.query = new QueryProfile(clock, wording);
    this.aggregations = new AggregationProfile(clock);
  }

  /** JSON of an object, to which the coordinator adds where the shard is. */
  render(collector: CollectorReport): Uint8Array {
    return writeJson({ searches: [this.query.render(collector)], aggregations: this.aggregations.render() });
  }
}
