/**
 * HTTP requests of plugins: one call with a time limit, over connections that are kept.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { ShoalError } from '@shoal/core';
import type { ClientTls } from './tls-options.ts';

/** An answer beyond this is none a plugin can use. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly timeoutMs: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

export interface HttpClientOptions {
  readonly tls?: ClientTls;
  readonly connectionsMax?: number;
  /** An unused connection is closed after so long. */
  readonly idleMs?: number;
}

export class HttpClient {
  private readonly http: HttpAgent;
  private readonly https: HttpsAgent;

  constructor({ tls, connectionsMax = 50, idleMs = 10_000 }: HttpClientOptions = {}) {
    const agent = { keepAlive: true, maxSockets: connectionsMax, timeout: idleMs };
    this.http = new HttpAgent(agent);
    this.https = new HttpsAgent({ ...agent, ...tls });
  }

  /** Rejects when there is no whole answer in time; any status is an answer. */
  call(call: HttpCall): Promise<HttpAnswer> {
    const url = new URL(call.url);
    const isTls = url.protocol === 'https:';
    const headers: Record<string, string | number> = { ...call.headers };
    if (call.body !== undefined) headers['content-length'] = call.body.length;
    return new Promise((resolve, reject) => {
      const options = { method: call.method, headers, agent: isTls ? this.https : this.http };
      const request = isTls ? httpsRequest(url, options) : httpRequest(url, options);
      // The one timer of a request that also covers a server that answers a byte now and then.
      const timer = setTimeout(
        () => request.destroy(new Error(`no answer within ${call.timeoutMs} ms`)),
        call.timeoutMs,
      );
      const fail = (error: Error): void => {
        clearTimeout(timer);
        reject(new ShoalError('http_exception', 502, error.message === '' ? String(error) : error.message));
      };
      request.once('error', fail);
      request.once('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if ((size += chunk.length) > ANSWER_BYTES_MAX) request.destroy(new Error('the answer is too long'));
        });
        response.once('error', fail);
        response.once('aborted', () => fail(new Error('the answer was cut off')));
        response.once('end', () => {
          clearTimeout(timer);
          try {
            const body = inflated(Buffer.concat(chunks), response.headers['content-encoding']);
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
          } catch (error) {
            fail(error instanceof Error ? error : new Error(String(error)));
          }
        });
      });
      request.end(call.body);
    });
  }

  close(): void {
    this.http.destroy();
    this.https.destroy();
  }
}

function inflated(body: Buffer, encoding: string | undefined): Buffer {
  const limit = { maxOutputLength: ANSWER_BYTES_MAX };
  if (encoding === 'gzip') return gunzipSync(body, limit);
  if (encoding === 'deflate') return inflateSync(body, limit);
  return encoding === 'br' ? brotliDecompressSync(body, limit) : body;
}

export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}
