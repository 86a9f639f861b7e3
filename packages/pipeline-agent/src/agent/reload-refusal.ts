/**
 * Limits of a reload: settings that only a restart may change, and pipelines that cannot be read anew.
 */
import { ShoalError } from '@shoal/core';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';

/** @throws ShoalError with the reason when `source` must not replace `old` in this process */
export function refuseUnreloadable(old: Pipeline, source: PipelineSource): void {
  const refuse = (reason: string): never => {
    throw new ShoalError('config_exception', 400, `pipeline [${source.id}] cannot be reloaded: ${reason}`);
  };
  if (!source.settings.isReloadable) refuse('pipeline.reloadable is false');
  if (old.plan.inputs.some((input) => input.name === 'stdin')) refuse('the stdin input cannot be read anew');
  const [before, after] = [old.source.settings, source.settings];
  if (before.queueType !== after.queueType) refuse('queue.type changes with a restart only');
  if (before.queuePath !== after.queuePath) refuse('path.queue changes with a restart only');
}
