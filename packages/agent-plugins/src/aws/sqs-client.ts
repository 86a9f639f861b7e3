/**
 * Calls of Amazon SQS, in its JSON form.
 */
import type { PluginContext, PluginOptions } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { SignedService } from './signed-service.ts';

export type SqsAnswer = Readonly<Record<string, unknown>>;

export class SqsClient {
  private readonly service: SignedService;

  /** @throws ShoalError for options that make no client */
  constructor(options: PluginOptions, context: PluginContext) {
    this.service = new SignedService('sqs', options, context);
  }

  /** @throws ShoalError when there is no answer, or it is an error */
  async call(action: string, parameters: object): Promise<SqsAnswer> {
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` };
    const answer = await this.service.post(headers, Buffer.from(JSON.stringify(parameters), 'utf8'));
    const parsed = parsedObject(answer.body);
    if (answer.status === 200 && parsed !== null) return parsed;
    const why = typeof parsed?.message === 'string' ? parsed.message : answer.reason;
    const type = typeof parsed?.__type === 'string' ? parsed.__type : String(answer.status);
    throw new ShoalError('http_exception', 502, `SQS answered ${action} with ${type}: ${why}`);
  }

  async queueUrl(queue: string, owner: string | null): Promise<string> {
    const owned = owner === null ? {} : { QueueOwnerAWSAccountId: owner };
    const { QueueUrl } = await this.call('GetQueueUrl', { QueueName: queue, ...owned });
    if (typeof QueueUrl !== 'string') throw new ShoalError('http_exception', 502, `SQS knows no address of [${queue}]`);
    return QueueUrl;
  }
}

/** Objects of a list in an answer. */
export function objectsOf(answer: SqsAnswer, name: string): readonly SqsAnswer[] {
  const list = answer[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function parsedObject(bytes: Uint8Array): SqsAnswer | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    // A proxy on the way may answer with anything.
    return null;
  }
}

function isObject(value: unknown): value is SqsAnswer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
