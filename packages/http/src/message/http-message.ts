/**
 * Requests and answers as handlers know them: no framework, no sockets.
 *
 * An adapter makes a `RawHttpRequest` from what its server gives it and sends the `RenderedResponse` that it gets back.
 */

import type { RequestParameters } from '../parameters/request-parameters.ts';
import type { ClientGone } from './client-gone.ts';

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH';

/** Names in lower case; of a repeated header the values joined by `, `. */
export type HttpHeaders = Readonly<Record<string, string | undefined>>;

/** A request as it came in, its body not read yet. */
export interface RawHttpRequest {
  readonly method: string;
  /** Path and query as sent, percent-encoded. */
  readonly target: string;
  readonly headers: HttpHeaders;
  readonly remoteAddress: string;
  /**
   * Reads the body, unpacked, or rejects with a 413 as soon as more than `bytesMax` have come. Called at most once;
   * an empty view when there is none.
   */
  readonly readBody: (bytesMax: number) => Promise<Uint8Array>;
  readonly signal: ClientGone;
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
  /** null when the request has none. */
  readonly body: Uint8Array | null;
  /** What the client asked for by `format` or `Accept`; null when it did not say. JSON and YAML are rendered behind the handler. */
  readonly wantedFormat: ResponseFormat | null;
  /** `?human`: sizes and times also in readable units. */
  readonly human: boolean;
  readonly remoteAddress: string;
  readonly signal: ClientGone;
}

export type ResponseBody =
  /** A value for `writeJson`: rendered as JSON or YAML, filtered by `filter_path`. */
  | { readonly kind: 'value'; readonly value: unknown }
  /** As `value`, with `filter_path` applied by the handler. */
  | { readonly kind: 'filtered'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly contentType: string }
  | { readonly kind: 'none' };

export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: ResponseBody;
}

/** What goes over the socket. For HEAD the adapter sends the headers and drops the body. */
export interface RenderedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

export type HttpHandler = (request: RawHttpRequest) => Promise<RenderedResponse>;

export function valueResponse(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status, headers, body: { kind: 'value', value } };
}

/** For a handler that leaves out what `filter_path` does not want before it makes the answer. */
export function filteredResponse(value: unknown): HttpResponse {
  return { status: 200, body: { kind: 'filtered', value } };
}

export function textResponse(text: string, status = 200): HttpResponse {
  return { status, body: { kind: 'text', text } };
}

export function emptyResponse(status = 200): HttpResponse {
  return { status, body: { kind: 'none' } };
}
