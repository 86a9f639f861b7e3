/** Settings of an index that analyzers are made of: those of its components, and limits that some components have. */
import type { ComponentOptions } from '../tokens/component-options.ts';

const LIMITS: readonly string[] = ['index.max_ngram_diff', 'index.max_shingle_diff'];

export function analysisSettings(settings: ComponentOptions): ComponentOptions {
  return Object.fromEntries(
    Object.entries(settings).filter(([key]) => key.startsWith('index.analysis.') || LIMITS.includes(key)),
  );
}
