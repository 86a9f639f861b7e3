/**
 * Serves an `HttpHandler` from node:http's request and response objects. The Express adapter is this function under
 * Express; a plain node:http server may call it as it is.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import compression from 'compression';
import type { AccessEntry } from '../access-log.ts';
import { CancelSource } from '../client-gone.ts';
import type { HttpHandler, HttpHeaders } from '../http-message.ts';
import { BodyBudget, type BodyLease } from './body-budget.ts';
import { readRequestBody } from './request-body.ts';

export interface ListenerOptions {
  readonly handler: HttpHandler;
  /** Of all request bodies in memory together. */
  readonly inflightBytesMax: number;
  /** What went wrong behind the handler, which answers its own failures. The socket is closed by then. */
  readonly onFailure: (error: unknown) => void;
  /** Called once for each answered request. */
  readonly onAnswered?: (entry: AccessEntry) => void;
}

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/** Fast enough for a main thread that has other work; clients on a network save most of the bytes anyway. */
const GZIP_LEVEL = 3;
/** What fits one packet gains nothing. */
const GZIP_BYTES_MIN = 1_024;
/** Up to here compressing takes less time here than a stream and its thread take to be set up. */
const GZIP_AT_ONCE_BYTES_MAX = 64 * 1024;
/** A small window for small bodies: most of the time of the usual one goes into making it. */
const GZIP_AT_ONCE = { level: GZIP_LEVEL, memLevel: 7, windowBits: 14 };

export function nodeListener(options: ListenerOptions): NodeListener {
  const compress = compression({ level: GZIP_LEVEL, threshold: GZIP_BYTES_MIN });
  const budget = new BodyBudget(options.inflightBytesMax);
  return (request, response) => {
    // gzip is what clients of this API expect; the middleware would prefer Brotli, which costs far more time.
    const accepted = request.headers['accept-encoding'] ?? '';
    request.headers['accept-encoding'] = /\bgzip\b/i.test(accepted) ? 'gzip' : 'identity';
    // The middleware is typed for Express and uses only what node:http has.
    compress(request as Parameters<typeof compress>[0], response as Parameters<typeof compress>[1], () => {
      const lease = budget.lease();
      answer(request, response, { ...options, lease })
        .catch((error: unknown) => {
          response.destroy();
          options.onFailure(error);
        })
        .finally(() => lease.release());
    });
  };
}

interface AnswerOptions extends ListenerOptions {
  readonly lease: BodyLease;
}

async function answer(request: IncomingMessage, response: ServerResponse, options: AnswerOptions): Promise<void> {
  const gone = new CancelSource();
  response.on('close', () => {
    if (!response.writableFinished) gone.cancel('http channel closed');
  });
  const method = request.method ?? 'GET';
  const target = request.url ?? '/';
  const remoteAddress = request.socket.remoteAddress ?? '-';
  const rendered = await options.handler({
    method,
    target,
    headers: headersOf(request),
    remoteAddress,
    readBody: (bytesMax) => readRequestBody(request, { bytesMax, lease: options.lease }),
    signal: gone,
  });
  if (!response.destroyed) {
    response.statusCode = rendered.status;
    for (const [name, value] of rendered.headers) response.setHeader(name, value);
    if (method === 'HEAD') response.end();
    else response.end(compressedAtOnce(request, response, rendered.body));
  }
  options.onAnswered?.({
    remoteAddress,
    method,
    target,
    protocol: `HTTP/${request.httpVersion}`,
    status: rendered.status,
    bytes: method === 'HEAD' ? 0 : rendered.body.length,
    referrer: request.headers.referer ?? null,
    userAgent: request.headers['user-agent'] ?? null,
  });
}

/** The body as it is sent: small ones compressed here, which the middleware then leaves alone, as it does the smallest. */
function compressedAtOnce(request: IncomingMessage, response: ServerResponse, body: Uint8Array): Uint8Array {
  if (request.headers['accept-encoding'] !== 'gzip') return body;
  if (body.length < GZIP_BYTES_MIN || body.length > GZIP_AT_ONCE_BYTES_MAX) return body;
  const compressed = gzipSync(body, GZIP_AT_ONCE);
  response.setHeader('content-encoding', 'gzip');
  response.setHeader('content-length', compressed.length);
  return compressed;
}

function headersOf(request: IncomingMessage): HttpHeaders {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>; // An empty map.
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
