/**
 * `max_bucket`: the largest value of all buckets.
 */
import type { SiblingKind } from '../../contract/pipeline-kind.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { parseShared } from '../pipeline-options.ts';
import { extremeValue, largestOf } from '../pipeline-values.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'max_bucket';
}

export const maxBucket: SiblingKind<Pipeline> = {
  family: 'sibling',
  kind: 'max_bucket',
  parse: (named, options) => ({ ...parseShared(named, options, 'skip'), kind: 'max_bucket' }),
  read: (_, parts) => ({ ...parts, kind: 'max_bucket' }),
  combine: ({ format }, taken) => {
    const best = largestOf(taken.map(({ value }) => value));
    const keys = taken.filter(({ value }) => value === best).map((one) => one.keyText());
    return extremeValue(best, keys, format);
  },
};
