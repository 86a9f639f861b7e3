/**
 * `serial_diff`: to each bucket, how much its value is above that of a bucket some positions before.
 */
import { illegalArgument } from '@shoal/core';
import type { ParentKind } from '../../contract/pipeline-kind.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { withValues } from '../added-values.ts';
import { parseShared } from '../pipeline-options.ts';
import { numberValue } from '../pipeline-values.ts';

/** Buckets that a serial difference may look back. */
const LAG_MAX = 100_000;

interface Pipeline extends PipelineNode {
  readonly kind: 'serial_diff';
  /** Positions between the two buckets; 1..100000. */
  readonly lag: number;
}

export const serialDiff: ParentKind<Pipeline> = {
  family: 'parent',
  kind: 'serial_diff',
  needs: 'sequence',
  isLast: false,
  parse: (named, options) => {
    const lag = options.integer('lag') ?? 1;
    if (lag <= 0 || lag > LAG_MAX) throw illegalArgument('[lag] must be a positive integer');
    return { ...parseShared(named, options, 'skip'), kind: 'serial_diff', lag };
  },
  read: (r, parts) => ({ ...parts, kind: 'serial_diff', lag: r.integer('lag', 1, LAG_MAX) }),
  paths: ({ path }) => [path],
  run: (pipeline, parent, buckets, meter) =>
    withValues(pipeline, parent, buckets, meter, (numbers, at) => {
      const difference = (numbers[at] ?? Number.NaN) - (numbers[at - pipeline.lag] ?? Number.NaN);
      return Number.isNaN(difference) ? null : numberValue(difference, pipeline.format);
    }),
};
