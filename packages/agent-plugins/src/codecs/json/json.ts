/**
 * The json codec: each unit is one JSON text. Streams (tcp, stdin) cut it at line ends, as `json_lines`.
 */
import { eventToJsonText } from '@shoal/agent-event';
import { charsetNamed, jsonEvents, jsonEventsInSteps, type PluginDefinition } from '@shoal/agent-plugin-kit';

export const jsonCodec: PluginDefinition = {
  kind: 'codec',
  name: 'json',
  version: '3.1.1',
  options: { charset: { type: 'string', default: 'UTF-8' }, target: { type: 'fieldReference' } },
  create(options, context) {
    const charset = charsetNamed(options.string('charset'));
    const target = options.has('target') ? options.reference('target') : null;
    return {
      name: 'json',
      decoder: () => ({
        decode: (bytes) => jsonEvents(charset.decode(bytes), { target, ecs: context.ecs }),
        decodeInSteps: (bytes) => jsonEventsInSteps(charset.decode(bytes), { target, ecs: context.ecs }),
        flush: () => [],
      }),
      encode: (event) => Buffer.from(eventToJsonText(event), 'utf8'),
    };
  },
};
