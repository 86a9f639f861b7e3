/**
 * Calls of Amazon SNS, in the form of queries: parameters go as a form, the answer is XML.
 */
import { HttpClient, type PluginContext, type PluginOptions, parseProxy } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { awsCredentials } from './aws-credentials.ts';
import { awsEndpoint } from './aws-options.ts';
import type { CredentialSource } from './credential-source.ts';
import { signedHeaders } from './signature-v4.ts';

const TIMEOUT_MS = 60_000;
const API_VERSION = '2010-03-31';

export interface SnsMessage {
  readonly topicArn: string;
  readonly subject: string;
  readonly message: string;
}

export class SnsClient {
  private readonly context: PluginContext;
  private readonly http: HttpClient;
  private readonly url: URL;
  private readonly region: string;
  private readonly credentials: CredentialSource;

  /** @throws ShoalError for options that make no client */
  constructor(options: PluginOptions, context: PluginContext) {
    this.context = context;
    this.url = new URL(`${awsEndpoint(options, 'sns')}/`);
    this.region = options.string('region');
    this.credentials = awsCredentials(options, context);
    this.http = new HttpClient({ proxy: options.has('proxy_uri') ? parseProxy(options.string('proxy_uri')) : null });
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
    const { url } = this;
    const headers = signedHeaders(
      {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
        body,
        service: 'sns',
        region: this.region,
        nowMs: this.context.runtime.clock.wallMs(),
      },
      await this.credentials.current(),
    );
    const answer = await this.http.call({ method: 'POST', url: url.href, headers, body, timeoutMs: TIMEOUT_MS });
    if (answer.status === 200) return;
    const text = Buffer.from(answer.body).toString('utf8');
    const code = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? answer.status;
    const why = /<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? answer.reason;
    throw new ShoalError('http_exception', answer.status, `SNS answered with ${code}: ${why}`);
  }

  close(): void {
    this.http.close();
  }
}
