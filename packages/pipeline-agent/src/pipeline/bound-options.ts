/**
 * The options of a plugin with its codecs made: every instance has its own.
 */
import type { PlannedCodec, PlannedPlugin } from '../config/pipeline-plan.ts';
import type { Codec, PluginContext, PluginOptions } from '../plugin/plugin-definition.ts';

export function boundOptions(plan: PlannedPlugin, context: PluginContext): PluginOptions {
  const make = (codec: PlannedCodec): Codec => codec.definition.create(codec.options.bind(make), context);
  return plan.options.bind(make);
}
