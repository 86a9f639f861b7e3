/**
 * HTTP requests of plugins: one call with time limits, over connections that are kept.
 */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { ShoalError } from '@shoal/core';
import type { ClientTls } from '../tls/tls-options.ts';
import type { FingerprintTrust } from '../tls/trusted-fingerprint.ts';
import type { HttpProxy } from './http-proxy.ts';
import { SecureAgent } from './secure-agent.ts';

/** Default of the largest answer: one beyond this is none a plugin can use. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;
const REDIRECTS_MAX = 10;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** May be sent again although nobody knows whether the first one arrived. */
const IDEMPOTENT: readonly string[] = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'];

/** Body of a request that need not lie in memory. It is opened once more when the request is made again. */
export interface HttpBodySource {
  readonly length: number;
  open(): Readable;
}

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | HttpBodySource;
  readonly timeoutMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  /** The words behind the status. */
  readonly reason: string;
  /** Times that the call was made again. */
  readonly retries: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** Answer whose body is still on its way: it is read to its end, or destroyed. */
export interface HttpStream {
  readonly status: number;
  readonly reason: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

export interface HttpClientOptions {
  readonly tls?: ClientTls;
  /** Trust in a certificate, in place of that in authorities. */
  readonly trust?: FingerprintTrust | null;
  readonly proxy?: HttpProxy | null;
  /** To one host. */
  readonly connectionsMax?: number;
  readonly connectionsInAllMax?: number;
  /** An unused connection is closed after so long; 0: after every request. */
  readonly idleMs?: number;
  /** Until there is a connection, and between two pieces of an answer. */
  readonly connectMs?: number;
  readonly silenceMs?: number;
  /** GET and HEAD go where an answer sends them. */
  readonly followsRedirects?: boolean;
  /** Times that a call without an answer is made again at once; those that change something only with `repeatsAll`. */
  readonly repeats?: number;
  readonly repeatsAll?: boolean;
  /** Largest answer of a call, packed or not. */
  readonly answerBytesMax?: number;
}

export class HttpClient {
  private readonly options: HttpClientOptions;
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;
  /** Address of the last call: most clients ask one, again and again. */
  private lastUrl: { readonly text: string; readonly url: URL } | null = null;

  constructor(options: HttpClientOptions = {}) {
    const { tls, connectionsMax = 50, connectionsInAllMax = Number.POSITIVE_INFINITY, idleMs = 10_000 } = options;
    const pool = { maxSockets: connectionsMax, maxTotalSockets: connectionsInAllMax };
    const agent = { ...pool, keepAlive: idleMs > 0, ...(idleMs > 0 ? { timeout: idleMs } : {}) };
    this.options = options;
    this.http = new HttpAgent(agent);
    const { proxy = null, trust = null } = options;
    const secure = { ...agent, ...tls };
    this.https = proxy === null && trust === null ? new HttpsAgent(secure) : new SecureAgent({ proxy, trust }, secure);
  }

  /** Rejects when there is no whole answer in time; any status is an answer. */
  async call(call: HttpCall): Promise<HttpAnswer> {
    const { followsRedirects = false } = this.options;
    let current = call;
    for (let redirects = 0; ; redirects++) {
      const answer = await this.repeated(current);
      const { location } = answer.headers;
      const isMoved = REDIRECTS.includes(answer.status) && (call.method === 'GET' || call.method === 'HEAD');
      if (!followsRedirects || !isMoved || location === undefined || redirects === REDIRECTS_MAX) return answer;
      current = redirected(current, location);
    }
  }

  private async repeated(call: HttpCall): Promise<HttpAnswer> {
    const { repeats = 0, repeatsAll = false } = this.options;
    const mayRepeat = repeatsAll || IDEMPOTENT.includes(call.method);
    for (let attempt = 0; ; attempt++) {
      try {
        return { ...(await this.once(call)), retries: attempt };
      } catch (error) {
        if (!mayRepeat || attempt >= repeats) throw error;
      }
    }
  }

  private once(call: HttpCall): Promise<Omit<HttpAnswer, 'retries'>> {
    const { answerBytesMax = ANSWER_BYTES_MAX } = this.options;
    return new Promise((resolve, reject) => {
      const request = this.request(call);
      // The one timer of a request that also covers a server that answers a byte now and then.
      const timer = setTimeout(
        () => request.destroy(new Error(`no answer within ${call.timeoutMs} ms`)),
        call.timeoutMs,
      );
      const fail = (error: Error): void => {
        clearTimeout(timer);
        reject(failureOf(error));
      };
      request.once('error', fail);
      request.once('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if ((size += chunk.length) > answerBytesMax) request.destroy(new Error('the answer is too long'));
        });
        response.once('error', fail);
        response.once('aborted', () => fail(new Error('the answer was cut off')));
        response.once('end', () => {
          clearTimeout(timer);
          try {
            const body = inflated(Buffer.concat(chunks), response.headers['content-encoding'], answerBytesMax);
            const { statusCode: status = 0, statusMessage: reason = '', headers } = response;
            resolve({ status, reason, headers, body });
          } catch (error) {
            fail(error instanceof Error ? error : new Error(String(error)));
          }
        });
      });
      sendBody(request, call.body);
    });
  }

  /**
   * The answer as soon as its head is there; its body comes as it was sent. Redirects and repeats are the caller's. The
   * time limit is that of the head: how long the body takes only the silence of the options limits.
   */
  open(call: HttpCall): Promise<HttpStream> {
    return new Promise((resolve, reject) => {
      const request = this.request(call);
      const timer = setTimeout(
        () => request.destroy(new Error(`no answer within ${call.timeoutMs} ms`)),
        call.timeoutMs,
      );
      request.once('error', (error) => {
        clearTimeout(timer);
        reject(failureOf(error));
      });
      request.once('response', (response) => {
        clearTimeout(timer);
        // A connection that ends later is an error of the body; without a listener it would end the process.
        request.on('error', (error) => response.destroy(error));
        const { statusCode: status = 0, statusMessage: reason = '', headers } = response;
        resolve({ status, reason, headers, body: response });
      });
      sendBody(request, call.body);
    });
  }

  private request(call: HttpCall): ClientRequest {
    const url = this.urlOf(call.url);
    const isTls = url.protocol === 'https:';
    const headers: Record<string, string | number> = { ...call.headers };
    if (call.body !== undefined) headers['content-length'] = call.body.length;
    const options = { method: call.method, headers, agent: isTls ? this.https : this.http };
    const request = isTls ? httpsRequest(url, options) : this.plainRequest(url, options);
    limitWaiting(request, this.options);
    return request;
  }

  private urlOf(text: string): URL {
    if (this.lastUrl?.text !== text) this.lastUrl = { text, url: new URL(text) };
    return this.lastUrl.url;
  }

  /** A proxy is sent the whole address. */
  private plainRequest(url: URL, options: RequestOptions): ClientRequest {
    const { proxy = null } = this.options;
    if (proxy === null) return httpRequest(url, options);
    const { host, port, authorization } = proxy;
    const added = authorization === null ? {} : { 'proxy-authorization': authorization };
    const headers = { host: url.host, ...added, ...options.headers };
    return httpRequest({ ...options, host, port, path: `${url.origin}${url.pathname}${url.search}`, headers });
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }
}

function failureOf(error: Error): ShoalError {
  return new ShoalError('http_exception', 502, error.message === '' ? String(error) : error.message);
}

function sendBody(request: ClientRequest, body: Uint8Array | HttpBodySource | undefined): void {
  if (body === undefined || body instanceof Uint8Array) request.end(body);
  // A source that fails fails the request, which tells.
  else pipeline(body.open(), request, (error) => void (error && request.destroy(error)));
}

function limitWaiting(request: ClientRequest, { connectMs, silenceMs }: HttpClientOptions): void {
  if (silenceMs !== undefined)
    request.setTimeout(silenceMs, () => request.destroy(new Error(`nothing came for ${silenceMs} ms`)));
  if (connectMs === undefined) return;
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => request.destroy(new Error(`no connection within ${connectMs} ms`)), connectMs);
    socket.once('connect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  });
}

/** Credentials stay with the host that they are for. */
function redirected(call: HttpCall, location: string): HttpCall {
  const target = new URL(location, call.url);
  if (target.origin === new URL(call.url).origin) return { ...call, url: target.href };
  const { authorization: _, ...headers } = call.headers ?? {};
  return { ...call, url: target.href, headers };
}

function inflated(body: Buffer, encoding: string | undefined, bytesMax: number): Buffer {
  const limit = { maxOutputLength: bytesMax };
  if (encoding === 'gzip') return gunzipSync(body, limit);
  if (encoding === 'deflate') return inflateSync(body, limit);
  return encoding === 'br' ? brotliDecompressSync(body, limit) : body;
}

export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}
