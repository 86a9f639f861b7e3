/**
 * distance_feature on a shard.
 */
import type { DistanceFeatureQuery } from '@shoal/query';
import { compileDistance } from '../compile/compile-distances.ts';
import { markNothing, type QueryBehaviour } from './query-behaviour.ts';

export const distanceFeature: QueryBehaviour<DistanceFeatureQuery> = {
  compile: compileDistance,
  describe: () => ({ type: 'DistanceFeatureQuery', text: '' }),
  mark: markNothing,
};
