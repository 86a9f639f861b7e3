/**
 * Pipelines that run scripts, which this server does not: known, to be refused by name.
 */
import { illegalArgument } from '@shoal/core';
import type { PipelineNames, PipelineParser } from '../contract/pipeline-kind.ts';
import type { OptionReader } from '../request/option-reader.ts';
import type { PipelineNode } from '../tree/pipeline-node.ts';

export const SCRIPTED_PIPELINES: ReadonlyMap<string, PipelineParser<PipelineNode>> = new Map<
  string,
  PipelineParser<PipelineNode>
>([['moving_fn', refuseMovingFunction]]);

function refuseScript(named: PipelineNames, options: OptionReader): never {
  throw illegalArgument(
    `[${options.type}] of [${named.name}] runs a script, and scripts are not supported by this server`,
  );
}

function refuseMovingFunction(named: PipelineNames, options: OptionReader): never {
  const window = options.integer('window');
  if (window === null) throw illegalArgument('Required [window]');
  if (window <= 0) throw illegalArgument('[window] must be a positive, non-zero integer.');
  return refuseScript(named, options);
}
