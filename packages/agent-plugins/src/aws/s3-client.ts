/**
 * Calls of Amazon S3 and of stores that speak its protocol: signed, made again where the server could not answer, and sent
 * to the region of the bucket where an answer names another one.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  HttpClient,
  type HttpStream,
  type LoopControl,
  optionError,
  type PluginContext,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import { messageOf, ShoalError } from '@shoal/core';
import { awsCredentials } from './aws-credentials.ts';
import { awsEndpoint } from './aws-options.ts';
import type { CredentialSource } from './credential-source.ts';
import { s3Address } from './s3-address.ts';
import { isPassing, S3Failure, type S3Refusal } from './s3-failure.ts';
import { type S3Settings, s3Settings } from './s3-options.ts';
import { parseS3Xml, type S3Element, textOf } from './s3-xml.ts';
import { signedHeaders } from './signature-v4.ts';

/** Until the head of an answer is there: a large object is copied within one call. */
const TIMEOUT_MS = 15 * 60_000;
const REPEAT_MS = 300;
const REDIRECTS_MAX = 5;
/** Answers that are read whole: pages of lists and errors. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** Part of a file, which is read when it is sent. */
export interface FileRange {
  readonly path: string;
  readonly start: number;
  readonly length: number;
}

export interface S3Call {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly bucket: string;
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | FileRange;
}

export interface S3Answer {
  readonly headers: HttpStream['headers'];
  /** null for an answer that is no XML. */
  readonly xml: S3Element | null;
}

/** Where the calls for a bucket go, once an answer told. */
interface Place {
  readonly region: string;
  /** In place of the endpoint and the bucket, for one call. */
  readonly url: URL | null;
}

export class S3Client {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly control: LoopControl;
  private readonly settings: S3Settings;
  private readonly credentials: CredentialSource;
  private readonly http: HttpClient;
  private readonly regions = new Map<string, string>();

  /**
   * @param control ends the waits between two tries
   * @throws ShoalError for options that make no client
   */
  constructor(options: PluginOptions, context: PluginContext, control: LoopControl) {
    this.options = options;
    this.context = context;
    this.control = control;
    this.settings = s3Settings(options);
    this.credentials = awsCredentials(options, context);
    this.http = new HttpClient(this.settings.http);
    if (!/^https?:/.test(awsEndpoint(options, 's3'))) throw optionError('[endpoint] is an address of http or https');
  }

  /** @throws S3Failure when the answer is an error, another ShoalError when there is none */
  async call(call: S3Call): Promise<S3Answer> {
    const { headers, body } = await this.open(call);
    const xml = parseS3Xml(await collected(body));
    // Copying, and joining parts, may fail after the head of the answer was sent.
    if (xml?.localName === 'Error') throw new S3Failure(nameOf(call), refusalOf(200, '', xml));
    return { headers, xml };
  }

  /** The same for an answer of any length. Its body must be read, or destroyed. */
  async open(call: S3Call): Promise<HttpStream> {
    for (let attempt = 0; ; attempt++) {
      let failure: unknown;
      try {
        return await this.routed(call);
      } catch (error) {
        failure = error;
      }
      const isFinal = failure instanceof S3Failure && !isPassing(failure.answered);
      if (isFinal || attempt >= this.settings.repeats || this.control.isStopped) throw failure;
      this.context.metrics.increment('retries');
      await this.control.pause(REPEAT_MS * 2 ** attempt);
    }
  }

  close(): void {
    this.http.close();
    this.credentials.close();
  }

  private async routed(call: S3Call): Promise<HttpStream> {
    let place: Place = { region: this.regions.get(call.bucket) ?? this.options.string('region'), url: null };
    for (let redirects = 0; ; redirects++) {
      const answer = await this.sent(call, place);
      if (answer.status >= 200 && answer.status < 300) return answer;
      const xml = parseS3Xml(await collected(answer.body));
      const next = redirects < REDIRECTS_MAX ? this.moved(answer, xml, place) : null;
      if (next === null) throw new S3Failure(nameOf(call), refusalOf(answer.status, answer.reason, xml));
      if (next.url === null) this.regions.set(call.bucket, next.region);
      place = next;
    }
  }

  private async sent(call: S3Call, { region, url: given }: Place): Promise<HttpStream> {
    const { bucket, key = '', query = {}, body = new Uint8Array(0) } = call;
    const endpoint = awsEndpoint(this.options, 's3', region);
    const url = given ?? s3Address(endpoint, { bucket, key, query }, this.settings.isPathStyle);
    const sha256 = await digestOf(body);
    const headers = signedHeaders(
      {
        method: call.method,
        url,
        headers: { ...call.headers, 'x-amz-content-sha256': sha256 },
        body: { sha256 },
        service: 's3',
        region,
        nowMs: this.context.runtime.clock.wallMs(),
      },
      await this.credentials.current(),
    );
    const hasBody = call.method === 'PUT' || call.method === 'POST';
    return this.http.open({
      method: call.method,
      url: url.href,
      headers,
      ...(hasBody
        ? { body: body instanceof Uint8Array ? body : { length: body.length, open: () => stream(body) } }
        : {}),
      timeoutMs: TIMEOUT_MS,
    });
  }

  /** Where the call is to be made instead; null for an answer that sends it nowhere. */
  private moved({ status, headers }: HttpStream, xml: S3Element | null, place: Place): Place | null {
    if (!this.settings.followsRedirects) return null;
    const named = headers['x-amz-bucket-region'];
    const region = typeof named === 'string' ? named : textOf(xml, 'Region');
    const isElsewhere = status === 301 || status === 307 || status === 400;
    if (isElsewhere && region !== null && /^[a-z0-9-]{1,64}$/.test(region) && region !== place.region)
      return { region, url: null };
    const { location } = headers;
    if (![301, 302, 307, 308].includes(status) || location === undefined || !URL.canParse(location)) return null;
    const url = new URL(location);
    // Signed requests do not leave an encrypted connection for one that is not.
    const isPlain = awsEndpoint(this.options, 's3').startsWith('http:');
    return url.protocol === 'https:' || (isPlain && url.protocol === 'http:') ? { ...place, url } : null;
  }
}

function nameOf({ method, bucket, key = '' }: S3Call): string {
  return `${method} ${bucket}${key === '' ? '' : `/${key}`}`;
}

function refusalOf(status: number, reason: string, xml: S3Element | null): S3Refusal {
  return { status, code: textOf(xml, 'Code') ?? String(status), message: textOf(xml, 'Message') ?? reason };
}

async function collected(body: HttpStream['body']): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      if ((size += chunk.length) > ANSWER_BYTES_MAX) throw new Error('the answer is too long');
    }
  } catch (error) {
    throw new ShoalError('http_exception', 502, messageOf(error));
  }
  return Buffer.concat(chunks);
}

/** A file is read twice, for its digest and to be sent, and so never lies in memory. */
async function digestOf(body: Uint8Array | FileRange): Promise<string> {
  const hash = createHash('sha256');
  if (body instanceof Uint8Array) hash.update(body);
  else for await (const chunk of stream(body)) hash.update(chunk);
  return hash.digest('hex');
}

function stream({ path, start, length }: FileRange): ReturnType<typeof createReadStream> {
  return createReadStream(path, { start, end: start + length - 1 });
}
