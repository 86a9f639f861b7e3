/**
 * `bucket_script`: to each bucket, what a script makes of values of it.
 */
import type { StepMeter, Steps } from '@shoal/core';
import { BUCKET_AGGREGATION_CONTEXT, type ScriptRequest, textOf } from '@shoal/script';
import type { ParentKind } from '../../contract/pipeline-kind.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { FinishedBucket } from '../../tree/finished-level.ts';
import type { PipelineNode } from '../../tree/pipeline-node.ts';
import { type NamedPath, parseScripted, readScripted, scriptOfBuckets, valuesOf } from '../bucket-scripts.ts';
import { numberValue } from '../pipeline-values.ts';

interface Pipeline extends PipelineNode {
  readonly kind: 'bucket_script';
  readonly script: ScriptRequest;
  readonly variables: readonly NamedPath[];
}

/** Microseconds that a bucket costs, about. */
const BUCKET_UNITS = 5;

export const bucketScript: ParentKind<Pipeline> = {
  family: 'parent',
  kind: 'bucket_script',
  needs: 'buckets',
  isLast: false,
  parse: (named, options) => ({ ...named, ...parseScripted(options), kind: 'bucket_script' }),
  read: (r, parts) => ({ ...parts, ...readScripted(r), kind: 'bucket_script' }),
  paths: ({ variables }) => variables.map(({ path }) => path),
  run: addValues,
};

function* addValues(
  pipeline: Pipeline,
  { children }: AggregationNode,
  buckets: readonly FinishedBucket[],
  meter: StepMeter,
): Steps<readonly FinishedBucket[]> {
  const run = scriptOfBuckets(pipeline.script, BUCKET_AGGREGATION_CONTEXT);
  const finished: FinishedBucket[] = [];
  for (const bucket of buckets) {
    const given = valuesOf(pipeline, children, bucket);
    const result = given === null ? null : run(given);
    if (result === null) finished.push(bucket);
    else {
      const value = numberValue(Number(textOf(result)), pipeline.format);
      finished.push({ ...bucket, values: new Map([...(bucket.values ?? []), [pipeline.name, value]]) });
    }
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  return finished;
}
