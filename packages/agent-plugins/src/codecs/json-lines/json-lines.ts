/**
 * The json_lines codec: one JSON text a line. A line beyond the limit is not parsed but tagged.
 */
import { eventsToJsonLines, eventToJsonText, type LogEvent } from '@shoal/agent-event';
import {
  charsetNamed,
  type Decoder,
  DelimiterSplitter,
  delimiterBytes,
  failedEvent,
  isUtf8,
  jsonEvents,
  type PluginDefinition,
} from '@shoal/agent-plugin-kit';

const TOO_BIG = '_jsonparsetoobigfailure';
const DECODE_SIZE_LIMIT = 512 * 1000 * 1000;

export const jsonLinesCodec: PluginDefinition = {
  kind: 'codec',
  name: 'json_lines',
  version: '3.2.2',
  options: {
    charset: { type: 'string', default: 'UTF-8' },
    delimiter: { type: 'string', default: '\n' },
    decode_size_limit_bytes: { type: 'number', default: DECODE_SIZE_LIMIT },
    target: { type: 'fieldReference' },
  },
  create(options, context) {
    const charset = charsetNamed(options.string('charset'));
    const delimiter = delimiterBytes(options.string('delimiter'));
    const delimiterText = Buffer.from(delimiter).toString('utf8');
    const sizeLimit = options.number('decode_size_limit_bytes');
    const target = options.has('target') ? options.reference('target') : null;
    const events = (bytes: Uint8Array): readonly LogEvent[] => {
      const text = charset.decode(bytes);
      if (bytes.length > sizeLimit) return [failedEvent(text, TOO_BIG, context.ecs)];
      return jsonEvents(text, { target, ecs: context.ecs });
    };
    return {
      name: 'json_lines',
      decoder(): Decoder {
        const splitter = new DelimiterSplitter(delimiter, sizeLimit);
        return {
          decode: (bytes) => splitter.push(bytes).flatMap(events),
          flush() {
            const rest = splitter.flush();
            return rest === null ? [] : events(rest);
          },
        };
      },
      encode: (event) => charset.encode(eventToJsonText(event) + delimiterText),
      ...(isUtf8(charset) && delimiterText === '\n' ? { encodeAll: eventsToJsonLines } : {}),
    };
  },
};
