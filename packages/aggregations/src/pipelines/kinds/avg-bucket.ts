/**
 * `avg_bucket`: the average of the values of all buckets.
 */
import type { SiblingKind } from '../../contract/pipeline-kind.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { parseShared } from '../pipeline-options.ts';
import { numberValue, sumOf } from '../pipeline-values.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'avg_bucket';
}

export const avgBucket: SiblingKind<Pipeline> = {
  family: 'sibling',
  kind: 'avg_bucket',
  parse: (named, options) => ({ ...parseShared(named, options, 'skip'), kind: 'avg_bucket' }),
  read: (_, parts) => ({ ...parts, kind: 'avg_bucket' }),
  combine: ({ format }, taken) => {
    const values = taken.map(({ value }) => value);
    return numberValue(values.length === 0 ? Number.NaN : sumOf(values) / values.length, format);
  },
};
