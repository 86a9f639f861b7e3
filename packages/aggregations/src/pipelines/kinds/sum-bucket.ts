/**
 * `sum_bucket`: the sum of the values of all buckets.
 */
import type { SiblingKind } from '../../contract/pipeline-kind.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { parseShared } from '../pipeline-options.ts';
import { numberValue, sumOf } from '../pipeline-values.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'sum_bucket';
}

export const sumBucket: SiblingKind<Pipeline> = {
  family: 'sibling',
  kind: 'sum_bucket',
  parse: (named, options) => ({ ...parseShared(named, options, 'skip'), kind: 'sum_bucket' }),
  read: (_, parts) => ({ ...parts, kind: 'sum_bucket' }),
  combine: ({ format }, taken) => {
    const values = taken.map(({ value }) => value);
    return numberValue(sumOf(values), format);
  },
};
