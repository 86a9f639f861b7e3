/**
 * Calls of Amazon SNS, in the form of queries: parameters go as a form, the answer is XML.
 */
import type { PluginContext, PluginOptions } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { SignedService } from './signed-service.ts';

const HEADERS = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
const API_VERSION = '2010-03-31';

export interface SnsMessage {
  readonly topicArn: string;
  readonly subject: string;
  readonly message: string;
}

export class SnsClient {
  private readonly service: SignedService;

  /** @throws ShoalError for options that make no client */
  constructor(options: PluginOptions, context: PluginContext) {
    this.service = new SignedService('sns', options, context);
  }

  /** @throws ShoalError with the status of the answer when it is an error, with 502 when there is none */
  async publish({ topicArn, subject, message }: SnsMessage): Promise<void> {
    const parameters = {
      Action: 'Publish',
      Version: API_VERSION,
      TopicArn: topicArn,
      Subject: subject,
      Message: message,
    };
    const body = Buffer.from(new URLSearchParams(parameters).toString(), 'utf8');
    const answer = await this.service.post(HEADERS, body);
    if (answer.status === 200) return;
    const text = Buffer.from(answer.body).toString('utf8');
    const code = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? answer.status;
    const why = /<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? answer.reason;
    throw new ShoalError('http_exception', answer.status, `SNS answered with ${code}: ${why}`);
  }

  close(): void {
    this.service.close();
  }
}
