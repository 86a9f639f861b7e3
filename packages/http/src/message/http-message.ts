/**
 * Requests and answers as handlers know them: no framework, no sockets.
 *
 * An adapter makes a `RawHttpRequest` from what its server gives it and sends the `RenderedResponse` that it gets back.
 */

import type { BytePieces, CancelFlag } from '@shoal/core';
import type { RequestParameters } from '../parameters/request-parameters.ts';

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH';

/** Names in lower case; of a repeated header the values joined by `, `. */
export type HttpHeaders = Readonly<Record<string, string | undefined>>;

/** Headers and body of a request, the body not read yet. */
export interface RequestContent {
  readonly headers: HttpHeaders;
  readonly remoteAddress: string;
  /**
   * Reads the body, unpacked, or rejects with a 413 as soon as more than `bytesMax` have come. Called at most once;
   * an empty view when there is none.
   */
  readonly readBody: (bytesMax: number) => Promise<Uint8Array>;
  /** Reads the body instead as pieces of whole lines, which are in memory once. Default: one piece, of what `readBody` reads. */
  readonly readPieces?: (bytesMax: number) => Promise<BytePieces>;
  readonly signal: CancelFlag;
}

/** A request as it came in. */
export interface RawHttpRequest extends RequestContent {
  readonly method: string;
  /** Path and query as sent, percent-encoded. */
  readonly target: string;
}

export type ResponseFormat = 'json' | 'yaml' | 'text';

/** A request whose route, parameters and body have been checked. */
export interface HttpRequest {
  readonly method: HttpMethod;
  /** Path as sent, without the query. */
  readonly path: string;
  readonly headers: HttpHeaders;
  /** Query parameters and the parts of the path under their template names, typed as the route declares them. */
  readonly params: RequestParameters;
  /** null when the request has none, or has it in pieces. */
  readonly body: Uint8Array | null;
  /** Body of a request whose route takes it in pieces; null for others, and when there is none. */
  readonly pieces: BytePieces | null;
  /** Format that the client asked for by `format` or `Accept`; null when it did not say. The handler renders text alone. */
  readonly wantedFormat: ResponseFormat | null;
  /** `?human`: sizes and times also in readable units. */
  readonly human: boolean;
  readonly remoteAddress: string;
  readonly signal: CancelFlag;
}

export type ResponseBody =
  /** A value for `writeJson`: rendered as JSON or YAML, filtered by `filter_path`. */
  | { readonly kind: 'value'; readonly value: unknown }
  /** A value to which the handler has applied `filter_path`. */
  | { readonly kind: 'filtered'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly contentType: string }
  | { readonly kind: 'none' };

export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: ResponseBody;
}

/** Answer as bytes. For HEAD the adapter sends the headers and drops the body. */
export interface RenderedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** A request line whose route has been found. */
export interface MatchedRequest {
  /** `isHot` of its route; false without one. */
  readonly isHot: boolean;
  /** Answers a request of this line, whatever is wrong with it. Matching the line again would give the same. */
  readonly answer: (content: RequestContent) => Promise<RenderedResponse>;
}

export interface HttpHandler {
  /** Finds the route of a request line, for the server and for the answer. Never throws. */
  readonly match: (method: string, target: string) => MatchedRequest;
}

/** Answers a request that came by no server. */
export function answerRequest(handler: HttpHandler, request: RawHttpRequest): Promise<RenderedResponse> {
  return handler.match(request.method, request.target).answer(request);
}

/** A handler that matches no routes of its own: `answer` gets every request. */
export function forwardingHandler(answer: (request: RawHttpRequest) => Promise<RenderedResponse>): HttpHandler {
  return {
    match: (method, target) => ({ isHot: false, answer: (content) => answer({ ...content, method, target }) }),
  };
}

export function valueResponse(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status, headers, body: { kind: 'value', value } };
}

/** Answer of a handler that has applied `filter_path` itself. */
export function filteredResponse(value: unknown): HttpResponse {
  return { status: 200, body: { kind: 'filtered', value } };
}

export function textResponse(text: string, status = 200): HttpResponse {
  return { status, body: { kind: 'text', text } };
}

export function emptyResponse(status = 200): HttpResponse {
  return { status, body: { kind: 'none' } };
}
