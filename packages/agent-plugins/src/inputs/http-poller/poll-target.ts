/**
 * One address of the http_poller input: a text, or a hash that says how it is asked. A part that would change the request and
 * cannot be done here is refused.
 */
import { basicAuthorization } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

const PARTS: readonly string[] = [
  'url',
  'method',
  'headers',
  'body',
  'query',
  'params',
  'user',
  'password',
  'auth',
  'request_timeout',
];
/** Parts that no event may show. */
const CREDENTIALS: readonly string[] = ['user', 'password', 'auth'];
/** Methods whose `params` are part of the address; others send them as a form. */
const QUERYING: readonly string[] = ['GET', 'HEAD'];

export interface PollTarget {
  readonly name: string;
  readonly url: string;
  /** Upper case. */
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  /** In place of the option `request_timeout`; null: that option. */
  readonly timeoutSeconds: number | null;
  /** The hash as it is configured, without credentials. */
  readonly spec: ReadonlyMap<string, unknown>;
}

/** `usual` is the header that authenticates where the address has no credentials of its own. */
export function readPollTarget(name: string, value: unknown, usual: string | null): PollTarget {
  const parts = new Map<string, unknown>(
    value instanceof Map ? [...value].map(([part, item]) => [String(part), item]) : [['url', value]],
  );
  const unknown = [...parts.keys()].filter((part) => !PARTS.includes(part));
  if (unknown.length > 0) throw invalid(name, `holds ${unknown.join(', ')}; known are ${PARTS.join(', ')}`);
  const text = (part: string): string | null => (parts.has(part) ? String(parts.get(part)) : null);
  const given = text('url');
  if (given === null || !URL.canParse(given)) throw invalid(name, 'has no usable url');
  const method = (text('method') ?? 'get').toUpperCase();
  const headers: Record<string, string> = {};
  for (const [header, item] of pairs(name, parts, 'headers')) headers[header.toLowerCase()] = item;
  const authorization = ownAuthorization(name, parts) ?? usual;
  if (authorization !== null) headers.authorization = authorization;
  const params = pairs(name, parts, 'params');
  const isForm = params.length > 0 && !QUERYING.includes(method);
  if (isForm) headers['content-type'] ??= 'application/x-www-form-urlencoded; charset=UTF-8';
  const seconds = text('request_timeout');
  if (seconds !== null && !(Number(seconds) > 0)) throw invalid(name, 'needs a request_timeout above 0');
  return {
    name,
    url: withQuery(given, isForm ? queryOf(name, parts) : [...queryOf(name, parts), ...params]),
    method,
    headers,
    body: isForm ? new URLSearchParams(params.map(([part, item]) => [part, item])).toString() : text('body'),
    timeoutSeconds: seconds === null ? null : Number(seconds),
    spec: new Map([...parts].filter(([part]) => !CREDENTIALS.includes(part))),
  };
}

function ownAuthorization(name: string, parts: ReadonlyMap<string, unknown>): string | null {
  const auth = new Map(pairs(name, parts, 'auth'));
  const own = (part: string): string | undefined =>
    parts.has(part)
      ? String(parts.get(part))
      : (auth.get(part) ?? (part === 'password' ? auth.get('pass') : undefined));
  const user = own('user');
  const password = own('password');
  if (user === undefined && password === undefined) return null;
  if (user === undefined || password === undefined) throw invalid(name, 'needs both user and password');
  return basicAuthorization(user, password);
}

/** `query` is a text or a hash. */
function queryOf(name: string, parts: ReadonlyMap<string, unknown>): readonly (readonly [string, string])[] {
  const query = parts.get('query');
  return typeof query === 'string' ? [...new URLSearchParams(query)] : pairs(name, parts, 'query');
}

function pairs(
  name: string,
  parts: ReadonlyMap<string, unknown>,
  part: string,
): readonly (readonly [string, string])[] {
  const value = parts.get(part);
  if (value === undefined) return [];
  if (!(value instanceof Map)) throw invalid(name, `needs a hash as ${part}`);
  return [...value].map(([key, item]) => [String(key), String(item)]);
}

function withQuery(given: string, query: readonly (readonly [string, string])[]): string {
  if (query.length === 0) return given;
  const url = new URL(given);
  for (const [key, item] of query) url.searchParams.append(key, item);
  return url.href;
}

function invalid(name: string, why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `[urls] [${name}] ${why}`);
}
