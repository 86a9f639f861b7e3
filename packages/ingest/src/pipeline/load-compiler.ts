/**
 * What makes pipelines, loaded when the first is made: the processors with their patterns and rules are more code than the rest of a
 * node without shards, and most nodes have no pipeline.
 */
import type { compilePipeline } from './compile-pipeline.ts';

export interface PipelineCompiler {
  readonly compilePipeline: typeof compilePipeline;
}

export async function loadCompiler(): Promise<PipelineCompiler> {
  const { compilePipeline } = await import('./compile-pipeline.ts');
  return { compilePipeline };
}
