/**
 * `bucket_selector`: keeps the buckets of whose values a script says yes.
 */
import type { StepMeter, Steps } from '@shoal/core';
import { BUCKET_SELECTOR_CONTEXT, type ScriptRequest } from '@shoal/script';
import type { ParentKind } from '../../contract/pipeline-kind.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { FinishedBucket } from '../../tree/finished-level.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { type NamedPath, parseScripted, readScripted, scriptOfBuckets, valuesOf } from '../bucket-scripts.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'bucket_selector';
  readonly script: ScriptRequest;
  readonly variables: readonly NamedPath[];
}

/** Microseconds that a bucket costs, about. */
const BUCKET_UNITS = 5;

export const bucketSelector: ParentKind<Pipeline> = {
  family: 'parent',
  kind: 'bucket_selector',
  needs: 'buckets',
  isLast: false,
  parse: (named, options) => ({ ...named, ...parseScripted(options), kind: 'bucket_selector' }),
  read: (r, parts) => ({ ...parts, ...readScripted(r), kind: 'bucket_selector' }),
  paths: ({ variables }) => variables.map(({ path }) => path),
  run: select,
};

function* select(
  pipeline: Pipeline,
  { children }: AggregationNode,
  buckets: readonly FinishedBucket[],
  meter: StepMeter,
): Steps<readonly FinishedBucket[]> {
  const run = scriptOfBuckets(pipeline.script, BUCKET_SELECTOR_CONTEXT);
  // Values that are missing are given to the script as NaN: it decides.
  const asked = { ...pipeline, keepsGaps: true };
  const kept: FinishedBucket[] = [];
  for (const bucket of buckets) {
    const given = valuesOf(asked, children, bucket);
    if (given !== null && run(given) === true) kept.push(bucket);
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  return kept;
}
