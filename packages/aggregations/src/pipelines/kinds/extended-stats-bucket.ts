/**
 * `extended_stats_bucket`: the stats of the values of all buckets, with their spread.
 */
import { illegalArgument } from '@shoal/core';
import type { SiblingKind } from '../../contract/pipeline-kind.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { bucketStats } from '../bucket-stats.ts';
import { parseShared } from '../pipeline-options.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'extended_stats_bucket';
  /** Standard deviations of the bounds. */
  readonly sigma: number;
}

const SIGMA_DEFAULT = 2;

export const extendedStatsBucket: SiblingKind<Pipeline> = {
  family: 'sibling',
  kind: 'extended_stats_bucket',
  parse: (named, options) => {
    const sigma = options.number('sigma') ?? SIGMA_DEFAULT;
    if (sigma < 0) throw illegalArgument('sigma must be a non-negative double');
    return { ...parseShared(named, options, 'skip'), kind: 'extended_stats_bucket', sigma };
  },
  read: (r, parts) => {
    const sigma = r.number('sigma');
    if (sigma < 0) r.refuse('sigma', 'at least 0');
    return { ...parts, kind: 'extended_stats_bucket', sigma };
  },
  combine: (pipeline, taken) => bucketStats(pipeline, 'extended_stats', pipeline.sigma, taken),
};
