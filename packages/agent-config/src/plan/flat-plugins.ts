/**
 * Plugins of a section of a plan, in the order in which the configuration writes them, those inside branches too.
 */
import type { PlannedPlugin, Step } from './pipeline-plan.ts';

export function flatPlugins<Plugin extends PlannedPlugin>(steps: readonly Step<Plugin>[]): readonly Plugin[] {
  const all: Plugin[] = [];
  for (const step of steps) {
    if (step.kind === 'plugin') all.push(step.plugin);
    else all.push(...flatPlugins<Plugin>(step.then), ...flatPlugins<Plugin>(step.else));
  }
  return all;
}
