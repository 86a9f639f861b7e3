/**
 * A request of the same process, answered without a socket: what a server gives the handler and does with its answer, but for the
 * wire.
 */
import type { CancelFlag } from '@shoal/core';
import { answerRequest, type HttpHandler, type HttpHeaders, type RenderedResponse } from '../message/http-message.ts';
import { unpackBody } from './request-body.ts';

export interface InProcessRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers: HttpHeaders;
  /** Body as it would be sent: packed, when `content-encoding` says so. */
  readonly body: Uint8Array;
  readonly signal: CancelFlag;
}

const REMOTE_ADDRESS = '127.0.0.1';

export function answerInProcess(handler: HttpHandler, request: InProcessRequest): Promise<RenderedResponse> {
  const { method, target, headers, body, signal } = request;
  return answerRequest(handler, {
    method,
    target,
    headers,
    remoteAddress: REMOTE_ADDRESS,
    readBody: (bytesMax) => unpackBody(body, headers['content-encoding'], bytesMax),
    signal,
  });
}
