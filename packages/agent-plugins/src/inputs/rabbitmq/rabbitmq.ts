/**
 * The rabbitmq input: messages of a queue, which it declares and binds as told.
 *
 * A message is acknowledged when the queue of the pipeline has it: until then the server keeps it and gives it to others
 * should the agent die.
 */
import { type LogEvent, toEventValue } from '@shoal/agent-event';
import {
  type Codec,
  decodeUnit,
  type EventSink,
  type Input,
  type LoopControl,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  producingInput,
  putMetadata,
} from '@shoal/agent-plugin-kit';
import {
  checkRabbitmqOptions,
  connectRabbitmq,
  type RabbitChannel,
  type RabbitMessage,
  rabbitmqOptions,
  requireRabbitmq,
} from '../../rabbitmq/rabbitmq-client.ts';

const PLUGIN = 'rabbitmq input';
/** Messages that go into the pipeline at once. */
const BATCH_MAX = 500;

export const rabbitmqInput: PluginDefinition = {
  kind: 'input',
  name: 'rabbitmq',
  version: '7.4.0',
  options: {
    codec: { type: 'codec', default: 'json' },
    ...rabbitmqOptions,
    queue: { type: 'string', default: '' },
    durable: { type: 'boolean', default: false },
    auto_delete: { type: 'boolean', default: false },
    exclusive: { type: 'boolean', default: false },
    prefetch_count: { type: 'number', default: 256 },
    ack: { type: 'boolean', default: true },
    exchange: { type: 'string' },
    exchange_type: { type: 'string' },
    key: { type: 'string', default: 'logstash' },
    subscription_retry_interval_seconds: { type: 'number', default: 5 },
    metadata_enabled: { type: ['none', 'basic', 'extended', 'true', 'false'], default: 'none' },
    threads: { type: 'number', default: 1 },
  },
  create(options, context): Input {
    const reader = new RabbitReader(options, context);
    const prepare = (): Promise<void> => requireRabbitmq(PLUGIN);
    return producingInput(context.runtime, { isEndless: true, prepare }, (sink, control) => reader.run(sink, control));
  },
};

class RabbitReader {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private attempts = 0;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    checkRabbitmqOptions(options);
    for (const name of ['prefetch_count', 'threads']) {
      const value = options.number(name);
      if (!Number.isInteger(value) || value < 1) throw optionError(`[${name}] must be at least 1`);
    }
    if (options.has('exchange_type') && !options.has('exchange')) throw optionError('[exchange_type] needs [exchange]');
  }

  async run(sink: EventSink, control: LoopControl): Promise<void> {
    await Promise.all(Array.from({ length: this.options.number('threads') }, () => this.loop(sink, control)));
  }

  private async loop(sink: EventSink, control: LoopControl): Promise<void> {
    const { options } = this;
    while (!control.isStopped) {
      let waitSeconds = options.number('connect_retry_interval');
      try {
        const connection = await connectRabbitmq(options, this.context, PLUGIN, this.attempts++);
        waitSeconds = options.number('subscription_retry_interval_seconds');
        try {
          await this.consume(await connection.createChannel(), sink, control);
        } finally {
          // One that is broken already cannot be closed any more.
          await connection.close().catch(() => undefined);
        }
      } catch (error) {
        this.context.runtime.log.warn('rabbitmq does not answer', {
          plugin: this.context.pluginId,
          error: String(error),
        });
        await control.pause(waitSeconds * 1000);
      }
    }
  }

  /** Reads until the input is stopped, or the channel or the queue is gone, which it throws. */
  private async consume(channel: RabbitChannel, sink: EventSink, control: LoopControl): Promise<void> {
    const waiting: RabbitMessage[] = [];
    let ended: Error | null = null;
    let wake: () => void = () => undefined;
    const fail = (error: Error): void => {
      ended ??= error;
      wake();
    };
    channel.on('error', (error) => fail(error ?? new Error('the channel failed')));
    channel.on('close', () => fail(new Error('the channel was closed')));
    const queue = await this.declared(channel);
    await channel.prefetch(this.options.number('prefetch_count'));
    const { consumerTag } = await channel.consume(queue, (message) => {
      if (message === null) fail(new Error('the server took the queue away'));
      else waiting.push(message);
      wake();
    });
    const forget = control.onStop(() => wake());
    try {
      while (!control.isStopped) {
        if (ended !== null) throw ended;
        const batch = waiting.splice(0, BATCH_MAX);
        if (batch.length > 0) await this.give(batch, channel, sink);
        else await new Promise<void>((resolve) => (wake = resolve));
      }
      await channel.cancel(consumerTag);
    } finally {
      forget();
    }
  }

  /** Without [ack] a message is done when it is here, also should the pipeline not get it. */
  private async give(batch: readonly RabbitMessage[], channel: RabbitChannel, sink: EventSink): Promise<void> {
    const last = batch[batch.length - 1];
    const isLate = this.options.boolean('ack');
    if (!isLate && last !== undefined) channel.ack(last, true);
    await sink.push(batch.flatMap((message) => this.decoded(message)));
    if (!isLate || last === undefined) return;
    await sink.confirmed?.();
    channel.ack(last, true);
  }

  private async declared(channel: RabbitChannel): Promise<string> {
    const { options } = this;
    const name = options.string('queue');
    const durable = options.boolean('durable');
    const { queue } = options.boolean('passive')
      ? await channel.checkQueue(name)
      : await channel.assertQueue(name, {
          durable,
          autoDelete: options.boolean('auto_delete'),
          exclusive: options.boolean('exclusive'),
          arguments: Object.fromEntries(options.hash('arguments')),
        });
    if (options.has('exchange')) {
      const exchange = options.string('exchange');
      if (options.has('exchange_type'))
        await channel.assertExchange(exchange, options.string('exchange_type'), { durable });
      await channel.bindQueue(queue, exchange, options.string('key'));
    }
    return queue;
  }

  private decoded(message: RabbitMessage): LogEvent[] {
    const events = decodeUnit(this.codec, message.content);
    const level = this.options.string('metadata_enabled');
    if (level === 'none' || level === 'false') return events;
    for (const event of events) {
      putMetadata(event, ['rabbitmq_headers'], toEventValue(message.properties.headers ?? {}));
      putMetadata(event, ['rabbitmq_properties'], toEventValue(propertiesOf(message)));
      if (level === 'extended') putMetadata(event, ['rabbitmq_payload'], message.content.toString('utf8'));
    }
    return events;
  }
}

/** Names of AMQP, by those of the package. */
const PROPERTIES: readonly (readonly [name: string, property: string])[] = [
  ['app-id', 'appId'],
  ['cluster-id', 'clusterId'],
  ['content-encoding', 'contentEncoding'],
  ['content-type', 'contentType'],
  ['correlation-id', 'correlationId'],
  ['delivery-mode', 'deliveryMode'],
  ['expiration', 'expiration'],
  ['message-id', 'messageId'],
  ['priority', 'priority'],
  ['reply-to', 'replyTo'],
  ['timestamp', 'timestamp'],
  ['type', 'type'],
  ['user-id', 'userId'],
];

function propertiesOf({ fields, properties }: RabbitMessage): Record<string, unknown> {
  const found: Record<string, unknown> = { exchange: fields.exchange, 'routing-key': fields.routingKey };
  if (fields.consumerTag !== undefined) found['consumer-tag'] = fields.consumerTag;
  if (fields.redelivered) found.redeliver = true;
  for (const [name, property] of PROPERTIES) {
    const value = properties[property];
    if (value !== undefined && value !== null) found[name] = value;
  }
  return found;
}
