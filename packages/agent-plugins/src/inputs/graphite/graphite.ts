/**
 * The graphite input: the tcp input for lines of Graphite's plain protocol. Each event has its line as the message, and the
 * metric as a field of its own name.
 */
import { type LogEvent, Timestamp } from '@shoal/agent-event';
import type { EventSink, Input, PluginDefinition } from '@shoal/agent-plugin-kit';
import { readGraphiteLine } from '../../graphite/graphite-lines.ts';
import { tcpInput } from '../tcp/tcp.ts';

export const graphiteInput: PluginDefinition = {
  kind: 'input',
  name: 'graphite',
  version: '3.0.6',
  options: tcpInput.options,
  create(options, context) {
    return measuring(tcpInput.create(options, context));
  },
};

function measuring(input: Input): Input {
  return {
    get finished() {
      return input.finished;
    },
    start: (sink) => input.start(measuringSink(sink)),
    stop: () => input.stop(),
  };
}

function measuringSink(sink: EventSink): EventSink {
  return {
    push(events) {
      for (const event of events) addMeasurement(event);
      return sink.push(events);
    },
    ...(sink.confirmed === undefined ? {} : { confirmed: () => sink.confirmed?.() ?? Promise.resolve() }),
    failed: (error) => sink.failed?.(error),
    troubled: (reason) => sink.troubled?.(reason),
  };
}

/** A codec that gives other events than lines is let be. */
function addMeasurement(event: LogEvent): void {
  const line = event.fields.get('message');
  const read = typeof line === 'string' ? readGraphiteLine(line) : null;
  if (read === null) return;
  event.fields.set(read.name, read.value);
  if (read.epochMs !== null) event.timestamp = new Timestamp(read.epochMs);
}
