/**
 * The graphite codec: lines of Graphite's plain protocol, each an event with a field called like the metric, and events to
 * such lines.
 */
import { type EventMap, type LogEvent, Timestamp } from '@shoal/agent-event';
import {
  type Decoder,
  DelimiterSplitter,
  type PluginContext,
  type PluginDefinition,
  rubyFloatText,
  targetedEvent,
} from '@shoal/agent-plugin-kit';
import {
  GraphiteMetrics,
  graphiteLine,
  graphiteOptions,
  leadingNumber,
  readGraphiteLine,
} from '../../graphite/graphite-lines.ts';

const NEWLINE = Buffer.from('\n');

export const graphiteCodec: PluginDefinition = {
  kind: 'codec',
  name: 'graphite',
  version: '3.0.6',
  options: { ...graphiteOptions, as_key_value: { type: 'boolean', default: false } },
  create(options, context) {
    const metrics = new GraphiteMetrics(options, context, options.string('metrics_format'));
    const isKeyValue = options.boolean('as_key_value');
    return {
      name: 'graphite',
      decoder(): Decoder {
        const splitter = new DelimiterSplitter(NEWLINE);
        const events = (lines: readonly Uint8Array[]): LogEvent[] =>
          lines.flatMap((line) => lineEvent(Buffer.from(line).toString('utf8'), isKeyValue, context));
        return {
          decode: (bytes) => events(splitter.push(bytes)),
          flush() {
            const rest = splitter.flush();
            return rest === null ? [] : events([rest]);
          },
        };
      },
      encode(event) {
        const second = Math.floor((event.timestamp?.epochMs ?? 0) / 1000);
        const lines = metrics
          .of(event)
          .map(({ name, text }) =>
            graphiteLine(metrics.sentName(event, name), rubyFloatText(leadingNumber(text)), second),
          );
        return Buffer.from(lines.map((line) => `${line}\n`).join(''), 'utf8');
      },
    };
  },
};

/** None for an empty line. */
function lineEvent(line: string, isKeyValue: boolean, context: PluginContext): LogEvent[] {
  const read = readGraphiteLine(line);
  if (read === null) return [];
  const fields: EventMap = new Map([[isKeyValue ? 'value' : read.name, read.value]]);
  if (isKeyValue) fields.set('key', read.name);
  const event = targetedEvent(fields, null);
  event.timestamp = new Timestamp(read.epochMs ?? context.runtime.clock.wallMs());
  return [event];
}
