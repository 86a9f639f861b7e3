/**
 * How many workers a pipeline may have: as many as set, unless order was asked for or a filter needs all events in one worker.
 */

import { flatPlugins, type PipelinePlan, type PlannedFilter, positionText } from '@shoal/agent-config';
import { ShoalError } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';
import type { PipelineSource } from '../sources/pipeline-source.ts';

/** @throws illegal_argument_exception for more workers than `pipeline.ordered: true` allows */
export function workerCount(runtime: Runtime, source: PipelineSource, plan: PipelinePlan): number {
  const { workers, isWorkersExplicit, ordered } = source.settings;
  if (ordered === 'true') {
    if (isWorkersExplicit && workers > 1) {
      const message = `pipeline.ordered: true needs pipeline.workers: 1, found ${workers} [${source.id}]`;
      throw new ShoalError('illegal_argument_exception', 400, message);
    }
    return 1;
  }
  const single = flatPlugins(plan.filters).filter(needsOneWorker);
  if (single.length === 0 || workers === 1) return workers;
  // Each worker has filters of its own: with several of them such a filter would see a part of the events only.
  runtime.log.warn('one worker only: a filter keeps state over all events', {
    filters: single.map(({ name, id, position }) => `${name} ${id} at ${positionText(position)}`),
    ...(isWorkersExplicit ? { 'pipeline.workers': `${workers}, which is not obeyed` } : {}),
  });
  return 1;
}

function needsOneWorker({ definition, options }: PlannedFilter): boolean {
  const { needsOneWorker: needs = false } = definition;
  return typeof needs === 'boolean' ? needs : needs(options.withoutCodecs());
}
