/**
 * The syslog input: RFC 3164 over TCP and UDP at one port.
 */
import { createSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import type { LogEvent } from '@shoal/agent-event';
import {
  type Codec,
  decodedPiece,
  decodedWhole,
  type EventSink,
  type Input,
  keepOriginal,
  OrderedPushes,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  ProxyHeaderReader,
  putMissing,
  socketInput,
  streamDecoder,
} from '@shoal/agent-plugin-kit';
import { monthNumbers, readSyslog, type SyslogRules, syslogGrok, syslogZone } from './syslog-fields.ts';

/** Datagrams that wait for the queue; more are dropped and counted. */
const WAITING_MAX = 10_000;

export const syslogInput: PluginDefinition = {
  kind: 'input',
  name: 'syslog',
  version: '3.7.0',
  options: {
    codec: { type: 'codec', default: 'plain' },
    port: { type: 'number', default: 514 },
    host: { type: 'string', default: '0.0.0.0' },
    grok_pattern: { type: 'string', default: '<%{POSINT:priority}>%{SYSLOGLINE}' },
    timezone: { type: 'string' },
    use_labels: { type: 'boolean', default: true },
    facility_labels: {
      type: 'array',
      default: [
        'kernel',
        'user-level',
        'mail',
        'system',
        'security/authorization',
        'syslogd',
        'line printer',
        'network news',
        'UUCP',
        'clock',
        'security/authorization',
        'FTP',
        'NTP',
        'log audit',
        'log alert',
        'clock',
        'local0',
        'local1',
        'local2',
        'local3',
        'local4',
        'local5',
        'local6',
        'local7',
      ],
    },
    severity_labels: {
      type: 'array',
      default: ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice', 'Informational', 'Debug'],
    },
    syslog_field: { type: 'fieldReference', default: 'message' },
    proxy_protocol: { type: 'boolean', default: false },
    /** Value of `[service][type]` under ECS; empty: none. */
    service_type: { type: 'string', default: 'system' },
    /** Language of the names of months, besides English. */
    locale: { type: 'string' },
  },
  create: (options, context) => new SyslogInput(options, context),
};

class SyslogInput implements Input {
  readonly finished: null = null;
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly rules: SyslogRules;
  private readonly serviceType: string;
  private readonly tcp: Input;
  private readonly udp = createSocket('udp4');
  private datagrams: OrderedPushes | null = null;
  private waiting = 0;
  private port = 0;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.codec = options.codec('codec');
    // The port that TCP got is UDP's too, also when any was asked for.
    this.context = {
      ...context,
      metrics: {
        increment: (name, by) => context.metrics.increment(name, by),
        gauge: (name, value) => {
          if (name === 'port') this.port = Number(value);
          context.metrics.gauge(name, value);
        },
      },
    };
    this.serviceType = options.string('service_type');
    this.rules = {
      grok: syslogGrok(options.string('grok_pattern'), context.ecs),
      zone: syslogZone(options.has('timezone') ? options.string('timezone') : null),
      months: monthNumbers(options.has('locale') ? options.string('locale') : 'en'),
      usesLabels: options.boolean('use_labels'),
      facilities: options.strings('facility_labels'),
      severities: options.strings('severity_labels'),
      isLegacy: context.ecs === 'disabled',
    };
    const at = { host: options.string('host'), port: options.number('port'), tls: null };
    this.tcp = socketInput(at, this.context, (socket, sink) => this.serve(socket, sink));
  }

  async start(sink: EventSink): Promise<void> {
    await this.tcp.start(sink);
    const pushes = new OrderedPushes(sink, this.context);
    this.datagrams = pushes;
    await new Promise<void>((resolve, reject) => {
      this.udp.once('error', reject);
      this.udp.bind(this.port, this.options.string('host'), () => {
        this.udp.off('error', reject).on('error', (error) => sink.failed?.(error));
        resolve();
      });
    });
    this.udp.on('message', (message, from) => {
      if (this.waiting >= WAITING_MAX) return this.context.metrics.increment('dropped');
      this.waiting++;
      const events = this.parsed(decodedWhole(this.codec, message, this.context), from.address);
      void pushes.offer(events).then(() => this.waiting--);
    });
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.udp.close(() => resolve()));
    await this.tcp.stop();
    await this.datagrams?.settled();
  }

  private async serve(socket: Socket, sink: EventSink): Promise<void> {
    // A message keeps the end of its line, as the plugin of Logstash has it: filters are written for that.
    const decoder = streamDecoder(this.codec, { keepsLineEnd: true });
    const pushes = new OrderedPushes(sink, this.context, (isHeld) => (isHeld ? socket.pause() : socket.resume()));
    const head = new ProxyHeaderReader(this.options.boolean('proxy_protocol'));
    // Known while it is open: what it sent may be read when it is closed.
    const { remoteAddress = '' } = socket;
    const push = (decode: () => readonly LogEvent[]): Promise<void> =>
      pushes.offerMade(() => this.parsed(decode(), head.peer?.address ?? remoteAddress));
    socket.on('data', (chunk: Buffer) => {
      const bytes = head.after(chunk, () => void socket.destroy());
      if (bytes !== null) void push(() => decodedPiece(decoder, bytes, socket, this.context));
    });
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    await push(() => decoder.flush());
  }

  private parsed(events: readonly LogEvent[], address: string): readonly LogEvent[] {
    const source = this.options.reference('syslog_field');
    this.rules.grok.prepare(
      events.flatMap((event) => {
        const line = event.get(source);
        return typeof line === 'string' ? [line] : [];
      }),
    );
    for (const event of events) {
      if (this.rules.isLegacy) event.fields.set('host', address);
      else event.set({ text: '[host][ip]', path: ['host', 'ip'], isMetadata: false }, address);
      if (!this.rules.isLegacy && this.serviceType !== '') putMissing(event, ['service', 'type'], this.serviceType);
      const line = event.get(source);
      if (typeof line !== 'string') continue;
      if (!this.rules.isLegacy) keepOriginal(event, line);
      readSyslog(event, line, this.rules, this.context.runtime.clock.wallMs());
    }
    return events;
  }
}
