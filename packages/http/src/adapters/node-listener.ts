/**
 * Serves an `HttpHandler` from node:http's request and response objects: the one listener behind both doors. Express calls
 * it at the end of its middleware; requests of hot routes come here straight from node:http.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessEntry } from '../logging/access-log.ts';
import { CancelSource } from '../message/client-gone.ts';
import type { HttpHandler, HttpHeaders, RenderedResponse } from '../message/http-message.ts';
import { BodyBudget, type BodyLease } from './body-budget.ts';
import { packAnswer } from './pack-answer.ts';
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

export function nodeListener(options: ListenerOptions): NodeListener {
  const budget = new BodyBudget(options.inflightBytesMax);
  return (request, response) => {
    const lease = budget.lease();
    answer(request, response, lease, options).then(
      () => lease.release(),
      (error: unknown) => {
        lease.release();
        response.destroy();
        options.onFailure(error);
      },
    );
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  lease: BodyLease,
  options: ListenerOptions,
): Promise<void> {
  const gone = new CancelSource();
  response.on('close', () => {
    if (!response.writableFinished) gone.cancel('http channel closed');
  });
  const method = request.method ?? 'GET';
  const target = request.url ?? '/';
  const rendered = await options.handler({
    method,
    target,
    headers: headersOf(request),
    remoteAddress: request.socket.remoteAddress ?? '-',
    readBody: (bytesMax) => readRequestBody(request, { bytesMax, lease }),
    signal: gone,
  });
  const packing = packAnswer(method, request.headers['accept-encoding'], rendered);
  // Most answers are packed at once or not at all, and must not wait for another turn.
  send(response, method, packing instanceof Promise ? await packing : packing);
  options.onAnswered?.(accessEntry(request, method, target, rendered));
}

function send(response: ServerResponse, method: string, { status, headers, body }: RenderedResponse): void {
  if (response.destroyed) return;
  response.writeHead(status, headers.flat());
  if (method === 'HEAD') response.end();
  else response.end(body);
}

function accessEntry(
  request: IncomingMessage,
  method: string,
  target: string,
  { status, body }: RenderedResponse,
): AccessEntry {
  return {
    remoteAddress: request.socket.remoteAddress ?? '-',
    method,
    target,
    protocol: `HTTP/${request.httpVersion}`,
    status,
    bytes: method === 'HEAD' ? 0 : body.length,
    referrer: request.headers.referer ?? null,
    userAgent: request.headers['user-agent'] ?? null,
  };
}

/** Node joins what is repeated; of all headers only `set-cookie` comes as a list, which no client sends in earnest. */
function headersOf({ headers }: IncomingMessage): HttpHeaders {
  const cookies = headers['set-cookie'];
  const single = headers as HttpHeaders; // But for the one that is looked at here.
  return cookies === undefined ? single : { ...single, 'set-cookie': cookies.join(', ') };
}
