/**
 * Which pages and hosts the HTTP port of a node lets in (`http.allowed_hosts`, `http.cors.*`). Pure; refuses values that
 * nothing could ever match.
 */
import { illegalArgument, type Settings } from '@shoal/core';
import { readAllowedHosts } from '@shoal/http';
import type { Machine } from '@shoal/runtime';
import { passwordOf } from './elasticsearch-settings.ts';
import * as setting from './node-settings.ts';

export interface HttpAccessConfig {
  /** Names of this node by its settings and its machine. */
  readonly ownNames: readonly string[];
  /** Further names; null admits any host. */
  readonly allowedHosts: readonly string[] | null;
  /** null: pages of other sites are refused. */
  readonly cors: CorsConfig | null;
  /** Password of the user `elastic`, which every request must have; null: none is asked for. */
  readonly password: string | null;
}

export interface CorsConfig {
  readonly origins: AllowedOrigins;
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposedHeaders: readonly string[];
  readonly allowsCredentials: boolean;
  readonly maxAgeSeconds: number;
}

export type AllowedOrigins =
  | { readonly kind: 'any' }
  | { readonly kind: 'listed'; readonly origins: readonly string[] }
  /** A regular expression that is the whole origin. */
  | { readonly kind: 'pattern'; readonly source: string };

const ANY = '*';
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];

export function httpAccessOf(settings: Settings, { hostName }: Machine): HttpAccessConfig {
  const published = [setting.NETWORK_HOST, setting.NETWORK_PUBLISH_HOST, setting.HTTP_HOST, setting.HTTP_PUBLISH_HOST];
  const ownNames = [hostName ?? '', ...published.map((definition) => settings.get(definition))];
  const { HTTP_ALLOWED_HOSTS } = setting;
  const allowed = readAllowedHosts(settings.get(HTTP_ALLOWED_HOSTS), HTTP_ALLOWED_HOSTS.name);
  return {
    ownNames: ownNames.filter((name) => name !== ''),
    allowedHosts: allowed.isAny ? null : allowed.names,
    cors: settings.get(setting.CORS_ENABLED) ? corsOf(settings) : null,
    password: passwordOf(settings),
  };
}

function corsOf(settings: Settings): CorsConfig {
  return {
    origins: originsOf(settings.get(setting.CORS_ALLOW_ORIGIN).trim()),
    methods: settings.get(setting.CORS_ALLOW_METHODS).map(checkedMethod),
    headers: settings.get(setting.CORS_ALLOW_HEADERS).map(checkedHeader(setting.CORS_ALLOW_HEADERS.name)),
    exposedHeaders: settings.get(setting.CORS_EXPOSE_HEADERS).map(checkedHeader(setting.CORS_EXPOSE_HEADERS.name)),
    allowsCredentials: settings.get(setting.CORS_ALLOW_CREDENTIALS),
    maxAgeSeconds: settings.get(setting.CORS_MAX_AGE),
  };
}

function originsOf(text: string): AllowedOrigins {
  if (text === ANY) return { kind: 'any' };
  if (text.length > 1 && text.startsWith('/') && text.endsWith('/')) {
    return { kind: 'pattern', source: text.slice(1, -1) };
  }
  const origins = text.split(',').map((origin) => origin.trim());
  return { kind: 'listed', origins: origins.filter((origin) => origin !== '') };
}

function checkedMethod(text: string): string {
  const method = text.toUpperCase();
  if (METHODS.includes(method)) return method;
  throw illegalArgument(`No enum constant for method [${text}] in setting [${setting.CORS_ALLOW_METHODS.name}]`);
}

/** Values stand in headers of answers: what is no name of a header could end one there. */
function checkedHeader(name: string): (text: string) => string {
  return (text) => {
    if (/^[\w!#$%&'*+.^`|~-]+$/.test(text)) return text;
    throw illegalArgument(`Failed to parse value [${text}] for setting [${name}], must be names of headers`);
  };
}
