/** What went through the pipelines of a node, in the shape of `_nodes/stats/ingest`. */
import { type CompiledPipeline, type RunStats, shownName } from '@shoal/ingest';

type Json = Readonly<Record<string, unknown>>;

export function ingestStatsBody(total: RunStats, pipelines: readonly CompiledPipeline[]): Json {
  return {
    total: countsBody(total),
    pipelines: Object.fromEntries(pipelines.map((pipeline) => [pipeline.id, pipelineStats(pipeline)])),
  };
}

function pipelineStats({ stats, steps }: CompiledPipeline): Json {
  const processors = steps.map((step) => ({ [shownName(step)]: { type: step.type, stats: countsBody(step.stats) } }));
  return { ...countsBody(stats), processors };
}

function countsBody({ count, timeMs, current, failed }: RunStats): Json {
  return { count, time_in_millis: Math.round(timeMs), current, failed };
}
