/**
 * The sqs output: events to a queue of Amazon SQS. What could not be sent is sent again for as long as it takes; what is too
 * large, or refused for what it is, is dropped and counted.
 */
import type { LogEvent } from '@shoal/agent-event';
import {
  type Codec,
  type Output,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { awsOptions } from '../../aws/aws-options.ts';
import { objectsOf, SqsClient } from '../../aws/sqs-client.ts';

const RETRY_MS = 1_000;
const RETRY_MAX_MS = 60_000;
/** Messages that one call may carry. */
const BATCH_MAX = 10;

export const sqsOutput: PluginDefinition = {
  kind: 'output',
  name: 'sqs',
  version: '7.1.8',
  concurrency: 'each',
  options: {
    codec: { type: 'codec', default: 'json' },
    ...awsOptions,
    queue: { type: 'string', isRequired: true },
    queue_owner_aws_account_id: { type: 'string' },
    batch: { type: 'boolean', default: true },
    batch_events: { type: 'number', default: BATCH_MAX },
    batch_timeout: { type: 'number', deprecated: 'it has no effect: nothing waits for a batch to fill' },
    message_max_size: { type: 'bytes', default: 262_144 },
  },
  create: (options, context) => new SqsOutput(options, context),
};

class SqsOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly client: SqsClient;
  private readonly control: StoppableWait;
  private readonly batchMax: number;
  private url: string | null = null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    this.client = new SqsClient(options, context);
    this.control = new StoppableWait(context.runtime);
    const events = options.number('batch_events');
    if (!Number.isInteger(events) || events < 1 || events > BATCH_MAX)
      throw new ShoalError('illegal_argument_exception', 400, `[batch_events] must be from 1 to ${BATCH_MAX}`);
    this.batchMax = options.boolean('batch') ? events : 1;
  }

  async receive(events: readonly LogEvent[]): Promise<void> {
    const bodies = events.map((event) => Buffer.from(this.codec.encode(event)).toString('utf8'));
    for (const batch of this.batches(bodies)) await this.deliver(batch);
  }

  async stop(): Promise<void> {
    this.control.stop();
  }

  /** Messages by call, each as full as it may be in number and in bytes. */
  private batches(bodies: readonly string[]): string[][] {
    const bytesMax = this.options.number('message_max_size');
    const batches: string[][] = [];
    let room = 0;
    for (const body of bodies) {
      const size = Buffer.byteLength(body, 'utf8');
      if (size > bytesMax) {
        this.drop(1, 'it is larger than [message_max_size]');
        continue;
      }
      const last = batches[batches.length - 1];
      if (last === undefined || last.length >= this.batchMax || size > room) {
        batches.push([body]);
        room = bytesMax - size;
      } else {
        last.push(body);
        room -= size;
      }
    }
    return batches;
  }

  private async deliver(batch: readonly string[]): Promise<void> {
    let left = batch;
    for (let waitMs = RETRY_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
      let reason: unknown = 'some of a batch were not taken';
      try {
        left = await this.send(left);
        if (left.length === 0) return;
      } catch (error) {
        reason = error;
      }
      if (this.control.isStopped) throw new ShoalError('http_exception', 502, String(reason));
      this.context.runtime.log.warn('cannot write to SQS', { plugin: this.context.pluginId, error: String(reason) });
      await this.control.pause(waitMs);
    }
  }

  /** Answers those that may be sent again. */
  private async send(bodies: readonly string[]): Promise<readonly string[]> {
    const { options } = this;
    const owner = options.has('queue_owner_aws_account_id') ? options.string('queue_owner_aws_account_id') : null;
    this.url ??= await this.client.queueUrl(options.string('queue'), owner);
    const entries = bodies.map((MessageBody, i) => ({ Id: String(i), MessageBody }));
    const answer = await this.client.call('SendMessageBatch', { QueueUrl: this.url, Entries: entries });
    const again: string[] = [];
    for (const { Id, SenderFault, Message } of objectsOf(answer, 'Failed')) {
      const body = bodies[Number(Id)];
      if (SenderFault === true) this.drop(1, String(Message));
      else if (body !== undefined) again.push(body);
    }
    return again;
  }

  private drop(count: number, reason: string): void {
    this.context.metrics.increment('dropped', count);
    this.context.runtime.log.error('events are dropped that SQS does not take', {
      plugin: this.context.pluginId,
      reason,
    });
  }
}
