/**
 * The line codec: one event a line. A `\r` before the line's end stays in the message, as Logstash has it.
 */
import {
  charsetNamed,
  type Decoder,
  DelimiterSplitter,
  delimiterBytes,
  type PluginDefinition,
  textEvent,
  textFormat,
} from '@shoal/agent-plugin-kit';

export const lineCodec: PluginDefinition = {
  kind: 'codec',
  name: 'line',
  version: '3.1.1',
  options: {
    charset: { type: 'string', default: 'UTF-8' },
    delimiter: { type: 'string', default: '\n' },
    format: { type: 'template' },
  },
  create(options, context) {
    const charset = charsetNamed(options.string('charset'));
    const delimiter = delimiterBytes(options.string('delimiter'));
    const delimiterText = Buffer.from(delimiter).toString('utf8');
    const format = textFormat(options);
    return {
      name: 'line',
      decoder(): Decoder {
        const splitter = new DelimiterSplitter(delimiter);
        const event = (bytes: Uint8Array) => textEvent(charset.decode(bytes), context.ecs);
        return {
          decode: (bytes) => splitter.push(bytes).map(event),
          flush() {
            const rest = splitter.flush();
            return rest === null ? [] : [event(rest)];
          },
        };
      },
      encode: (event) => charset.encode(format.render(event) + delimiterText),
    };
  },
};
