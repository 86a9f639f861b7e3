/**
 * The syslog output: each event a message of RFC 3164 or RFC 5424, in datagrams or over a connection.
 */
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { compileTemplate, type LogEvent, type Template } from '@shoal/agent-event';
import {
  clientTls,
  clientTlsOptions,
  EVENT_TEXT,
  type Output,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  refusedOptions,
  StoppableWait,
  StreamSender,
  SYSLOG_FACILITIES,
  SYSLOG_SEVERITIES,
} from '@shoal/agent-plugin-kit';

const USER_LEVEL = 1;
const NOTICE = 5;
/** Priority of a message that does not say. */
const PRIORITY = USER_LEVEL * 8 + NOTICE;
const PRIORITY_MAX = 191;
const TEMPLATES = ['sourcehost', 'appname', 'procid', 'msgid', 'structured_data', 'priority', 'facility', 'severity'];
const TLS = ['ssl_certificate', 'ssl_key', 'ssl_key_passphrase', 'ssl_certificate_authorities'];
const TLS_MORE = ['ssl_supported_protocols', 'ssl_cipher_suites'];

export const syslogOutput: PluginDefinition = {
  kind: 'output',
  name: 'syslog',
  version: '3.1.0',
  concurrency: 'each',
  options: {
    codec: { type: 'codec', default: 'plain' },
    host: { type: 'string', isRequired: true },
    port: { type: 'number', isRequired: true },
    reconnect_interval: { type: 'number', default: 1 },
    protocol: { type: ['tcp', 'udp', 'ssl-tcp'], default: 'udp' },
    rfc: { type: ['rfc3164', 'rfc5424'], default: 'rfc3164' },
    use_labels: { type: 'boolean', default: true },
    priority: { type: 'template', default: '%{syslog_pri}' },
    facility: { type: 'template', default: 'user-level' },
    severity: { type: 'template', default: 'notice' },
    sourcehost: { type: 'template', default: '%{host}' },
    appname: { type: 'template', default: 'LOGSTASH' },
    procid: { type: 'template', default: '-' },
    msgid: { type: 'template', default: '-' },
    message: { type: 'template', default: '%{message}' },
    structured_data: { type: 'template', default: '' },
    ssl_verify: { type: 'boolean', default: false },
    ...Object.fromEntries([...TLS, ...TLS_MORE].flatMap((name) => (clientTls[name] ? [[name, clientTls[name]]] : []))),
    ssl_cacert: { type: 'path', obsolete: 'use [ssl_certificate_authorities]' },
    ssl_cert: { type: 'path', obsolete: 'use [ssl_certificate]' },
    ...refusedOptions(['ssl_crl_path', 'ssl_crl_check'], 'lists of revoked certificates are not read; remove it'),
  },
  create: (options, context) => new SyslogOutput(options, context),
};

class SyslogOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly control: StoppableWait;
  private readonly templates: ReadonlyMap<string, Template>;
  private readonly time: Template;
  /** What the plain codec writes without a format. */
  private readonly unformatted: Template;
  private readonly isOld: boolean;
  private readonly sender: StreamSender | null;
  private readonly datagrams: Socket | null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.control = new StoppableWait(context.runtime);
    this.templates = new Map(TEMPLATES.map((name) => [name, options.template(name)]));
    this.unformatted = compileTemplate(EVENT_TEXT, context);
    this.isOld = options.string('rfc') === 'rfc3164';
    if (this.isOld && options.template('structured_data').text !== '')
      throw optionError('[structured_data] is not part of messages of [rfc => rfc3164]');
    this.time = compileTemplate(this.isOld ? '%{+MMM dd HH:mm:ss}' : "%{+YYYY-MM-dd'T'HH:mm:ss.SSSZZ}", context);
    const protocol = options.string('protocol');
    const at = { host: options.string('host'), port: options.number('port') };
    const tls =
      protocol === 'ssl-tcp'
        ? { ...clientTlsOptions(options), rejectUnauthorized: options.boolean('ssl_verify') }
        : null;
    if (tls === null && TLS.some((name) => options.has(name)))
      throw optionError(`options of TLS have no effect with [protocol => ${protocol}]: use [ssl-tcp], or remove them`);
    this.sender = protocol === 'udp' ? null : new StreamSender(at, tls, this.control);
    this.datagrams = protocol === 'udp' ? createSocket(isIPv6(at.host) ? 'udp6' : 'udp4') : null;
    this.datagrams?.on('error', (error) => context.runtime.log.warn('udp failed', { error: error.message })).unref();
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    const lines = events.map((event) => Buffer.from(`${this.line(event)}\n`, 'utf8'));
    const { sender } = this;
    if (sender === null) for (const line of lines) await this.sendDatagram(line);
    else if (lines.length > 0) await this.deliver(sender, Buffer.concat(lines));
  }

  async stop(): Promise<void> {
    this.control.stop();
    await this.sender?.close();
    const { datagrams } = this;
    if (datagrams !== null) await new Promise<void>((resolve) => datagrams.close(() => resolve()));
  }

  private line(event: LogEvent): string {
    const of = (name: string): string => this.templates.get(name)?.render(event) ?? '';
    const head = `<${this.priority(of)}>`;
    const time = this.time.render(event);
    const message = this.message(event);
    if (this.isOld) return `${head}${time} ${of('sourcehost')} ${of('appname')}[${of('procid')}]: ${message}`;
    const data = of('structured_data') || '-';
    return `${head}1 ${time} ${of('sourcehost')} ${of('appname')} ${of('procid')} ${of('msgid')} ${data} ${message}`;
  }

  /** One line, however many the event has: a line break would begin another message. */
  private message(event: LogEvent): string {
    const text = Buffer.from(this.options.codec('codec').encode(event)).toString('utf8');
    // The plain codec without a format of its own leaves it to [message].
    const isPlain = this.options.codec('codec').name === 'plain' && text === this.unformatted.render(event);
    return (isPlain ? this.options.template('message').render(event) : text).trimEnd().replace(/\r?\n/g, '\\n');
  }

  private priority(of: (name: string) => string): number {
    if (!this.options.boolean('use_labels')) {
      const given = of('priority');
      return /^\d+$/.test(given) && Number(given) <= PRIORITY_MAX ? Number(given) : PRIORITY;
    }
    const facility = SYSLOG_FACILITIES.indexOf(of('facility'));
    const severity = SYSLOG_SEVERITIES.indexOf(of('severity'));
    return (facility < 0 ? USER_LEVEL : facility) * 8 + (severity < 0 ? NOTICE : severity);
  }

  private async deliver(sender: StreamSender, bytes: Uint8Array): Promise<void> {
    for (;;) {
      try {
        return await sender.write(bytes);
      } catch (error) {
        if (this.control.isStopped) throw error;
        this.context.metrics.increment('retries');
        this.context.runtime.log.warn('cannot write to a syslog server', { error: String(error) });
        await this.control.pause(this.options.number('reconnect_interval') * 1000);
      }
    }
  }

  /** Nobody says whether a datagram arrived; one that cannot even be sent is counted. */
  private sendDatagram(line: Uint8Array): Promise<void> {
    return new Promise((resolve) =>
      this.datagrams?.send(line, this.options.number('port'), this.options.string('host'), (error) => {
        if (error !== null) this.context.metrics.increment('failures');
        resolve();
      }),
    );
  }
}
