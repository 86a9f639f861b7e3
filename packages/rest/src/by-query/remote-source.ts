/**
 * Member `remote` of the source of `_reindex`: another cluster that documents are copied from.
 */
import type { RemoteCluster } from '@shoal/coordinator';
import {
  illegalArgument,
  isObject,
  type JsonNode,
  jsonNodeValue,
  matchesAny,
  parseTimeValue,
  writeJsonText,
} from '@shoal/core';

/** Another cluster, and the search that it is asked. */
export interface RemoteSource {
  readonly cluster: RemoteCluster;
  /** Its query is for the other cluster alone to read. */
  readonly search: Readonly<Record<string, unknown>>;
}

/** scheme, host, port, prefix of all paths */
const HOST = /^([^:]+):\/\/([^:]+):(\d{1,5})(\/.*)?$/;
const SCHEMES: readonly string[] = ['http', 'https'];
const NOT_ALLOWED = 'not whitelisted in reindex.remote.whitelist';
const TIMEOUT_DEFAULT = '30s';
const HEADERS_MAX = 100;
/** Field names and values of HTTP: no line ends within. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** @throws illegal_argument_exception */
export function readRemote(node: JsonNode): RemoteCluster {
  const value = jsonNodeValue(node);
  if (!isObject(value)) throw illegalArgument(`Expected [remote] to be an object but was [${String(value)}]`);
  const { username, password, host, headers, socket_timeout, connect_timeout, ...others } = value;
  const unknown = Object.keys(others);
  const hostText = textOf('host', host);
  if (hostText === null) throw illegalArgument('[host] must be specified to reindex from a remote cluster');
  const parts = HOST.exec(hostText);
  if (parts === null) {
    const form = '[scheme]://[host]:[port](/[pathPrefix])?';
    throw illegalArgument(`[host] must be of the form ${form} but was [${hostText}]`);
  }
  const [, scheme = '', name = '', port = '', prefix = ''] = parts;
  const user = { username: textOf('username', username), password: textOf('password', password) };
  const cluster = {
    origin: originOf(scheme, name, port, prefix),
    host: name,
    port: Number(port),
    ...user,
    headers: headersOf(headers),
    connectMs: timeOf('connect_timeout', connect_timeout),
    silenceMs: timeOf('socket_timeout', socket_timeout),
  };
  if (unknown.length > 0) throw illegalArgument(`Unsupported fields in [remote]: [${unknown.join(',')}]`);
  return cluster;
}

/** @throws illegal_argument_exception unless one of the patterns of `host:port` allows it */
export function checkRemoteAllowed({ host, port }: RemoteCluster, allowed: readonly string[]): void {
  const address = `${host}:${port}`;
  if (!matchesAny(allowed, address)) throw illegalArgument(`[${address}] ${NOT_ALLOWED}`);
}

/** The other cluster as the description of a task names it: without the password. */
export function shownRemote({ cluster, search }: RemoteSource): string {
  const { origin, host, port, username, password } = cluster;
  const { protocol, pathname } = new URL(origin);
  const prefix = pathname === '/' ? '' : ` pathPrefix=${pathname}`;
  const scheme = protocol === 'http:' ? '' : `scheme=${protocol.slice(0, -1)} `;
  const query = writeJsonText(search.query ?? { match_all: {} });
  const user = username === null ? '' : ` username=${username}`;
  return `${scheme}host=${host} port=${port}${prefix} query=${query}${user}${password === null ? '' : ' password=<<>>'}`;
}

function originOf(scheme: string, host: string, port: string, prefix: string): string {
  const origin = `${scheme}://${host}:${port}`;
  if (!SCHEMES.includes(scheme) || !URL.canParse(origin) || new URL(origin).host === '') {
    throw illegalArgument(`[host] is no address of HTTP: [${origin}]`);
  }
  const { username, password, pathname } = new URL(origin);
  // A host with an at sign or a slash would be another one than that which is allowed.
  if (username !== '' || password !== '' || pathname !== '/' || /[/?#@\\\s]/.test(host)) {
    throw illegalArgument(`[host] is no address of HTTP: [${origin}]`);
  }
  return `${origin}${prefix.replace(/\/+$/, '')}`;
}

function headersOf(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  const entries = isObject(value) ? Object.entries(value) : null;
  if (entries?.every((entry): entry is [string, string] => typeof entry[1] === 'string') !== true) {
    throw illegalArgument(`Expected [headers] to be an object containing strings but was [${JSON.stringify(value)}]`);
  }
  if (entries.length > HEADERS_MAX) throw illegalArgument(`[headers] may have at most [${HEADERS_MAX}] entries`);
  const wrong = entries.find(([name, text]) => !HEADER_NAME.test(name) || !HEADER_VALUE.test(text));
  if (wrong !== undefined) throw illegalArgument(`[headers] has no valid header [${wrong[0]}]`);
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), text]));
}

function timeOf(name: string, value: unknown): number {
  const ms = parseTimeValue(textOf(name, value) ?? TIMEOUT_DEFAULT, name);
  if (ms <= 0) throw illegalArgument(`[${name}] must be greater than 0`);
  return ms;
}

function textOf(name: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  throw illegalArgument(`Expected [${name}] to be a string but was [${String(value)}]`);
}
