/**
 * From a raw request to a rendered answer: route, media types, parameters, body, handler, rendering; and every failure
 * on that way as the error body that clients know.
 *
 * Knows no framework: servers match a request line and answer what was matched. A broken invariant goes to
 * `onAssertionFailure`, which stops the process.
 */
import {
  asShoalError,
  assert,
  BytePieces,
  type CancelFlag,
  illegalArgument,
  isAssertionFailure,
  isShoalError,
  renderErrorBody,
  ShoalError,
} from '@shoal/core';
import type { Log } from '@shoal/runtime';
import {
  type HttpHandler,
  type HttpRequest,
  type HttpResponse,
  type RawHttpRequest,
  type RenderedResponse,
  type RequestContent,
  valueResponse,
} from '../message/http-message.ts';
import { RequestParameters } from '../parameters/request-parameters.ts';
import { unknownParametersError } from '../parameters/unknown-parameters.ts';
import { bodyFormatOf, ResponseFormats, type ResponseType } from '../rendering/media-types.ts';
import { isLargeAnswer, printLargeAnswer, type RenderOptions, renderResponse } from '../rendering/render-response.ts';
import { RequestRouter, type RoutedLine } from '../routing/request-router.ts';
import { parseRequestTarget, type RequestTarget } from '../routing/request-target.ts';
import type { Route } from '../routing/route.ts';

export interface HttpHandlerOptions<Context> {
  readonly context: Context;
  readonly log: Log;
  /** `http.max_content_length`: larger bodies are refused with 413 while they come in. */
  readonly contentBytesMax: number;
  /** Parameters that a route does not declare are passed over instead of refused with 400. */
  readonly ignoresUnknownParameters?: boolean;
  /** Does long work in slices, so that others of the thread run in between. Default: at once. */
  readonly inTurns?: InTurns;
  /** Called with a broken invariant: the process stops with its state logged. */
  readonly onAssertionFailure: (error: Error) => void;
}

/** Runs steps to their result. Rejects when `signal` is set before. */
export type InTurns = <T>(steps: Generator<void, T, void>, signal: CancelFlag) => Promise<T>;

export const DEFAULT_CONTENT_BYTES_MAX: number = 100 * 1024 * 1024;

const JSON_TYPE: ResponseType = { format: 'json', compatibleWith: null };
const OPAQUE_ID_CHARS_MAX = 1_024;
const PRODUCT = ['X-Elastic-Product', 'Elasticsearch'] as const;

export function createHttpHandler<Context>(
  routes: readonly Route<Context>[],
  options: HttpHandlerOptions<Context>,
): HttpHandler {
  const router = new RequestRouter(routes);
  const formats = new ResponseFormats();
  return {
    match: (method, target) => {
      const line = router.route(method, target);
      return {
        isHot: line.kind === 'found' && line.route.isHot === true,
        answer: async (content) => {
          const exchange = new Exchange(content, formats);
          try {
            return await answerLine(line, { method, target, ...content }, exchange, options);
          } catch (error) {
            return failed(error, exchange, options);
          }
        },
      };
    },
  };
}

/** An error as the answer to a request that is not looked at further. */
export function refusedRequest(error: ShoalError, { target, ...content }: RawHttpRequest): RenderedResponse {
  const exchange = new Exchange(content, new ResponseFormats());
  exchange.negotiate(parseRequestTarget(target));
  return exchange.finishError(valueResponse(renderErrorBody(error), error.status));
}

/** @throws what is wrong with the request, and what its function throws */
async function answerLine<Context>(
  line: RoutedLine<Context>,
  raw: RawHttpRequest,
  exchange: Exchange,
  options: HttpHandlerOptions<Context>,
): Promise<RenderedResponse> {
  if (line.kind === 'malformed') throw line.error;
  exchange.negotiate(line.target);
  if (line.kind === 'unknown') return exchange.finish(noRoute(raw, line.allowed));
  const { route } = line;
  const request = await checkedRequest(raw, line, exchange, options);
  if (!('params' in request)) return exchange.finish(request);
  exchange.usePretty(request.params, route.prettyByDefault === true);
  const answer = await route.handler(request, options.context);
  const rendered = exchange.finishInTurns(answer, options.inTurns ?? null);
  // Most are printed by now, and must not wait for another turn.
  return rendered instanceof Promise ? await rendered : rendered;
}

/** Format of the answer of one request, as its stages find it out. */
class Exchange {
  readonly #content: RequestContent;
  readonly #formats: ResponseFormats;
  type: ResponseType = JSON_TYPE;
  withStack = false;
  #isPretty = false;
  #filterPath: readonly string[] = [];

  constructor(content: RequestContent, formats: ResponseFormats) {
    this.#content = content;
    this.#formats = formats;
  }

  negotiate(target: RequestTarget): void {
    this.withStack = isOn(target.query.get('error_trace'));
    this.#isPretty = isOn(target.query.get('pretty'));
    this.type = this.#formats.negotiate(this.#content.headers.accept, target.query.get('format') ?? null);
  }

  usePretty(params: RequestParameters, byDefault: boolean): void {
    this.#isPretty = params.boolean('pretty', byDefault);
    this.#filterPath = params.list('filter_path');
  }

  /** Finishes an error, which `filter_path` does not apply to. */
  finishError(response: HttpResponse): RenderedResponse {
    return this.#finish(response, { type: this.type, isPretty: this.#isPretty, filterPath: [] });
  }

  finish(response: HttpResponse): RenderedResponse {
    return this.#finish(response, { type: this.type, isPretty: this.#isPretty, filterPath: this.#filterPath });
  }

  /** Finishes an answer, in slices when it takes long to print. */
  finishInTurns(response: HttpResponse, inTurns: InTurns | null): RenderedResponse | Promise<RenderedResponse> {
    const options = { type: this.type, isPretty: this.#isPretty, filterPath: this.#filterPath };
    if (inTurns === null || !isLargeAnswer(response, options)) return this.#finish(response, options);
    return inTurns(printLargeAnswer(response, options), this.#content.signal).then((printed) =>
      this.#finish(printed, options),
    );
  }

  #finish(response: HttpResponse, options: RenderOptions): RenderedResponse {
    const rendered = renderResponse(response, options);
    const headers: (readonly [string, string])[] = [PRODUCT];
    const opaqueId = this.#content.headers['x-opaque-id'];
    if (opaqueId !== undefined) headers.push(['X-Opaque-Id', opaqueId.slice(0, OPAQUE_ID_CHARS_MAX)]);
    headers.push(...rendered.headers);
    return { status: rendered.status, headers, body: rendered.body };
  }
}

function isOn(value: string | undefined): boolean {
  return value === '' || value === 'true';
}

/** The request for the handler, or the answer that refuses it. */
async function checkedRequest<Context>(
  raw: RawHttpRequest,
  { target, route, pathParams, declared }: Extract<RoutedLine<Context>, { kind: 'found' }>,
  exchange: Exchange,
  options: HttpHandlerOptions<Context>,
): Promise<HttpRequest | HttpResponse> {
  const method = route.methods.find((listed) => listed === raw.method);
  assert(method !== undefined, `the route [${route.paths.join(', ')}] was found for ${raw.method}`);
  const sent = await sentBody(raw, options.contentBytesMax, route.inPieces === true);
  if (sent.length > 0) {
    const refusal = refusedBody(raw, target, route);
    if (refusal !== null) return refusal;
  }
  const params = new RequestParameters(merged(target.query, pathParams), declared);
  if (options.ignoresUnknownParameters !== true) {
    const unknown = unknownParametersError(target.path, target.query.keys(), declared);
    if (unknown !== null) throw unknown;
  }
  const given = sent.length > 0 ? sent : bodyFromQuery(raw, params, route);
  return {
    method,
    path: target.path,
    headers: raw.headers,
    params,
    body: given instanceof BytePieces ? null : given,
    pieces: given instanceof BytePieces ? given : null,
    wantedFormat: exchange.type.format,
    human: params.boolean('human', false),
    remoteAddress: raw.remoteAddress,
    signal: raw.signal,
  };
}

/** The body in pieces where the route takes it so, as one that comes by no server can be had whole only. */
async function sentBody(raw: RawHttpRequest, bytesMax: number, inPieces: boolean): Promise<Uint8Array | BytePieces> {
  if (!inPieces) return raw.readBody(bytesMax);
  return raw.readPieces === undefined ? new BytePieces([await raw.readBody(bytesMax)]) : raw.readPieces(bytesMax);
}

/** Names in the path win over the same names in the query. */
function merged(
  query: ReadonlyMap<string, string>,
  pathParams: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  if (query.size === 0) return pathParams;
  return pathParams.size === 0 ? query : new Map([...query, ...pathParams]);
}

function refusedBody<Context>(raw: RawHttpRequest, target: RequestTarget, route: Route<Context>): HttpResponse | null {
  const kind = route.body ?? 'none';
  if (kind === 'none') {
    throw illegalArgument(`request [${raw.method} ${target.path}] does not support having a body`);
  }
  const contentType = raw.headers['content-type'] ?? '';
  const format = bodyFormatOf(contentType);
  if (format === 'json' || (format === 'ndjson' && kind === 'ndjson')) return null;
  return valueResponse({ error: `Content-Type header [${contentType}] is not supported`, status: 406 }, 406);
}

function bodyFromQuery<Context>(
  raw: RawHttpRequest,
  params: RequestParameters,
  route: Route<Context>,
): Uint8Array | BytePieces | null {
  if ((route.body ?? 'none') === 'none') return null;
  const source = params.string('source');
  if (source === null || source === '') return null;
  const contentType = params.string('source_content_type');
  if (contentType === null) throw illegalArgument('source and source_content_type parameters are required');
  if (bodyFormatOf(contentType) === null)
    throw illegalArgument(`Unknown value for source_content_type [${contentType}]`);
  const mayBeUnasked = route.isWriting === true && raw.method !== 'GET';
  if (mayBeUnasked && bodyFormatOf(raw.headers['content-type'] ?? '') === null) throw untypedSource();
  const bytes = new TextEncoder().encode(source);
  return route.inPieces === true ? new BytePieces([bytes]) : bytes;
}

/** 400: a form of any page could send this request. */
function untypedSource(): ShoalError {
  return illegalArgument(
    'the parameter [source] of a request that changes something needs the header [Content-Type: application/json] beside it: ' +
      'without it a page of any site could send the request',
  );
}

/** @param allowed methods that the path has; empty when there is no such path */
function noRoute(raw: RawHttpRequest, allowed: readonly string[]): HttpResponse {
  const headers: Readonly<Record<string, string>> = allowed.length === 0 ? {} : { Allow: allowed.join(',') };
  if (raw.method === 'OPTIONS') return { status: 200, headers, body: { kind: 'none' } };
  const what = `uri [${raw.target}] and method [${raw.method}]`;
  if (allowed.length === 0) return valueResponse({ error: `no handler found for ${what}` }, 400);
  const error = `Incorrect HTTP method for ${what}, allowed: [${allowed.join(', ')}]`;
  return valueResponse({ error, status: 405 }, 405, headers);
}

function failed<Context>(error: unknown, exchange: Exchange, options: HttpHandlerOptions<Context>): RenderedResponse {
  if (isAssertionFailure(error)) {
    options.onAssertionFailure(error);
    const dying = new ShoalError('exception', 500, 'a broken invariant stops this node; its log says which');
    return exchange.finishError(valueResponse(renderErrorBody(dying), dying.status));
  }
  if (!isShoalError(error)) {
    const stack = error instanceof Error ? error.stack : String(error);
    options.log.error('a request failed in an unforeseen way', { stack });
  }
  const shown = asShoalError(error);
  return exchange.finishError(valueResponse(renderErrorBody(shown, { stack: exchange.withStack }), shown.status));
}
