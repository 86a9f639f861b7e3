/**
 * `moving_percentiles`: to each bucket, the percentiles of all values of the buckets in a window.
 */
import { illegalArgument, type StepMeter, type Steps } from '@shoal/core';
import { SKETCH_UNITS } from '../../contract/partial-kind.ts';
import type { ParentKind } from '../../contract/pipeline-kind.ts';
import { percentiles } from '../../kinds/percentiles/percentiles.ts';
import type { PercentilesPartial } from '../../kinds/percentiles/percentiles-partial.ts';
import type { PercentilesAggregation } from '../../kinds/percentiles/percentiles-request.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { FinishedBucket, PipelineValue } from '../../tree/finished-level.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { parseBucketsPath } from '../pipeline-options.ts';
import { parseWindow, readWindow, type Window } from '../window.ts';

interface Pipeline extends PipelineNode, Window {
  readonly kind: 'moving_percentiles';
}

export const movingPercentiles: ParentKind<Pipeline> = {
  family: 'parent',
  kind: 'moving_percentiles',
  needs: 'sequence',
  isLast: false,
  parse: (named, options) => {
    const path = options.text('buckets_path');
    if (path === null) throw illegalArgument('Required [buckets_path]');
    const shared = { path: parseBucketsPath(path), gapPolicy: 'skip', format: null } as const;
    return { ...named, ...shared, kind: 'moving_percentiles', ...parseWindow(options) };
  },
  read: (r, parts) => ({ ...parts, kind: 'moving_percentiles', ...readWindow(r) }),
  paths: ({ path }) => [path],
  run,
};

function* run(
  pipeline: Pipeline,
  { children }: AggregationNode,
  buckets: readonly FinishedBucket[],
  meter: StepMeter,
): Steps<readonly FinishedBucket[]> {
  const { name, path, window, shift } = pipeline;
  const at = children.findIndex((child) => child.name === path[0]);
  const aggregation = children[at];
  if (path.length !== 1 || aggregation === undefined || !hasPercentiles(aggregation)) {
    const found = aggregation?.kind ?? path.join('>');
    throw illegalArgument(
      `buckets_path must reference a percentiles aggregation, got: [${found}] at aggregation [${path.join('>')}]`,
    );
  }
  const known = buckets.map(({ children: results }) => results[at]).filter(isPercentiles);
  const within = (position: number): number => Math.max(0, Math.min(position, known.length));
  const finished: FinishedBucket[] = [];
  for (const [index, bucket] of buckets.entries()) {
    const parts = known.slice(within(index - window + shift), within(index + shift));
    // One by one, so that a wide window is work in steps.
    let all: PercentilesPartial | null = null;
    for (const part of parts) {
      all = percentiles.reduce(aggregation, all === null ? [part] : [all, part]);
      if (meter.isDue(SKETCH_UNITS)) yield;
    }
    if (all === null) finished.push(bucket);
    else {
      const values = new Map([...(bucket.values ?? []), [name, movedValue(aggregation, all)]]);
      finished.push({ ...bucket, values });
    }
  }
  return finished;
}

function hasPercentiles(aggregation: AggregationNode): aggregation is PercentilesAggregation {
  return aggregation.kind === 'percentiles' && 'type' in aggregation && aggregation.type === 'percentiles';
}

function isPercentiles(partial: PartialNode | undefined): partial is PercentilesPartial {
  return partial?.kind === 'percentiles';
}

function movedValue(aggregation: PercentilesAggregation, partial: PercentilesPartial): PipelineValue {
  return {
    typeName: percentiles.resultType(aggregation, partial),
    number: (metric) => (metric === undefined ? null : partial.sketch.quantile(Number(metric) / 100)),
    members: () => percentiles.members(aggregation, partial),
  };
}
