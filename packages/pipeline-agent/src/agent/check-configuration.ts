/**
 * `--config.test_and_exit`: everything that can be known without opening anything.
 */
import type { Runtime } from '@shoal/runtime';
import { loadPlan } from '../pipeline/load-plan.ts';
import * as all from './agent-settings.ts';
import { readPipelineSources } from './pipeline-sources.ts';
import type { AgentOptions } from './start-agent.ts';

/** Warnings of a configuration that would start; throws for one that would not. */
export async function checkConfiguration(runtime: Runtime, options: AgentOptions): Promise<readonly string[]> {
  const settings = all.AGENT_SETTINGS.parse(options.settings);
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.environment)) if (value !== undefined) environment[name] = value;
  const sources = await readPipelineSources({ runtime, settings, environment, hostName: options.hostName });
  const warnings: string[] = [];
  for (const source of sources) warnings.push(...(await loadPlan(source)).warnings);
  return warnings;
}
