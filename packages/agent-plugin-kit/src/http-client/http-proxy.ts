/**
 * Addresses of HTTP proxies, as options give them.
 */
import { optionError } from '../options/option-error.ts';

const PROXY_PARTS: readonly string[] = ['url', 'scheme', 'host', 'port', 'user', 'password'];

export interface HttpProxy {
  readonly host: string;
  readonly port: number;
  /** Value of the header that authenticates to the proxy; null without credentials. */
  readonly authorization: string | null;
}

/** null for an empty address: no proxy. @throws ShoalError for an address that is none, or of another scheme */
export function parseProxy(text: string): HttpProxy | null {
  if (text === '') return null;
  const url = parsedUrl(text.includes('://') ? text : `http://${text}`);
  if (url === null || url.hostname === '') throw optionError(`[proxy] [${text}] is no address`);
  if (url.protocol !== 'http:')
    throw optionError(`[proxy] must be an address of http, not of ${url.protocol.slice(0, -1)}`);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 80 : Number(url.port),
    authorization: url.username === '' ? null : `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`,
  };
}

/** An address, or a hash of its parts. */
export function readProxy(value: unknown): HttpProxy | null {
  if (!(value instanceof Map)) return parseProxy(String(value));
  const unknown = [...value.keys()].filter((name) => !PROXY_PARTS.includes(String(name)));
  if (unknown.length > 0)
    throw optionError(`[proxy] may hold ${PROXY_PARTS.join(', ')}, and not ${unknown.join(', ')}`);
  const part = (name: string): string => (value.has(name) ? String(value.get(name)) : '');
  const port = part('port') === '' ? '' : `:${part('port')}`;
  const text = part('url') !== '' ? part('url') : `${part('scheme') || 'http'}://${part('host')}${port}`;
  if (!URL.canParse(text)) throw optionError(`[proxy] names no address: [${text}]`);
  const url = new URL(text);
  if (value.has('user')) url.username = encodeURIComponent(part('user'));
  if (value.has('password')) url.password = encodeURIComponent(part('password'));
  return parseProxy(url.href);
}

function parsedUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
