/**
 * Answers node:http's request and response objects with what a handler matched, behind the framework or without it.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { CancelSource } from '@shoal/core';
import type { AccessEntry } from '../logging/access-log.ts';
import type { HttpHeaders, MatchedRequest, RenderedResponse } from '../message/http-message.ts';
import { BodyBudget, type BodyLease } from './body-budget.ts';
import { packAnswer } from './pack-answer.ts';
import { type BodyLimits, readRequestBody, readRequestPieces } from './request-body.ts';

export interface ListenerOptions {
  /** Bytes of all request bodies in memory together. */
  readonly inflightBytesMax: number;
  /** Called with what went wrong behind the handler, which answers its own failures. The socket is closed by then. */
  readonly onFailure: (error: unknown) => void;
  /** Called once for each answered request. */
  readonly onAnswered?: (entry: AccessEntry) => void;
}

const HOST_CHARS = 'host'.length;
/** Value of the header that node:http takes for the wish to be told. */
const EXPECTS_CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;
const SEVERAL_HOSTS: RenderedResponse = badRequest('a request has one Host header');

export type NodeListener = (request: IncomingMessage, response: ServerResponse, matched: MatchedRequest) => void;

export function nodeListener(options: ListenerOptions): NodeListener {
  const budget = new BodyBudget(options.inflightBytesMax);
  return (request, response, matched) => {
    const lease = budget.lease();
    answer(request, response, matched, { lease, onAnswered: options.onAnswered }).then(
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
  matched: MatchedRequest,
  { lease, onAnswered }: { readonly lease: BodyLease; readonly onAnswered: ListenerOptions['onAnswered'] },
): Promise<void> {
  const gone = new CancelSource();
  response.on('close', () => {
    if (!response.writableFinished) gone.cancel('http channel closed');
  });
  const method = request.method ?? 'GET';
  const target = request.url ?? '/';
  const sender = new BodySender(request, response);
  const limits = (bytesMax: number): BodyLimits => ({ bytesMax, lease, onWanted: () => sender.start() });
  const answered = hasSeveralHosts(request)
    ? SEVERAL_HOSTS
    : await matched.answer({
        headers: headersOf(request),
        remoteAddress: request.socket.remoteAddress ?? '-',
        readBody: (bytesMax) => readRequestBody(request, limits(bytesMax)),
        readPieces: (bytesMax) => readRequestPieces(request, limits(bytesMax)),
        signal: gone,
      });
  const rendered = sender.isWaiting ? closing(answered) : answered;
  const packing = packAnswer(method, request.headers['accept-encoding'], rendered);
  // Most answers are packed at once or not at all, and must not wait for another turn.
  send(response, method, packing instanceof Promise ? await packing : packing);
  onAnswered?.(accessEntry(request, method, target, rendered));
}

/** Client that sends its body only when it is told to (`Expect: 100-continue`). */
class BodySender {
  readonly #response: ServerResponse;
  /** The body was not asked for yet. */
  isWaiting: boolean;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#response = response;
    this.isWaiting = request.httpVersion === '1.1' && EXPECTS_CONTINUE.test(request.headers.expect ?? '');
  }

  start(): void {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    this.#response.writeContinue();
  }
}

/** The answer on a connection where nobody knows whether the next bytes are a body that was not asked for, or a request. */
function closing(answer: RenderedResponse): RenderedResponse {
  return { ...answer, headers: [...answer.headers, ['connection', 'close']] };
}

function send(response: ServerResponse, method: string, { status, headers, body }: RenderedResponse): void {
  if (response.destroyed) return;
  const flat: string[] = [];
  for (const [name, value] of headers) flat.push(name, value);
  response.writeHead(status, flat);
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

/** Whether proxies on the way may have read another host than the one that is read here (RFC 9112, section 3.2). */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (name.length === HOST_CHARS && name.toLowerCase() === 'host') count++;
  }
  return count > 1;
}

/** Headers as single values: Node joins repeated ones, but for `set-cookie`, which it gives as a list. */
function headersOf({ headers }: IncomingMessage): HttpHeaders {
  const cookies = headers['set-cookie'];
  const single = headers as HttpHeaders; // Only `set-cookie` is a list, which the next line joins.
  return cookies === undefined ? single : { ...single, 'set-cookie': cookies.join(', ') };
}

function badRequest(reason: string): RenderedResponse {
  const body = new TextEncoder().encode(JSON.stringify({ error: reason, status: 400 }));
  const headers = [
    ['content-type', 'application/json'],
    ['content-length', String(body.length)],
  ] as const;
  return { status: 400, headers, body };
}
