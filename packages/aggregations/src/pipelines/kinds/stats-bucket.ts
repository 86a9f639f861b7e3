/**
 * `stats_bucket`: count, extremes, average and sum of the values of all buckets.
 */
import type { SiblingKind } from '../../contract/pipeline-kind.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { bucketStats } from '../bucket-stats.ts';
import { parseShared } from '../pipeline-options.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'stats_bucket';
}

export const statsBucket: SiblingKind<Pipeline> = {
  family: 'sibling',
  kind: 'stats_bucket',
  parse: (named, options) => ({ ...parseShared(named, options, 'skip'), kind: 'stats_bucket' }),
  read: (_, parts) => ({ ...parts, kind: 'stats_bucket' }),
  combine: (pipeline, taken) => bucketStats(pipeline, 'stats', 0, taken),
};
