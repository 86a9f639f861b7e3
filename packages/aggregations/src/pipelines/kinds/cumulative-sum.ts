/**
 * `cumulative_sum`: to each bucket, the sum of the values up to it.
 */
import type { ParentKind } from '../../contract/pipeline-kind.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { withValues } from '../added-values.ts';
import { parseShared } from '../pipeline-options.ts';
import { numberValue } from '../pipeline-values.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'cumulative_sum';
}

export const cumulativeSum: ParentKind<Pipeline> = {
  family: 'parent',
  kind: 'cumulative_sum',
  needs: 'sequence',
  isLast: false,
  // A sum has no gaps: a missing value adds nothing.
  parse: (named, options) => ({ ...parseShared(named, options, 'insert_zeros'), kind: 'cumulative_sum' }),
  read: (_, parts) => ({ ...parts, kind: 'cumulative_sum' }),
  paths: ({ path }) => [path],
  run: (pipeline, parent, buckets, meter) => {
    let sum = 0;
    return withValues(pipeline, parent, buckets, meter, (numbers, at) => {
      const value = numbers[at] ?? null;
      if (value !== null && Number.isFinite(value)) sum += value;
      return numberValue(sum, pipeline.format);
    });
  },
};
