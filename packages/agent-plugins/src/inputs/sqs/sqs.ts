/**
 * The sqs input: messages of a queue of Amazon SQS. A message is deleted there when the queue of the pipeline has it; one
 * that is not comes again after its visibility timeout.
 */
import { type FieldReference, type LogEvent, Timestamp } from '@shoal/agent-event';
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
} from '@shoal/agent-plugin-kit';
import { awsOptions } from '../../aws/aws-options.ts';
import { objectsOf, type SqsAnswer, SqsClient } from '../../aws/sqs-client.ts';

/** Messages that one call may ask for. */
const MESSAGES_MAX = 10;
const WAIT_SECONDS_MAX = 20;
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 60_000;

export const sqsInput: PluginDefinition = {
  kind: 'input',
  name: 'sqs',
  version: '7.1.8',
  options: {
    codec: { type: 'codec', default: 'json' },
    ...awsOptions,
    queue: { type: 'string', isRequired: true },
    queue_owner_aws_account_id: { type: 'string' },
    id_field: { type: 'fieldReference' },
    md5_field: { type: 'fieldReference' },
    sent_timestamp_field: { type: 'fieldReference' },
    polling_frequency: { type: 'number', default: WAIT_SECONDS_MAX },
    threads: { type: 'number', default: 1 },
  },
  create(options, context): Input {
    const reader = new SqsReader(options, context);
    return producingInput(context.runtime, { isEndless: true }, (sink, control) => reader.run(sink, control));
  },
};

class SqsReader {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly client: SqsClient;
  private readonly fields: readonly (readonly [
    field: FieldReference,
    value: (message: SqsAnswer) => string | Timestamp | null,
  ])[];

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    this.client = new SqsClient(options, context);
    const threads = options.number('threads');
    if (!Number.isInteger(threads) || threads < 1) throw optionError('[threads] must be at least 1');
    const wait = options.number('polling_frequency');
    if (!Number.isInteger(wait) || wait < 0 || wait > WAIT_SECONDS_MAX)
      throw optionError(`[polling_frequency] is a number of seconds up to ${WAIT_SECONDS_MAX}`);
    this.fields = [
      ['id_field', (message: SqsAnswer) => textOf(message.MessageId)] as const,
      ['md5_field', (message: SqsAnswer) => textOf(message.MD5OfBody)] as const,
      ['sent_timestamp_field', sentTime] as const,
    ].flatMap(([name, value]) => (options.has(name) ? [[options.reference(name), value] as const] : []));
  }

  async run(sink: EventSink, control: LoopControl): Promise<void> {
    await Promise.all(Array.from({ length: this.options.number('threads') }, () => this.loop(sink, control)));
  }

  private async loop(sink: EventSink, control: LoopControl): Promise<void> {
    const { options } = this;
    let url: string | null = null;
    let retryMs = RETRY_MS;
    while (!control.isStopped) {
      try {
        const owner = options.has('queue_owner_aws_account_id') ? options.string('queue_owner_aws_account_id') : null;
        url ??= await this.client.queueUrl(options.string('queue'), owner);
        const messages = await this.received(url, control);
        await sink.push(messages.flatMap((message) => this.decoded(message)));
        if (messages.length > 0) {
          await sink.confirmed?.();
          await this.remove(url, messages);
        }
        retryMs = RETRY_MS;
      } catch (error) {
        this.context.runtime.log.warn('SQS does not answer', { plugin: this.context.pluginId, error: String(error) });
        await control.pause(retryMs);
        retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
      }
    }
  }

  /** A call that waits for messages does not keep the input from being stopped: what it would bring comes again. */
  private async received(url: string, control: LoopControl): Promise<readonly SqsAnswer[]> {
    const call = this.client.call('ReceiveMessage', {
      QueueUrl: url,
      MaxNumberOfMessages: MESSAGES_MAX,
      WaitTimeSeconds: this.options.number('polling_frequency'),
      AttributeNames: ['SentTimestamp'],
    });
    call.catch(() => undefined);
    let forget: () => void = () => undefined;
    const stopped = new Promise<SqsAnswer>((resolve) => (forget = control.onStop(() => resolve({}))));
    const answer = await Promise.race([call, stopped]);
    forget();
    return objectsOf(answer, 'Messages');
  }

  private async remove(url: string, messages: readonly SqsAnswer[]): Promise<void> {
    const entries = messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }));
    const answer = await this.client.call('DeleteMessageBatch', { QueueUrl: url, Entries: entries });
    const failed = objectsOf(answer, 'Failed');
    if (failed.length > 0)
      this.context.runtime.log.warn('SQS did not delete messages: they will come again', {
        plugin: this.context.pluginId,
        messages: failed.length,
      });
  }

  private decoded(message: SqsAnswer): LogEvent[] {
    const events = decodeUnit(this.codec, Buffer.from(textOf(message.Body) ?? '', 'utf8'));
    for (const event of events) for (const [field, value] of this.fields) event.set(field, value(message));
    return events;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Whole seconds, as Logstash has it. */
function sentTime({ Attributes }: SqsAnswer): Timestamp | null {
  const sent =
    typeof Attributes === 'object' && Attributes !== null && 'SentTimestamp' in Attributes
      ? Number(Attributes.SentTimestamp)
      : Number.NaN;
  return Number.isSafeInteger(sent) ? new Timestamp(Math.floor(sent / 1000) * 1000) : null;
}
