/**
 * The edn_lines codec: one value of extensible data notation, the data of Clojure, a line.
 */
import { type LogEvent, utf8Text } from '@shoal/agent-event';
import {
  asBuffer,
  type Decoder,
  DelimiterSplitter,
  delimiterBytes,
  type PluginDefinition,
} from '@shoal/agent-plugin-kit';
import { ednEvent } from '../../edn/edn-events.ts';
import { eventToEdn } from '../../edn/edn-writer.ts';

const LINE_END = delimiterBytes('\n');

export const ednLinesCodec: PluginDefinition = {
  kind: 'codec',
  name: 'edn_lines',
  version: '3.1.0',
  options: { target: { type: 'fieldReference' } },
  create(options, context) {
    const target = options.has('target') ? options.reference('target') : null;
    const event = (bytes: Uint8Array): LogEvent => ednEvent(utf8Text(asBuffer(bytes)), target, context);
    return {
      name: 'edn_lines',
      decoder(): Decoder {
        const splitter = new DelimiterSplitter(LINE_END);
        return {
          decode: (bytes) => splitter.push(bytes).map(event),
          flush() {
            const rest = splitter.flush();
            return rest === null ? [] : [event(rest)];
          },
        };
      },
      encode: (encoded) => Buffer.from(`${eventToEdn(encoded)}\n`, 'utf8'),
    };
  },
};
