/**
 * `fetch` to a node of the same process: the request goes to the handler that the HTTP port would give it to, and no socket is opened.
 */
import { CancelSource, illegalArgument } from '@shoal/core';
import { answerInProcess, type HttpHandler } from '@shoal/http';
import { ConnectionCut } from '../faults/fault.ts';
import { lateResponse } from './late-response.ts';

/** What `fetch` takes, and bodies that are JSON when they are sent: objects and arrays. */
export interface InProcessFetchInit {
  readonly method?: string;
  readonly headers?: RequestInit['headers'];
  readonly body?: RequestInit['body'] | Readonly<Record<string, unknown>> | readonly unknown[] | null;
  readonly signal?: AbortSignal | null;
}

/** Type of a body whose request names none: what `fetch` would say of a text is a type that the API refuses. */
const DEFAULT_CONTENT_TYPE = 'application/json';
const NOTHING = new Uint8Array(0);
/** Statuses whose answers have no body in the Fetch standard, which refuses even an empty one. */
const BODILESS: ReadonlySet<number> = new Set([101, 103, 204, 205, 304]);

/** @param path path and query, or a whole URL whose host is not looked at */
export async function fetchInProcess(
  handler: HttpHandler,
  path: string | URL,
  init: InProcessFetchInit,
): Promise<Response> {
  const { signal } = init;
  signal?.throwIfAborted();
  const method = (init.method ?? 'GET').toUpperCase();
  const headers = plainHeaders(init.headers);
  const body = await bytesOf(init.body ?? null);
  if (body.length > 0) headers['content-type'] ??= DEFAULT_CONTENT_TYPE;
  const gone = new CancelSource();
  const request = { method, target: targetOf(path), headers, body, signal: gone };
  const answering = answerInProcess(handler, request).catch((error: unknown) => {
    // A lost connection looks to a caller as it does through a socket.
    throw error instanceof ConnectionCut ? new TypeError('fetch failed', { cause: error }) : error;
  });
  const answer = await (signal === undefined || signal === null ? answering : abortable(answering, signal, gone));
  const hasBody = method !== 'HEAD' && !BODILESS.has(answer.status);
  return lateResponse({ status: answer.status, headers: answer.headers, body: hasBody ? bodyOf(answer.body) : null });
}

/** Bodies of answers are in memory that is not shared with other threads, which is what the type of a body wants to know. */
function bodyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}

function targetOf(path: string | URL): string {
  if (typeof path === 'string' && path.startsWith('/')) return path;
  const text = String(path);
  if (!/^https?:\/\//i.test(text)) throw illegalArgument(`a path begins with [/], and this is [${text}]`);
  const { pathname, search } = new URL(text);
  return pathname + search;
}

function plainHeaders(given: RequestInit['headers']): Record<string, string> {
  if (given === undefined) return {};
  // `Headers` themselves are not asked for, whose first use loads the HTTP client of Node.js.
  const pairs = Symbol.iterator in given ? [...given] : Object.entries(given);
  const headers: Record<string, string> = {};
  for (const [name = '', value] of pairs) {
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? String(value) : `${headers[key]}, ${value}`;
  }
  return headers;
}

async function bytesOf(body: NonNullable<InProcessFetchInit['body']> | null): Promise<Uint8Array> {
  if (body === null) return NOTHING;
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (isJson(body)) return new TextEncoder().encode(JSON.stringify(body));
  return new Uint8Array(await new Response(body).arrayBuffer());
}

/** Objects of literals. Those of a sandbox, in which Jest runs tests, have an `Object` of their own. */
function isJson(body: object): body is Readonly<Record<string, unknown>> | readonly unknown[] {
  if (Array.isArray(body)) return true;
  const prototype: object | null = Object.getPrototypeOf(body);
  return prototype === null || (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf'));
}

/** The answer, unless the signal comes first: then the work is cancelled as when a client closes its socket. */
function abortable<T>(answering: Promise<T>, signal: AbortSignal, gone: CancelSource): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      gone.cancel('http channel closed');
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    answering.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
