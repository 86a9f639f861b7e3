/**
 * The kafka output: events as records of topics. What the brokers have not confirmed is sent again; what they refuse for
 * what it is, is dropped and counted, as is what fails more often than `retries` allows.
 */
import * as zlib from 'node:zlib';
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
  errorText,
  isRefusal,
  type KafkaPackage,
  type KafkaPartitioner,
  type KafkaProducer,
  type KafkaRecord,
  loadKafka,
} from '../../kafka/kafka-client.ts';
import { clientOptions, idleOptions, kafkaOptions } from '../../kafka/kafka-options.ts';

const PLUGIN = 'kafka output';
const ACKS: Readonly<Record<string, number>> = { '0': 0, '1': 1, all: -1 };
const SERIALIZERS: readonly string[] = ['StringSerializer', 'ByteArraySerializer'].map(
  (name) => `org.apache.kafka.common.serialization.${name}`,
);
/** Bytes that a record takes besides its key and value: lengths, times, the name of its topic. */
const RECORD_OVERHEAD = 100;

export const kafkaOutput: PluginDefinition = {
  kind: 'output',
  name: 'kafka',
  version: '11.6.0',
  concurrency: 'each',
  options: {
    codec: { type: 'codec', default: 'plain' },
    ...kafkaOptions,
    topic_id: { type: 'template', isRequired: true },
    message_key: { type: 'template' },
    message_headers: { type: 'hash', default: {} },
    acks: { type: ['0', '1', 'all'], default: '1' },
    client_id: { type: 'string', default: 'logstash' },
    compression_type: { type: ['none', 'gzip', 'snappy', 'lz4', 'zstd'], default: 'none' },
    max_request_size: { type: 'number', default: 1_048_576 },
    partitioner: { type: ['default', 'round_robin', 'uniform_sticky'], default: 'default' },
    retries: { type: 'number' },
    key_serializer: { type: 'string', default: SERIALIZERS[0] },
    value_serializer: { type: 'string', default: SERIALIZERS[0] },
    ...idleOptions(['batch_size', 'buffer_memory', 'linger_ms', 'metadata_fetch_timeout_ms']),
  },
  create: (options, context) => new KafkaOutput(options, context),
};

class KafkaOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly topic: Template;
  private readonly key: Template | null;
  private readonly headers: readonly (readonly [name: Buffer, value: Template])[];
  private readonly control: StoppableWait;
  /** Sends of one batch that may fail; infinite unless the user sets a limit. */
  private readonly attemptsMax: number;
  private client: KafkaPackage | null = null;
  private producer: KafkaProducer | null = null;
  /** Records that went to a partition for no reason of their own; taken modulo the partitions of the topic. */
  private sent = 0;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    this.topic = options.template('topic_id');
    this.key = options.has('message_key') ? options.template('message_key') : null;
    this.headers = [...options.hash('message_headers')].map(([name, value]) => [
      Buffer.from(name),
      compileTemplate(String(value)),
    ]);
    this.control = new StoppableWait(context.runtime);
    clientOptions(options, '');
    for (const name of ['key_serializer', 'value_serializer']) {
      if (!SERIALIZERS.includes(options.string(name)))
        throw optionError(`[${name}] may be ${SERIALIZERS.join(' or ')}: other classes of Java cannot be run`);
    }
    if (options.string('compression_type') === 'zstd' && !('zstdCompressSync' in zlib))
      throw optionError('[compression_type => zstd] needs Node.js 22.15 or newer');
    const retries = options.has('retries') ? options.number('retries') : Number.POSITIVE_INFINITY;
    if (retries < 0) throw optionError('[retries] must not be negative');
    this.attemptsMax = retries + 1;
  }

  async start(): Promise<void> {
    this.client = await loadKafka(PLUGIN);
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    const records = events.map((event) => this.record(event)).filter((record) => this.fits(record));
    for (const request of requestsOf(records, this.options.number('max_request_size'))) await this.deliver(request);
  }

  async stop(): Promise<void> {
    this.control.stop();
    await this.producer?.close(true);
  }

  private record(event: LogEvent): KafkaRecord {
    return {
      topic: this.topic.render(event),
      value: Buffer.from(this.codec.encode(event)),
      ...(this.key === null ? {} : { key: Buffer.from(this.key.render(event)) }),
      ...(this.headers.length === 0
        ? {}
        : { headers: new Map(this.headers.map(([name, value]) => [name, Buffer.from(value.render(event))])) }),
    };
  }

  private fits(record: KafkaRecord): boolean {
    if (sizeOf(record) <= this.options.number('max_request_size')) return true;
    this.drop([record], 'it is larger than [max_request_size]');
    return false;
  }

  private async deliver(records: readonly KafkaRecord[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.producer ??= this.created();
        await this.producer.send({ messages: records });
        return;
      } catch (error) {
        if (isRefusal(error)) return this.deliverSingly(records, error);
        if (attempt >= this.attemptsMax) return this.drop(records, errorText(error));
        if (this.control.isStopped) throw error;
        this.context.runtime.log.warn('cannot write to kafka', {
          plugin: this.context.pluginId,
          error: errorText(error),
        });
        await this.control.pause(this.options.number('retry_backoff_ms'));
      }
    }
  }

  /**
   * One record that is refused must not take the others along. Those that other partitions have taken already are written
   * twice: which they are the client does not say.
   */
  private async deliverSingly(records: readonly KafkaRecord[], error: unknown): Promise<void> {
    if (records.length === 1) this.drop(records, errorText(error));
    else for (const record of records) await this.deliver([record]);
  }

  private drop(records: readonly KafkaRecord[], reason: string): void {
    this.context.metrics.increment('dropped', records.length);
    this.context.runtime.log.error('events are dropped that kafka does not take', {
      plugin: this.context.pluginId,
      topic: records[0]?.topic ?? '',
      events: records.length,
      reason,
    });
  }

  private created(): KafkaProducer {
    const { client, options } = this;
    if (client === null) throw optionError('the kafka output was not started');
    return new client.Producer({
      ...clientOptions(options, options.string('client_id')),
      acks: ACKS[options.string('acks')] ?? 1,
      compression: options.string('compression_type'),
      autocreateTopics: true,
      retries: 0,
      partitioner: this.partitioner(client),
    });
  }

  /** Keys go where the client of Java puts them. Records without one take turns. */
  private partitioner(client: KafkaPackage): KafkaPartitioner {
    const usesKeys = this.options.string('partitioner') === 'default';
    return (record, key) => {
      if (usesKeys && key !== undefined) return client.compatibilityPartitioner(record, key);
      this.sent = (this.sent + 1) % 0x7fff_ffff;
      return this.sent;
    };
  }
}

function sizeOf({ key, value, headers }: KafkaRecord): number {
  let size = RECORD_OVERHEAD + value.length + (key?.length ?? 0);
  for (const [name, text] of headers ?? []) size += name.length + text.length;
  return size;
}

/** Records in requests, each as full as it may be. */
function requestsOf(records: readonly KafkaRecord[], bytesMax: number): KafkaRecord[][] {
  const requests: KafkaRecord[][] = [];
  let room = 0;
  for (const record of records) {
    const size = sizeOf(record);
    if (size > room || requests.length === 0) {
      requests.push([]);
      room = bytesMax;
    }
    requests[requests.length - 1]?.push(record);
    room -= size;
  }
  return requests;
}
