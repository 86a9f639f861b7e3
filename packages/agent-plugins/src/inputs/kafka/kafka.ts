/**
 * The kafka input: messages of topics, shared with the other members of its group.
 *
 * An offset is committed only when the queue has all messages before it, or the outputs where the pipeline asks for that: after
 * a crash messages come again, none is lost.
 */
import type { LogEvent } from '@shoal/agent-event';
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
  refusedOptions,
} from '@shoal/agent-plugin-kit';
import { assert, messageOf } from '@shoal/core';
import { ASSIGNMENT_STRATEGIES } from '../../kafka/assignment-strategy.ts';
import {
  errorText,
  type KafkaConsumer,
  type KafkaMessage,
  type KafkaPackage,
  loadKafka,
} from '../../kafka/kafka-client.ts';
import { clientOptions, idleOptions, kafkaOptions } from '../../kafka/kafka-options.ts';
import { MessageBatches } from './message-batches.ts';
import { OffsetLedger } from './offset-ledger.ts';

const PLUGIN = 'kafka input';
/** Wait before a client that failed is replaced. */
const RETRY_MS = 1_000;
const SCHEMA_REGISTRY = 'schema registries are not supported; remove it';
const DESERIALIZERS: readonly string[] = ['StringDeserializer', 'ByteArrayDeserializer'].map(
  (name) => `org.apache.kafka.common.serialization.${name}`,
);

export const kafkaInput: PluginDefinition = {
  kind: 'input',
  name: 'kafka',
  version: '11.6.0',
  options: {
    codec: { type: 'codec', default: 'plain' },
    ...kafkaOptions,
    topics: { type: 'array', default: ['logstash'] },
    topics_pattern: { type: 'string' },
    exclude_internal_topics: { type: 'boolean', default: true },
    group_id: { type: 'string', default: 'logstash' },
    group_instance_id: { type: 'string' },
    client_id: { type: 'string', default: 'logstash' },
    consumer_threads: { type: 'number', default: 1 },
    auto_offset_reset: { type: ['earliest', 'latest', 'none'], default: 'latest' },
    auto_create_topics: { type: 'boolean', default: true },
    enable_auto_commit: { type: 'boolean', default: true },
    auto_commit_interval_ms: { type: 'number', default: 5000 },
    decorate_events: { type: ['none', 'basic', 'extended', 'true', 'false'], default: 'none' },
    fetch_max_bytes: { type: 'number', default: 52_428_800 },
    fetch_max_wait_ms: { type: 'number', default: 500 },
    fetch_min_bytes: { type: 'number', default: 1 },
    max_partition_fetch_bytes: { type: 'number', default: 1_048_576 },
    max_poll_records: { type: 'number', default: 500 },
    max_poll_interval_ms: { type: 'number', default: 300_000 },
    session_timeout_ms: { type: 'number', default: 10_000 },
    heartbeat_interval_ms: { type: 'number', default: 3000 },
    isolation_level: { type: ['read_uncommitted', 'read_committed'], default: 'read_uncommitted' },
    partition_assignment_strategy: { type: [...ASSIGNMENT_STRATEGIES.keys()], default: 'range' },
    key_deserializer_class: { type: 'string', default: DESERIALIZERS[0] },
    value_deserializer_class: { type: 'string', default: DESERIALIZERS[0] },
    ...idleOptions(['check_crcs', 'client_rack', 'poll_timeout_ms']),
    ...refusedOptions(
      [
        'schema_registry_url',
        'schema_registry_key',
        'schema_registry_secret',
        'schema_registry_proxy',
        'schema_registry_validation',
        'schema_registry_ssl_keystore_location',
        'schema_registry_ssl_keystore_password',
        'schema_registry_ssl_keystore_type',
        'schema_registry_ssl_truststore_location',
        'schema_registry_ssl_truststore_password',
        'schema_registry_ssl_truststore_type',
      ],
      SCHEMA_REGISTRY,
    ),
  },
  create(options, context): Input {
    const reader = new KafkaReader(options, context);
    const prepare = async (): Promise<void> => {
      reader.client = await loadKafka(PLUGIN);
    };
    return producingInput(context.runtime, { isEndless: true, prepare }, (sink, control) => reader.run(sink, control));
  },
};

class KafkaReader {
  client: KafkaPackage | null = null;
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly pattern: RegExp | null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    this.pattern = options.has('topics_pattern') ? topicPattern(options.string('topics_pattern')) : null;
    clientOptions(options, '');
    for (const name of ['key_deserializer_class', 'value_deserializer_class']) {
      if (!DESERIALIZERS.includes(options.string(name)))
        throw optionError(`[${name}] may be ${DESERIALIZERS.join(' or ')}: other classes of Java cannot be run`);
    }
    const threads = options.number('consumer_threads');
    if (!Number.isInteger(threads) || threads < 1) throw optionError('[consumer_threads] must be at least 1');
    if (options.number('heartbeat_interval_ms') >= options.number('session_timeout_ms'))
      throw optionError('[heartbeat_interval_ms] must be below [session_timeout_ms]');
  }

  async run(sink: EventSink, control: LoopControl): Promise<void> {
    const count = this.options.number('consumer_threads');
    await Promise.all(Array.from({ length: count }, (_, thread) => this.loop(thread, sink, control)));
  }

  private async loop(thread: number, sink: EventSink, control: LoopControl): Promise<void> {
    while (!control.isStopped) {
      let consumer: KafkaConsumer | null = null;
      try {
        const topics = await this.topics();
        if (topics.length > 0) {
          consumer = this.consumer(thread);
          await this.consume(consumer, topics, sink, control);
        } else await control.pause(Math.min(this.options.number('metadata_max_age_ms'), RETRY_MS));
      } catch (error) {
        this.context.runtime.log.warn('kafka does not answer', {
          plugin: this.context.pluginId,
          error: errorText(error),
        });
        await control.pause(RETRY_MS);
      } finally {
        // A group that this member cannot leave any more forgets it after the session timeout.
        await consumer?.close(true).catch(() => undefined);
      }
    }
  }

  /** Reads until the input is stopped, the client fails, or other topics fit the pattern. */
  private async consume(
    consumer: KafkaConsumer,
    topics: readonly string[],
    sink: EventSink,
    control: LoopControl,
  ): Promise<void> {
    const { options } = this;
    const stream = await consumer.consume({ topics: [...topics], ...this.streamOptions() });
    const batches = new MessageBatches(stream, this.context.runtime, options.number('max_poll_records'));
    const forget = control.onStop(() => batches.end());
    const ledger = new OffsetLedger(consumer, this.context);
    const commitMs = options.boolean('enable_auto_commit') ? options.number('auto_commit_interval_ms') : 0;
    const lookMs = this.pattern === null ? Number.POSITIVE_INFINITY : options.number('metadata_max_age_ms');
    const startMs = this.context.runtime.clock.monotonicMs();
    try {
      while (!control.isStopped) {
        const batch = await batches.next(Math.min(Math.max(commitMs, 1), lookMs));
        if (batch.length > 0) {
          await sink.push(batch.flatMap((message) => this.decoded(message)));
          await sink.confirmed?.();
        }
        for (const message of batch) ledger.done(message);
        await ledger.commit(commitMs);
        if (this.context.runtime.clock.monotonicMs() - startMs >= lookMs && (await this.hasChanged(topics))) break;
      }
    } finally {
      forget();
      await ledger.commit(0);
      await stream.close();
    }
  }

  private decoded(message: KafkaMessage): LogEvent[] {
    if (message.value === null || message.value === undefined) return [];
    const events = decodeUnit(this.codec, message.value);
    const decoration = this.options.string('decorate_events');
    if (decoration !== 'none' && decoration !== 'false')
      for (const event of events) this.decorate(event, message, decoration === 'extended');
    return events;
  }

  private decorate(event: LogEvent, message: KafkaMessage, hasHeaders: boolean): void {
    putMetadata(event, ['kafka', 'topic'], message.topic);
    putMetadata(event, ['kafka', 'consumer_group'], this.options.string('group_id'));
    putMetadata(event, ['kafka', 'partition'], message.partition);
    putMetadata(event, ['kafka', 'offset'], Number(message.offset));
    putMetadata(event, ['kafka', 'key'], message.key?.toString('utf8') ?? null);
    putMetadata(event, ['kafka', 'timestamp'], Number(message.timestamp));
    if (!hasHeaders) return;
    for (const [name, value] of message.headers) {
      const text = value.toString('utf8');
      // Bytes that are no text are left out.
      if (Buffer.from(text, 'utf8').equals(value))
        putMetadata(event, ['kafka', 'headers', name.toString('utf8')], text);
    }
  }

  private consumer(thread: number): KafkaConsumer {
    const { options } = this;
    const isShared = options.number('consumer_threads') > 1;
    const instance = options.has('group_instance_id') ? options.string('group_instance_id') : null;
    const strategy = ASSIGNMENT_STRATEGIES.get(options.string('partition_assignment_strategy'));
    assert(strategy !== undefined, 'a strategy is one of those that the option may be');
    return new (this.loaded().Consumer)({
      ...clientOptions(options, `${options.string('client_id')}-${thread}`),
      groupId: options.string('group_id'),
      ...(instance === null ? {} : { groupInstanceId: isShared ? `${instance}-${thread}` : instance }),
      sessionTimeout: options.number('session_timeout_ms'),
      rebalanceTimeout: Math.max(options.number('max_poll_interval_ms'), options.number('session_timeout_ms')),
      heartbeatInterval: options.number('heartbeat_interval_ms'),
      autocreateTopics: options.boolean('auto_create_topics'),
      protocols: [{ name: strategy.protocol, version: 1 }],
      ...(strategy.assigner === null ? {} : { partitionAssigner: strategy.assigner }),
    });
  }

  private streamOptions(): object {
    const { options } = this;
    const reset = options.string('auto_offset_reset');
    return {
      mode: 'committed',
      fallbackMode: reset === 'none' ? 'fail' : reset,
      autocommit: false,
      minBytes: options.number('fetch_min_bytes'),
      maxBytes: options.number('fetch_max_bytes'),
      maxBytesPerPartition: options.number('max_partition_fetch_bytes'),
      maxWaitTime: options.number('fetch_max_wait_ms'),
      isolationLevel: options.string('isolation_level') === 'read_committed' ? 1 : 0,
      highWaterMark: options.number('max_poll_records'),
    };
  }

  private async hasChanged(topics: readonly string[]): Promise<boolean> {
    const now = await this.topics();
    return now.length !== topics.length || now.some((topic, i) => topic !== topics[i]);
  }

  private async topics(): Promise<readonly string[]> {
    const { pattern, options } = this;
    if (pattern === null) return options.strings('topics');
    const admin = new (this.loaded().Admin)(clientOptions(options, options.string('client_id')));
    try {
      const names = await admin.listTopics();
      const isHidden = (name: string): boolean => options.boolean('exclude_internal_topics') && name.startsWith('__');
      return names.filter((name) => pattern.test(name) && !isHidden(name)).sort();
    } finally {
      await admin.close();
    }
  }

  private loaded(): KafkaPackage {
    if (this.client === null) throw optionError('the kafka input was not started');
    return this.client;
  }
}

/** The whole name has to fit. */
function topicPattern(text: string): RegExp {
  try {
    return new RegExp(`^(?:${text})$`);
  } catch (error) {
    throw optionError(`[topics_pattern] is no regular expression: ${messageOf(error)}`);
  }
}
