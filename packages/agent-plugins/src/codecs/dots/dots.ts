/**
 * The dots codec: one dot an event, to see that something moves.
 */
import { type PluginDefinition, textEvent } from '@shoal/agent-plugin-kit';

export const dotsCodec: PluginDefinition = {
  kind: 'codec',
  name: 'dots',
  version: '3.0.6',
  options: {},
  create(_options, context) {
    return {
      name: 'dots',
      decoder: () => ({
        decode: (bytes) => [textEvent(Buffer.from(bytes).toString('utf8'), context.ecs)],
        flush: () => [],
      }),
      encode: () => Buffer.from('.'),
    };
  },
};
