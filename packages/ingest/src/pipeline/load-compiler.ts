/**
 * What makes pipelines, loaded when the first is made: the processors with their patterns and rules are more code than the rest of a
 * node without shards, and most nodes have no pipeline.
 */
import type { grokPatterns } from '../processors/extraction/grok.ts';
import type { compilePipeline } from './compile-pipeline.ts';

export interface PipelineCompiler {
  readonly compilePipeline: typeof compilePipeline;
  readonly grokPatterns: typeof grokPatterns;
}

export async function loadCompiler(): Promise<PipelineCompiler> {
  const { compilePipeline } = await import('./compile-pipeline.ts');
  const { grokPatterns } = await import('../processors/extraction/grok.ts');
  return { compilePipeline, grokPatterns };
}
