/**
 * What a filter says at its start when it puts fields of other people's choosing at the top of events that follow ECS.
 */
import type { PluginContext, PluginOptions } from '../contract/plugin-definition.ts';

/** For filters whose fields come from the text itself: without `target` they may clash with those of ECS. */
export function noteRootTarget(options: PluginOptions, context: PluginContext): void {
  if (context.ecs === 'disabled' || options.has('target')) return;
  context.runtime.log.info('fields go to the top of the event and may clash with those of ECS: [target] is not given', {
    pipeline: context.pipelineId,
    plugin: context.pluginId,
    position: context.position,
  });
}
