/**
 * Calls of Amazon SQS, in its JSON form.
 */
import { HttpClient, type PluginContext, type PluginOptions, parseProxy } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { awsCredentials } from './aws-credentials.ts';
import { awsEndpoint } from './aws-options.ts';
import type { CredentialSource } from './credential-source.ts';
import { signedHeaders } from './signature-v4.ts';

/** Beyond the time that the server itself may hold a call for messages to come. */
const TIMEOUT_MS = 60_000;

export type SqsAnswer = Readonly<Record<string, unknown>>;

export class SqsClient {
  private readonly context: PluginContext;
  private readonly http: HttpClient;
  private readonly endpoint: string;
  private readonly region: string;
  private readonly credentials: CredentialSource;

  /** @throws ShoalError for options that make no client */
  constructor(options: PluginOptions, context: PluginContext) {
    this.context = context;
    this.endpoint = awsEndpoint(options, 'sqs');
    this.region = options.string('region');
    this.credentials = awsCredentials(options, context);
    this.http = new HttpClient({ proxy: options.has('proxy_uri') ? parseProxy(options.string('proxy_uri')) : null });
  }

  /** @throws ShoalError when there is no answer, or it is an error */
  async call(action: string, parameters: object): Promise<SqsAnswer> {
    const body = Buffer.from(JSON.stringify(parameters), 'utf8');
    const url = new URL(`${this.endpoint}/`);
    const headers = signedHeaders(
      {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
        body,
        service: 'sqs',
        region: this.region,
        nowMs: this.context.runtime.clock.wallMs(),
      },
      await this.credentials.current(),
    );
    const answer = await this.http.call({ method: 'POST', url: url.href, headers, body, timeoutMs: TIMEOUT_MS });
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
