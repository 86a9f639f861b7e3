/**
 * The rabbitmq output: events to an exchange. What the server has not confirmed is sent again, over a new connection.
 */
import { compileTemplate, type LogEvent, type Template } from '@shoal/agent-event';
import {
  type Codec,
  type Output,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import {
  checkRabbitmqOptions,
  connectRabbitmq,
  EXCHANGE_TYPES,
  type RabbitChannel,
  type RabbitConnection,
  rabbitmqOptions,
  requireRabbitmq,
} from '../../rabbitmq/rabbitmq-client.ts';

const PLUGIN = 'rabbitmq output';

export const rabbitmqOutput: PluginDefinition = {
  kind: 'output',
  name: 'rabbitmq',
  version: '7.4.0',
  concurrency: 'each',
  options: {
    codec: { type: 'codec', default: 'json' },
    ...rabbitmqOptions,
    exchange: { type: 'string', isRequired: true },
    exchange_type: { type: EXCHANGE_TYPES, isRequired: true },
    key: { type: 'template', default: 'logstash' },
    durable: { type: 'boolean', default: true },
    persistent: { type: 'boolean', default: true },
    message_properties: { type: 'hash', default: {} },
  },
  create: (options, context) => new RabbitmqOutput(options, context),
};

/** Names of the package, by those that configurations use. */
const PROPERTIES: Readonly<Record<string, string>> = {
  app_id: 'appId',
  content_encoding: 'contentEncoding',
  content_type: 'contentType',
  correlation_id: 'correlationId',
  expiration: 'expiration',
  headers: 'headers',
  message_id: 'messageId',
  priority: 'priority',
  reply_to: 'replyTo',
  timestamp: 'timestamp',
  type: 'type',
  user_id: 'userId',
};
const NUMBERS: readonly string[] = ['priority', 'timestamp'];

type Property = (event: LogEvent) => readonly [name: string, value: unknown];

class RabbitmqOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly key: Template;
  private readonly properties: readonly Property[];
  private readonly control: StoppableWait;
  private connection: RabbitConnection | null = null;
  private channel: RabbitChannel | null = null;
  private attempts = 0;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    this.key = options.template('key');
    this.control = new StoppableWait(context.runtime);
    checkRabbitmqOptions(options);
    this.properties = [...options.hash('message_properties')].map(([name, value]) => propertyOf(name, value));
  }

  async start(): Promise<void> {
    await requireRabbitmq(PLUGIN);
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    for (;;) {
      try {
        this.channel ??= await this.opened();
        await this.publish(this.channel, events);
        return;
      } catch (error) {
        await this.close();
        if (this.control.isStopped) throw error;
        this.context.runtime.log.warn('cannot write to rabbitmq', {
          plugin: this.context.pluginId,
          error: String(error),
        });
        await this.control.pause(this.options.number('connect_retry_interval') * 1000);
      }
    }
  }

  async stop(): Promise<void> {
    this.control.stop();
    await this.close();
  }

  /** A server that takes no more confirms nothing until it does again: that is the back pressure. */
  private async publish(channel: RabbitChannel, events: readonly LogEvent[]): Promise<void> {
    const exchange = this.options.string('exchange');
    const persistent = this.options.boolean('persistent');
    for (const event of events) {
      const properties = Object.fromEntries(this.properties.map((property) => property(event)));
      const content = Buffer.from(this.codec.encode(event));
      channel.publish(exchange, this.key.render(event), content, { persistent, ...properties });
    }
    await channel.waitForConfirms();
  }

  private async opened(): Promise<RabbitChannel> {
    const { options } = this;
    this.connection = await connectRabbitmq(options, this.context, PLUGIN, this.attempts++);
    const channel = await this.connection.createConfirmChannel();
    // A failure also rejects what waits for confirmations; this keeps it from ending the process besides.
    channel.on('error', () => (this.channel = this.channel === channel ? null : this.channel));
    channel.on('close', () => (this.channel = this.channel === channel ? null : this.channel));
    await channel.assertExchange(options.string('exchange'), options.string('exchange_type'), {
      durable: options.boolean('durable'),
      arguments: Object.fromEntries(options.hash('arguments')),
    });
    return channel;
  }

  private async close(): Promise<void> {
    const { connection } = this;
    this.connection = null;
    this.channel = null;
    // One that is broken already cannot be closed any more.
    await connection?.close().catch(() => undefined);
  }
}

/** @throws ShoalError for a name that is none */
function propertyOf(option: string, value: unknown): Property {
  const name = PROPERTIES[option];
  if (name === undefined)
    throw optionError(`[message_properties] knows no [${option}]; there are ${Object.keys(PROPERTIES).join(', ')}`);
  if (value instanceof Map) {
    const headers = Object.fromEntries(value);
    return () => [name, headers];
  }
  const template = compileTemplate(String(value));
  return (event) => {
    const text = template.render(event);
    return [name, NUMBERS.includes(option) ? Number(text) : text];
  };
}
