/**
 * The options of a plugin with its codecs made: every instance has its own, measured for the statistics.
 */
import type { PlannedCodec, PlannedPlugin } from '@shoal/agent-config';
import type { Codec, PluginContext, PluginOptions } from '@shoal/agent-plugin-kit';
import { type CodecMeter, measuredCodec } from './measured-codec.ts';

export function boundOptions(
  plan: PlannedPlugin,
  context: PluginContext,
  meter: CodecMeter | null = null,
): PluginOptions {
  const make = (codec: PlannedCodec): Codec =>
    codec.definition.create(codec.options.bind(make), codecContext(codec, context));
  // A codec within a codec is part of the work of the outer one.
  return plan.options.bind((codec) => (meter === null ? make(codec) : measuredCodec(make(codec), meter)));
}

/** A codec names fields as its plugin does, unless it says otherwise itself. */
function codecContext(codec: PlannedCodec, context: PluginContext): PluginContext {
  const own = codec.options.values.get('ecs_compatibility')?.value;
  return own === 'disabled' || own === 'v1' || own === 'v8' ? { ...context, ecs: own } : context;
}
