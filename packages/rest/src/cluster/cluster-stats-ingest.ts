/**
 * `nodes.ingest` of `_cluster/stats`: how many pipelines there are, and what processors of each type did on all nodes.
 */
import { isTree, type StatsTree, summedTrees, textAt } from '../bodies/stats-tree.ts';

type Json = Readonly<Record<string, unknown>>;

/** @param stats parts of `_nodes/stats` of the nodes that answered */
export function clusterIngestBody(pipelineCount: number, stats: readonly StatsTree[]): Json {
  const byType = new Map<string, StatsTree>();
  for (const { type, counts } of stats.flatMap(processorsOf)) {
    byType.set(type, summedTrees(byType.get(type) ?? {}, counts));
  }
  return { number_of_pipelines: pipelineCount, processor_stats: Object.fromEntries(byType) };
}

interface ProcessorCounts {
  readonly type: string;
  readonly counts: StatsTree;
}

/** Processors of all pipelines of a node. */
function processorsOf({ ingest }: StatsTree): readonly ProcessorCounts[] {
  const pipelines = isTree(ingest) && isTree(ingest.pipelines) ? Object.values(ingest.pipelines) : [];
  const entries = pipelines.flatMap((pipeline) =>
    isTree(pipeline) && Array.isArray(pipeline.processors) ? (pipeline.processors as readonly unknown[]) : [],
  );
  return entries.filter(isTree).flatMap((entry) =>
    Object.values(entry).flatMap((processor) => {
      const type = isTree(processor) ? textAt(processor, 'type') : null;
      return type !== null && isTree(processor) && isTree(processor.stats) ? [{ type, counts: processor.stats }] : [];
    }),
  );
}
