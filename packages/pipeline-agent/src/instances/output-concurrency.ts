/**
 * Concurrency of an output: one instance for all workers of a pipeline, or one in each of them. The main thread and the
 * workers ask the same function, so that exactly one side creates the instance.
 */
import type { PlannedOutput } from '@shoal/agent-config';
import type { PluginOptions } from '@shoal/agent-plugin-kit';

export function isSingleInstance(plan: PlannedOutput, options: PluginOptions): boolean {
  const { concurrency = 'single' } = plan.definition;
  return (typeof concurrency === 'function' ? concurrency(options) : concurrency) === 'single';
}
