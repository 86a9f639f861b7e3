/**
 * `--config.test_and_exit`: everything that can be known without opening anything. All problems of all pipelines are found
 * before the configuration is refused.
 */

import { ConfigError, type ConfigProblem } from '@shoal/agent-config';
import type { Runtime } from '@shoal/runtime';
import { checkPlugins } from './instances/check-plugins.ts';
import * as all from './settings/agent-settings.ts';
import { withVariables } from './settings/setting-variables.ts';
import { loadPlan, loadTree } from './sources/load-plan.ts';
import type { PipelineSource } from './sources/pipeline-source.ts';
import { readPipelineSources } from './sources/pipeline-sources.ts';
import type { AgentOptions } from './start-agent.ts';

/** Warnings of a configuration that would start; throws for one that would not. */
export async function checkConfiguration(runtime: Runtime, options: AgentOptions): Promise<readonly string[]> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.environment)) if (value !== undefined) environment[name] = value;
  const settings = all.AGENT_SETTINGS.parse(withVariables(options.settings, environment));
  const sources = await readPipelineSources({ runtime, settings, environment, hostName: options.hostName });
  const problems: ConfigProblem[] = [];
  const warnings: string[] = [];
  for (const source of sources) {
    const found = await check(runtime, source);
    problems.push(...found.problems);
    warnings.push(...found.warnings);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return warnings;
}

interface Findings {
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly string[];
}

async function check(runtime: Runtime, source: PipelineSource): Promise<Findings> {
  try {
    const plan = await loadPlan(source, runtime.clock);
    const found = await checkPlugins(runtime, { source, tree: loadTree(source), plan });
    return { problems: found.problems, warnings: [...plan.warnings, ...found.warnings] };
  } catch (error) {
    if (error instanceof ConfigError) return { problems: error.problems, warnings: [] };
    throw error;
  }
}
