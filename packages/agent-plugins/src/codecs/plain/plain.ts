/**
 * The plain codec: what arrives as one unit (a line of a file, a datagram, a body) is the message of one event.
 */
import {
  charsetNamed,
  type Decoder,
  isUtf8,
  type PluginDefinition,
  textEvent,
  textFormat,
} from '@shoal/agent-plugin-kit';

export const plainCodec: PluginDefinition = {
  kind: 'codec',
  name: 'plain',
  version: '3.1.0',
  options: { charset: { type: 'string', default: 'UTF-8' }, format: { type: 'template' } },
  create(options, context) {
    const charset = charsetNamed(options.string('charset'));
    const format = textFormat(options);
    const decoder: Decoder = {
      decode: (bytes) => (bytes.length === 0 ? [] : [textEvent(charset.decode(bytes), context.ecs)]),
      flush: () => [],
    };
    return {
      name: 'plain',
      decoder: () => decoder,
      ...(isUtf8(charset) ? { lineEvent: () => textEvent('', context.ecs) } : {}),
      encode: (event) => charset.encode(format.render(event)),
    };
  },
};
