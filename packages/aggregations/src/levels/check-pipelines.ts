/**
 * Checks of a request that its pipelines stand where they can work.
 */
import { illegalArgument } from '@shoal/core';
import type { ParentKind } from '../contract/pipeline-kind.ts';
import { kindOf } from '../kinds/aggregation-kinds.ts';
import { pathsOf, pipelineKindOf } from '../pipelines/kinds/pipeline-kinds.ts';
import { validationError } from '../request/request-errors.ts';
import type { AggregationNode } from '../tree/aggregation-node.ts';
import type { PipelineNode } from '../tree/pipeline-node.ts';

/** @throws ShoalError for a pipeline that has nothing to work on; `parent`: null at the top */
export function checkPipelines(
  pipelines: readonly PipelineNode[],
  level: readonly AggregationNode[],
  parent: AggregationNode | null,
): void {
  for (const pipeline of pipelines) {
    const kind = pipelineKindOf(pipeline);
    if (kind.family === 'sibling') checkSibling(pipeline, level);
    else {
      checkParent(kind, pipeline, parent);
      for (const path of pathsOf(pipeline)) checkFirst(path, level, pipelines);
    }
  }
}

function checkFirst(
  [first = '']: readonly string[],
  level: readonly AggregationNode[],
  pipelines: readonly PipelineNode[],
): void {
  if (first === '_count' || first === '_key') return;
  if ([...level, ...pipelines].some(({ name }) => name === first)) return;
  throw illegalArgument(`No aggregation found for path [${first}]`);
}

function checkSibling({ name, path, kind }: PipelineNode, level: readonly AggregationNode[]): void {
  const [first = ''] = path;
  const found = level.find((aggregation) => aggregation.name === first);
  const shown = path.join('>');
  if (found === undefined) {
    throw validationError(`buckets_path aggregation does not exist for aggregation [${name}]: ${shown}`);
  }
  if (hasSeveralBuckets(found)) return;
  throw validationError(
    `The first aggregation in buckets_path must be a multi-bucket aggregation for aggregation [${name}] found :${found.kind} for buckets path: ${shown} of ${kind}`,
  );
}

function hasSeveralBuckets(aggregation: AggregationNode): boolean {
  const kind = kindOf(aggregation);
  return kind.family === 'bucket' && kind.hasSeveralBuckets(aggregation);
}

function isSequence(aggregation: AggregationNode): boolean {
  const kind = kindOf(aggregation);
  return kind.family === 'bucket' && kind.isSequence;
}

function checkParent(
  { needs }: ParentKind<PipelineNode>,
  { name, kind }: PipelineNode,
  parent: AggregationNode | null,
): void {
  if (parent === null) {
    if (needs === 'buckets')
      throw validationError(`${kind} aggregation [${name}] must be declared inside of another aggregation`);
  } else if (needs === 'buckets' ? hasSeveralBuckets(parent) : isSequence(parent)) return;
  throw validationError(
    `${kind} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as parent`,
  );
}
