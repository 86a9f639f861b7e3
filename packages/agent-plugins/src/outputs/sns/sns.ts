/**
 * The sns output: each event is a message to a topic of Amazon SNS. What could not be sent is sent again for as long as it
 * takes; what is refused for what it is, or has no topic, is dropped and counted.
 */
import { type EventValue, jsonText, type LogEvent } from '@shoal/agent-event';
import {
  type Codec,
  type Output,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import { isShoalError, ShoalError } from '@shoal/core';
import { awsOptions } from '../../aws/aws-options.ts';
import { SnsClient, type SnsMessage } from '../../aws/sns-client.ts';

const RETRY_MS = 1_000;
const RETRY_MAX_MS = 60_000;
const SUBJECT_LENGTH_MAX = 100;
const MESSAGE_BYTES_MAX = 32_768;
const NO_SUBJECT = 'NO SUBJECT';
/** Statuses of a message that would be refused for ever: it is malformed, or its topic is not there. */
const REFUSED: readonly number[] = [400, 404, 413];

export const snsOutput: PluginDefinition = {
  kind: 'output',
  name: 'sns',
  version: '7.1.8',
  concurrency: 'each',
  options: {
    codec: { type: 'codec', default: 'plain' },
    ...awsOptions,
    arn: { type: 'string' },
    publish_boot_message_arn: { type: 'string' },
  },
  create: (options, context) => new SnsOutput(options, context),
};

class SnsOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly client: SnsClient;
  private readonly control: StoppableWait;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    this.client = new SnsClient(options, context);
    this.control = new StoppableWait(context.runtime);
  }

  /** Credentials that are no good show at once to whoever asks for a first message. */
  async start(): Promise<void> {
    if (!this.options.has('publish_boot_message_arn')) return;
    await this.client.publish({
      topicArn: this.options.string('publish_boot_message_arn'),
      subject: 'Logstash booted',
      message: 'Logstash successfully booted',
    });
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    for (const event of events) {
      const topicArn = this.topicOf(event);
      if (topicArn === null) this.drop('neither the event nor [arn] names a topic');
      else await this.deliver({ topicArn, subject: subjectOf(event), message: this.messageOf(event) });
    }
  }

  async stop(): Promise<void> {
    this.control.stop();
    this.client.close();
  }

  private topicOf(event: LogEvent): string | null {
    const own = event.fields.get('sns');
    if (typeof own === 'string') return own;
    return this.options.has('arn') ? this.options.string('arn') : null;
  }

  private messageOf(event: LogEvent): string {
    const own = event.fields.get('sns_message');
    if (own === undefined || own === null || own === false)
      return cutText(Buffer.from(this.codec.encode(event)).toString('utf8'));
    return cutText(textOf(own));
  }

  private async deliver(message: SnsMessage): Promise<void> {
    for (let waitMs = RETRY_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
      try {
        await this.client.publish(message);
        return;
      } catch (error) {
        if (!isShoalError(error)) throw error;
        if (REFUSED.includes(error.status)) return this.drop(error.message);
        if (this.control.isStopped) throw new ShoalError('http_exception', 502, error.message);
        this.context.runtime.log.warn('cannot publish to SNS', {
          plugin: this.context.pluginId,
          error: error.message,
        });
      }
      await this.control.pause(waitMs);
    }
  }

  private drop(reason: string): void {
    this.context.metrics.increment('dropped');
    this.context.runtime.log.error('an event is dropped that SNS does not take', {
      plugin: this.context.pluginId,
      reason,
    });
  }
}

function subjectOf(event: LogEvent): string {
  const subject = event.fields.get('sns_subject') ?? event.fields.get('host') ?? NO_SUBJECT;
  return textOf(subject).slice(0, SUBJECT_LENGTH_MAX);
}

function textOf(value: EventValue): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** Never inside a character. */
function cutText(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= MESSAGE_BYTES_MAX) return text;
  let end = MESSAGE_BYTES_MAX;
  // Bytes 10xxxxxx continue a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
