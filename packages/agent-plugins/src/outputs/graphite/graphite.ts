/**
 * The graphite output: metrics of events to a Carbon server. Events wait for a connection; what breaks with one is sent again
 * only where that is asked for, since part of it may have arrived.
 */
import { type EventMap, type EventValue, type LogEvent, parseFieldReference, Timestamp } from '@shoal/agent-event';
import {
  type Output,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  rubyFloatText,
  rubyText,
  StoppableWait,
  StreamSender,
} from '@shoal/agent-plugin-kit';
import { isShoalError } from '@shoal/core';
import {
  GraphiteMetrics,
  graphiteLine,
  graphiteOptions,
  leadingNumber,
  type Metric,
} from '../../graphite/graphite-lines.ts';

/** Levels of a map whose values are metrics. */
const DEPTH_MAX = 100;

export const graphiteOutput: PluginDefinition = {
  kind: 'output',
  name: 'graphite',
  version: '3.1.6',
  concurrency: 'each',
  options: {
    host: { type: 'string', default: 'localhost' },
    port: { type: 'number', default: 2003 },
    reconnect_interval: { type: 'number', default: 2 },
    resend_on_failure: { type: 'boolean', default: false },
    ...graphiteOptions,
    nested_object_separator: { type: 'string', default: '.' },
    timestamp_field: { type: 'fieldReference', default: '@timestamp' },
  },
  create: (options, context) => new GraphiteOutput(options, context),
};

class GraphiteOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly control: StoppableWait;
  private readonly metrics: GraphiteMetrics;
  private readonly sender: StreamSender;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.control = new StoppableWait(context.runtime);
    const at = { host: options.string('host'), port: options.number('port') };
    this.sender = new StreamSender(at, null, this.control);
    const format = options.string('metrics_format');
    const isUsable = format.includes('*');
    if (!isUsable)
      context.runtime.log.warn('[metrics_format] has no star for the name of a metric: names are sent as they are', {
        plugin: context.pluginId,
      });
    this.metrics = new GraphiteMetrics(options, context, isUsable ? format : '*');
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    const lines = events.flatMap((event) => this.lines(event));
    if (lines.length > 0) await this.deliver(Buffer.from(`${lines.join('\n')}\n`, 'utf8'), lines.length);
  }

  async stop(): Promise<void> {
    this.control.stop();
    await this.sender.close();
  }

  private lines(event: LogEvent): string[] {
    const time = event.get(this.options.reference('timestamp_field'));
    const second = time instanceof Timestamp ? Math.floor(time.epochMs / 1000) : Math.trunc(leadingNumber(text(time)));
    return this.metrics.of(event).flatMap((metric) => {
      const values = this.nested(event, metric.name) ?? [[metric.name, rubyFloatText(leadingNumber(metric.text))]];
      return values.map(([name, value]) => graphiteLine(this.metrics.sentName(event, name), value, second));
    });
  }

  /** Values of the map that a metric is called like; null where there is none. */
  private nested(event: LogEvent, name: Metric['name']): [string, string][] | null {
    const map = fieldOf(event, name);
    return map instanceof Map ? this.flattened(map, name, 0) : null;
  }

  private flattened(map: EventMap, prefix: string, depth: number): [string, string][] {
    const separator = this.options.string('nested_object_separator');
    return [...map].flatMap(([key, value]): [string, string][] => {
      const name = `${prefix}${separator}${key}`;
      if (value instanceof Map) return depth < DEPTH_MAX ? this.flattened(value, name, depth + 1) : [];
      if (!Array.isArray(value)) return [[name, rubyText(value)]];
      this.context.runtime.log.debug('a list is no metric', { name });
      return [];
    });
  }

  private async deliver(bytes: Uint8Array, count: number): Promise<void> {
    for (;;) {
      await this.connect();
      try {
        return await this.sender.write(bytes);
      } catch (error) {
        const willRepeat = this.options.boolean('resend_on_failure');
        if (!willRepeat) this.context.metrics.increment('dropped', count);
        this.context.runtime.log.warn(
          willRepeat ? 'metrics are sent again to graphite' : 'metrics were lost with a connection to graphite',
          { plugin: this.context.pluginId, metrics: count, error: String(error) },
        );
        if (!willRepeat) return;
        if (this.control.isStopped) throw error;
        await this.control.pause(this.options.number('reconnect_interval') * 1000);
      }
    }
  }

  /** Tries for as long as it takes. */
  private async connect(): Promise<void> {
    for (;;) {
      try {
        return await this.sender.connect();
      } catch (error) {
        if (this.control.isStopped) throw error;
        this.context.runtime.log.warn('cannot connect to graphite', { error: String(error) });
        await this.control.pause(this.options.number('reconnect_interval') * 1000);
      }
    }
  }
}

function fieldOf(event: LogEvent, name: string): EventValue | undefined {
  try {
    return event.get(parseFieldReference(name));
  } catch (error) {
    // A name that is no reference names no field.
    if (isShoalError(error)) return undefined;
    throw error;
  }
}

function text(value: EventValue | undefined): string {
  return value === undefined ? '' : rubyText(value);
}
