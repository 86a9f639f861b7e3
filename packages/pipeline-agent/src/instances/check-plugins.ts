/**
 * Makes every plugin of a plan without starting any: what their constructors refuse is a mistake of the configuration, and
 * what they warn of is worth to know before the start. Nothing is opened, and no event passes.
 */

import {
  type ConfigProblem,
  type ConfigTree,
  declaredOptions,
  flatPlugins,
  locateFailure,
  type PipelinePlan,
  type PlannedPlugin,
  positionText,
} from '@shoal/agent-config';
import { flattenErrors, type PluginContext, SharedInstances } from '@shoal/agent-plugin-kit';
import { createRecordingLog, type LogLine, type Runtime } from '@shoal/runtime';
import type { PipelineSource } from '../sources/pipeline-source.ts';
import { boundOptions } from './bound-options.ts';
import { refusalText } from './create-plugin.ts';
import { type ContextParts, contextOf } from './plugin-context.ts';

export interface PluginFindings {
  readonly problems: readonly ConfigProblem[];
  /** Each with its position. */
  readonly warnings: readonly string[];
}

export interface PlanToCheck {
  readonly source: PipelineSource;
  readonly tree: ConfigTree;
  readonly plan: PipelinePlan;
}

/** Fields of a log line that say where it comes from: the position says it better. */
const ORIGIN_FIELDS: ReadonlySet<string> = new Set(['pipeline', 'plugin', 'id', 'position']);

export async function checkPlugins(runtime: Runtime, { source, tree, plan }: PlanToCheck): Promise<PluginFindings> {
  const problems: ConfigProblem[] = [];
  const warnings: string[] = [];
  const commons = new SharedInstances();
  const plugins = [...plan.inputs, ...flatPlugins(plan.filters), ...flatPlugins(plan.outputs)];
  for (const plugin of plugins) {
    const missing = await missingPaths(runtime, plugin);
    problems.push(...missing.map((message) => locateFailure(tree, plugin.position, message)));
    // It would only say once more that the file is missing.
    if (missing.length > 0) continue;
    const log = createRecordingLog();
    const failures = failuresOf(plugin, { runtime: { ...runtime, log }, source, commons });
    problems.push(...failures.map((failure) => locateFailure(tree, plugin.position, failure)));
    for (const line of log.lines) if (line.level === 'warn') warnings.push(warningOf(line, tree, plugin));
  }
  return { problems, warnings };
}

async function missingPaths(runtime: Runtime, plugin: PlannedPlugin): Promise<readonly string[]> {
  const declarations = declaredOptions(plugin.definition.kind, plugin.definition.options);
  const missing: string[] = [];
  for (const [name, option] of plugin.options.values) {
    const declaration = Object.hasOwn(declarations, name) ? declarations[name] : undefined;
    if (declaration?.type !== 'path' || option.kind !== 'string') continue;
    if (await runtime.disk.exists(option.string)) continue;
    missing.push(`Setting '${name}' for ${plugin.name} must name what exists; there is no ${option.string}`);
  }
  return missing;
}

/** What the plugin says against its options; nothing when it can be made. */
function failuresOf(
  plugin: PlannedPlugin,
  parts: Pick<ContextParts, 'runtime' | 'source' | 'commons'>,
): readonly string[] {
  const context = contextOf({
    ...parts,
    plan: plugin,
    metrics: { increment: () => {}, gauge: () => {} },
    deadLetters: null,
    bus: {
      send: async () => {},
      listen: () => () => {},
    },
  });
  try {
    make(plugin, context);
    return [];
  } catch (error) {
    return flattenErrors(error).map((one) => refusalText(plugin, one));
  }
}

function make(plugin: PlannedPlugin, context: PluginContext): void {
  plugin.definition.create(boundOptions(plugin, context), context);
}

function warningOf(line: LogLine, tree: ConfigTree, plugin: PlannedPlugin): string {
  const details = Object.entries(line.fields).filter(([name]) => !ORIGIN_FIELDS.has(name));
  const text = [line.message, ...details.map(([name, value]) => `${name} ${String(value)}`)].join('; ');
  return `${positionText(locateFailure(tree, plugin.position, text).position)}: ${plugin.name}: ${text}`;
}
