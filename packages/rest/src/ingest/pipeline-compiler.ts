/** Compiles pipelines as this node runs them, by the scripts and enrich indices that there are now. */
import { type CoordinatorContext, isExecuted } from '@shoal/coordinator';
import { type CompiledPipeline, type DocumentMap, loadCompiler } from '@shoal/ingest';

/** What is answered throws a ShoalError for a pipeline that cannot run here. */
export async function pipelineCompiler({
  cluster,
  runtime,
}: CoordinatorContext): Promise<(id: string, config: DocumentMap) => CompiledPipeline> {
  const state = cluster.state();
  const { clock, config: files } = runtime;
  const hasEnrichIndex = (policy: string): boolean => isExecuted(state, policy);
  const parts = { clock, files, scripts: state.metadata.storedScripts, hasEnrichIndex };
  const { compilePipeline } = await loadCompiler();
  return (id, config) => compilePipeline(id, config, parts);
}
