/**
 * `cumulative_cardinality`: to each bucket, how many distinct values there are in it and all before it.
 */
import { illegalArgument, type StepMeter, type Steps } from '@shoal/core';
import type { ParentKind } from '../../contract/pipeline-kind.ts';
import type { CardinalityPartial } from '../../kinds/cardinality/cardinality-partial.ts';
import { HyperLogLog } from '../../sketches/hyper-log-log.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { FinishedBucket, PipelineValue } from '../../tree/finished-level.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { parseShared } from '../pipeline-options.ts';
import { formatted } from '../pipeline-values.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'cumulative_cardinality';
}

/** Microseconds that a bucket costs, about. */
const BUCKET_UNITS = 30;

export const cumulativeCardinality: ParentKind<Pipeline> = {
  family: 'parent',
  kind: 'cumulative_cardinality',
  needs: 'sequence',
  isLast: false,
  parse: (named, options) => ({
    ...parseShared(named, options, 'skip', 'none'),
    kind: 'cumulative_cardinality',
  }),
  read: (_, parts) => ({ ...parts, kind: 'cumulative_cardinality' }),
  paths: ({ path }) => [path],
  run,
};

function* run(
  pipeline: Pipeline,
  { children }: AggregationNode,
  buckets: readonly FinishedBucket[],
  meter: StepMeter,
): Steps<readonly FinishedBucket[]> {
  const { name, path, format } = pipeline;
  const at = children.findIndex((child) => child.name === path[0]);
  if (path.length !== 1 || children[at]?.kind !== 'cardinality') {
    const found = children[at]?.kind ?? path.join('>');
    throw illegalArgument(
      `buckets_path must reference a cardinality aggregation, got: [${found}] at aggregation [${path.join('>')}]`,
    );
  }
  let all: HyperLogLog | null = null;
  const finished: FinishedBucket[] = [];
  for (const bucket of buckets) {
    const partial = bucket.children[at];
    if (partial !== undefined && isCardinality(partial)) {
      all ??= new HyperLogLog(partial.sketch.precision);
      all.merge(partial.sketch);
    }
    const values = new Map([...(bucket.values ?? []), [name, countValue(all?.cardinality() ?? 0, format)]]);
    finished.push({ ...bucket, values });
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  return finished;
}

function isCardinality(partial: PartialNode): partial is CardinalityPartial {
  return partial.kind === 'cardinality';
}

function countValue(count: number, format: string | null): PipelineValue {
  return {
    typeName: 'simple_long_value',
    number: () => count,
    members: () => ({ value: count, value_as_string: formatted(count, format) }),
  };
}
