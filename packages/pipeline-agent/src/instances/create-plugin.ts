/**
 * Makes a plugin; what its constructor refuses is told as every other mistake of a configuration: with file, line, column,
 * and a caret below what is wrong.
 */

import { ConfigError, locateFailure, type PlannedPlugin } from '@shoal/agent-config';
import { flattenErrors } from '@shoal/agent-plugin-kit';
import { isAssertionFailure, messageOf } from '@shoal/core';
import { loadTree } from '../sources/load-plan.ts';
import type { PipelineSource } from '../sources/pipeline-source.ts';

/** @throws ConfigError when `make` refuses */
export function createPlugin<T>(source: PipelineSource, plan: PlannedPlugin, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw located(source, plan, error);
  }
}

/** Starts a plugin. What it cannot open, such as a port in use, is reported with its position too. */
export async function startPlugin(
  source: PipelineSource,
  plan: PlannedPlugin,
  plugin: { readonly start: () => Promise<void> | undefined },
): Promise<void> {
  try {
    await plugin.start();
  } catch (error) {
    throw located(source, plan, error);
  }
}

function located(source: PipelineSource, plan: PlannedPlugin, error: unknown): unknown {
  if (isAssertionFailure(error) || error instanceof ConfigError) return error;
  // The text is parsed again, which costs only who made a mistake.
  const tree = loadTree(source);
  return new ConfigError(flattenErrors(error).map((one) => locateFailure(tree, plan.position, refusalText(plan, one))));
}

/** The message of a constructor, with the plugin's name before it. */
export function refusalText(plan: PlannedPlugin, error: unknown): string {
  const text = messageOf(error);
  return text.startsWith(plan.name) ? text : `${plan.name}: ${text}`;
}
