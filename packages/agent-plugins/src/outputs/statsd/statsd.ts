/**
 * The statsd output: counters, timings, gauges and sets of events, as lines of StatsD in datagrams or over a connection.
 */
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { compileTemplate, type LogEvent, type Template } from '@shoal/agent-event';
import {
  type Output,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
  StreamSender,
} from '@shoal/agent-plugin-kit';

/** Characters that separate the parts of a line. */
const RESERVED = /[:|@]/g;
const RECONNECT_MS = 1_000;

export const statsdOutput: PluginDefinition = {
  kind: 'output',
  name: 'statsd',
  version: '3.2.0',
  concurrency: 'each',
  options: {
    host: { type: 'string', default: 'localhost' },
    port: { type: 'number', default: 8125 },
    protocol: { type: ['tcp', 'udp'], default: 'udp' },
    namespace: { type: 'template', default: 'logstash' },
    sender: { type: 'template', default: '%{host}' },
    increment: { type: 'array', default: [] },
    decrement: { type: 'array', default: [] },
    count: { type: 'hash', default: {} },
    timing: { type: 'hash', default: {} },
    set: { type: 'hash', default: {} },
    gauge: { type: 'hash', default: {} },
    sample_rate: { type: 'number', default: 1 },
    batch_size: { type: 'number', default: 1 },
  },
  create: (options, context) => new StatsdOutput(options, context),
};

interface StatsdMetric {
  readonly name: Template;
  readonly value: Template;
  /** Such as `c` for a counter. */
  readonly kind: string;
}

class StatsdOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly control: StoppableWait;
  private readonly metrics: readonly StatsdMetric[];
  private readonly rate: number;
  /** Metrics of one datagram. */
  private readonly batchMax: number;
  private readonly sender: StreamSender | null;
  private readonly datagrams: Socket | null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.control = new StoppableWait(context.runtime);
    this.rate = options.number('sample_rate');
    if (!(this.rate > 0 && this.rate <= 1)) throw optionError('[sample_rate] must be above 0 and up to 1');
    this.batchMax = options.number('batch_size');
    if (!Number.isInteger(this.batchMax) || this.batchMax < 1) throw optionError('[batch_size] must be at least 1');
    const metric = (name: string, value: unknown, kind: string): StatsdMetric => ({
      name: compileTemplate(name, context),
      value: compileTemplate(String(value), context),
      kind,
    });
    const hash = (name: string, kind: string): StatsdMetric[] =>
      [...options.hash(name)].map(([key, value]) => metric(key, value, kind));
    this.metrics = [
      ...options.strings('increment').map((name) => metric(name, 1, 'c')),
      ...options.strings('decrement').map((name) => metric(name, -1, 'c')),
      ...hash('count', 'c'),
      ...hash('timing', 'ms'),
      ...hash('set', 's'),
      ...hash('gauge', 'g'),
    ];
    const at = { host: options.string('host'), port: options.number('port') };
    const isUdp = options.string('protocol') === 'udp';
    this.sender = isUdp ? null : new StreamSender(at, null, this.control);
    this.datagrams = isUdp ? createSocket(isIPv6(at.host) ? 'udp6' : 'udp4') : null;
    this.datagrams?.on('error', (error) => context.runtime.log.warn('udp failed', { error: error.message })).unref();
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    const lines = events.flatMap((event) => this.lines(event));
    const { sender, batchMax } = this;
    if (sender === null)
      for (let at = 0; at < lines.length; at += batchMax)
        await this.sendDatagram(lines.slice(at, at + batchMax).join('\n'));
    else if (lines.length > 0) await this.deliver(sender, Buffer.from(`${lines.join('\n')}\n`, 'utf8'));
  }

  async stop(): Promise<void> {
    this.control.stop();
    await this.sender?.close();
    const { datagrams } = this;
    if (datagrams !== null) await new Promise<void>((resolve) => datagrams.close(() => resolve()));
  }

  private lines(event: LogEvent): string[] {
    const namespace = this.options.template('namespace').render(event);
    const prefix = namespace === '' ? '' : `${namespace}.`;
    const sender = cleaned(this.options.template('sender').render(event)).replaceAll('.', '_');
    const suffix = this.rate === 1 ? '' : `|@${this.rate}`;
    return this.metrics.flatMap(({ name, value, kind }) => {
      if (!this.isSampled()) return [];
      const metric = cleaned(name.render(event));
      return [`${prefix}${sender}.${metric}:${value.render(event)}|${kind}${suffix}`];
    });
  }

  private isSampled(): boolean {
    if (this.rate === 1) return true;
    return this.context.runtime.random.u32() / 2 ** 32 < this.rate;
  }

  private async deliver(sender: StreamSender, bytes: Uint8Array): Promise<void> {
    for (;;) {
      try {
        return await sender.write(bytes);
      } catch (error) {
        if (this.control.isStopped) throw error;
        this.context.runtime.log.warn('cannot write to a statsd server', { error: String(error) });
        await this.control.pause(RECONNECT_MS);
      }
    }
  }

  /** Nobody says whether a datagram arrived; one that cannot even be sent is counted. */
  private sendDatagram(text: string): Promise<void> {
    return new Promise((resolve) =>
      this.datagrams?.send(text, this.options.number('port'), this.options.string('host'), (error) => {
        if (error !== null) this.context.metrics.increment('failures');
        resolve();
      }),
    );
  }
}

function cleaned(name: string): string {
  return name.replaceAll('::', '.').replace(RESERVED, '_');
}
