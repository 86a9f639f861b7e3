/**
 * Requests to the HTTP API by `fetch`: the global one to an address, or that of a node in the same process, which needs no socket.
 */
import { ResponseError } from './response-error.ts';

/** Part of `fetch` that a client needs. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** A node that is asked without an address, such as one of `shoal/testing`. */
export interface NodeToFetch {
  fetch(path: string, init: FetchInit): Promise<Response>;
}

export interface ClientOptions {
  /** Address such as `http://127.0.0.1:9200`, with user and password where they are wanted, or a node with a `fetch` of its own. */
  readonly node: string | URL | NodeToFetch;
  /** Sent with every request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options that every request has. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
}

export interface ChannelRequest extends RequestOptions {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD';
  readonly path: string;
  readonly params?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** Body as JSON; a list is sent as lines. */
  readonly body?: object;
  /** Statuses beside 2xx that are answers and no errors. */
  readonly accepts?: readonly number[];
}

export interface ChannelAnswer {
  readonly status: number;
  readonly body: unknown;
}

export class HttpChannel {
  readonly #send: (path: string, init: FetchInit) => Promise<Response>;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ node, headers = {} }: ClientOptions) {
    if (typeof node === 'string' || node instanceof URL) {
      const { base, authorization } = addressOf(node);
      this.#headers = authorization === null ? headers : { authorization, ...headers };
      this.#send = (path, init) => fetch(base + path, init);
    } else {
      this.#headers = headers;
      this.#send = (path, init) => node.fetch(path, init);
    }
  }

  /** @throws ResponseError when the status is neither 2xx nor accepted */
  async ask({ method, path, params = {}, body, accepts = [], signal }: ChannelRequest): Promise<ChannelAnswer> {
    const target = path + queryOf(params);
    const isLines = Array.isArray(body);
    const type = isLines ? 'application/x-ndjson' : 'application/json';
    const answer = await this.#send(target, {
      method,
      headers: {
        ...this.#headers,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: isLines ? linesOf(body) : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const parsed = bodyOf(await answer.text());
    if (!answer.ok && !accepts.includes(answer.status))
      throw new ResponseError(`${method} ${target}`, answer.status, parsed);
    return { status: answer.status, body: parsed };
  }
}

/** `fetch` refuses addresses with a password; the header is the same thing. */
function addressOf(node: string | URL): { readonly base: string; readonly authorization: string | null } {
  const url = new URL(node);
  const { username, password } = url;
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  if (username === '' && password === '') return { base, authorization: null };
  const pair = new TextEncoder().encode(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  return { base, authorization: `Basic ${btoa(String.fromCharCode(...pair))}` };
}

function queryOf(params: NonNullable<ChannelRequest['params']>): string {
  const pairs = Object.entries(params).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return '';
  return `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function linesOf(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function bodyOf(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    // An answer that is no JSON, such as that of a proxy: an error shows it as it is.
    return text;
  }
}
