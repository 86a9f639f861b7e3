/**
 * Aggregations of a request that another node parsed and sent as plain data: every part is checked, as anything from outside.
 */
import { ValueReader } from '@shoal/core';
import { kindNamed } from '../kinds/aggregation-kinds.ts';
import { PIPELINE_KINDS } from '../pipelines/kinds/pipeline-kinds.ts';
import { readShared } from '../pipelines/pipeline-options.ts';
import { readMeta } from '../request/read-meta.ts';
import type { AggregationLevel, AggregationNode } from '../tree/aggregation-node.ts';
import type { PipelineNode } from '../tree/pipeline-node.ts';
import { checkPipelines } from './check-pipelines.ts';
import { COUNT_MAX, DEPTH_MAX } from './parse-aggregations.ts';

/** Aggregations that one message may still have. */
interface Budget {
  left: number;
}

/** Reads one level with all below it. @throws ShoalError for what `parseAggregations` does not give */
export function readAggregations(r: ValueReader): AggregationLevel {
  const level = readLevel(r, 'aggregations', 0, { left: COUNT_MAX });
  checkPipelines(level);
  return level;
}

function readLevel(r: ValueReader, children: string, depth: number, budget: Budget): AggregationLevel {
  return {
    aggregations: r.list(children, (value, field) => readOne(ValueReader.of(value, field), depth, budget), budget.left),
    pipelines: r.list('pipelines', (value, field) => readPipeline(ValueReader.of(value, field)), COUNT_MAX),
  };
}

function readOne(r: ValueReader, depth: number, budget: Budget): AggregationNode {
  if (depth > DEPTH_MAX) r.refuse('kind', `at most ${DEPTH_MAX} levels deep`);
  if (budget.left-- <= 0) r.refuse('kind', `one of at most ${COUNT_MAX} aggregations`);
  const kind = kindNamed(r.string('kind'));
  if (kind === null) return r.refuse('kind', 'a kind of aggregation');
  const { aggregations, pipelines } = readLevel(r, 'children', depth + 1, budget);
  const [type, name] = [r.oneOf('type', Object.keys(kind.parsers)), r.string('name')];
  const node = kind.read(r, { type, name, meta: r.optional('meta', readMeta), children: aggregations, pipelines });
  if (kind.family === 'metric' && aggregations.length + pipelines.length > 0) r.refuse('children', 'empty');
  return node;
}

function readPipeline(r: ValueReader): PipelineNode {
  const kind = PIPELINE_KINDS.get(r.string('kind'));
  return kind === undefined ? r.refuse('kind', 'a kind of pipeline') : kind.read(r, readShared(r));
}
