/**
 * Options of plugins that make HTTP requests, and the client that they describe.
 */
import type { OptionDeclarations, PluginContext, PluginOptions } from '../contract/plugin-definition.ts';
import { optionError } from '../options/option-error.ts';
import { clientTls, clientTlsOptions } from '../tls/tls-options.ts';
import { warnOfUnusedTls } from '../tls/unused-tls.ts';
import { basicAuthorization, HttpClient } from './http-client.ts';
import { readProxy } from './http-proxy.ts';

export const httpClientOptions: OptionDeclarations = {
  request_timeout: { type: 'number', default: 60 },
  connect_timeout: { type: 'number', default: 10 },
  socket_timeout: { type: 'number', default: 10 },
  follow_redirects: { type: 'boolean', default: true },
  automatic_retries: { type: 'number', default: 1 },
  retry_non_idempotent: { type: 'boolean', default: false },
  keepalive: { type: 'boolean', default: true },
  pool_max: { type: 'number', default: 50 },
  pool_max_per_route: { type: 'number', default: 25 },
  /** Milliseconds. A connection that lay idle for longer is not used again. */
  validate_after_inactivity: { type: 'number', default: 10_000 },
  cookies: { type: 'boolean', deprecated: 'it has no effect: cookies are neither kept nor sent' },
  user: { type: 'string' },
  password: { type: 'password' },
  ...clientTls,
  /** Address of an HTTP proxy, with or without credentials, or a hash of its parts. */
  proxy: { type: 'any' },
};

/** Addresses choose whether TLS is spoken; `ssl_enabled => false` leaves it to the defaults of Node.js. */
export function httpClient(options: PluginOptions, context: Pick<PluginContext, 'runtime' | 'position'>): HttpClient {
  const isTlsOff = options.has('ssl_enabled') && !options.boolean('ssl_enabled');
  if (isTlsOff) warnOfUnusedTls(options, context);
  return new HttpClient({
    ...(isTlsOff ? {} : { tls: clientTlsOptions(options) }),
    proxy: options.has('proxy') ? readProxy(options.value('proxy')) : null,
    connectionsMax: Math.min(options.number('pool_max'), options.number('pool_max_per_route')),
    connectionsInAllMax: options.number('pool_max'),
    idleMs: options.boolean('keepalive') ? Math.max(1, options.number('validate_after_inactivity')) : 0,
    connectMs: options.number('connect_timeout') * 1000,
    silenceMs: options.number('socket_timeout') * 1000,
    followsRedirects: options.boolean('follow_redirects'),
    repeats: options.number('automatic_retries'),
    repeatsAll: options.boolean('retry_non_idempotent'),
  });
}

/** Header for the options `user` and `password`; null without them. One says nothing without the other. */
export function userAuthorization(options: PluginOptions): string | null {
  const hasPassword = options.has('password') && options.string('password') !== '';
  if (!options.has('user')) return null;
  if (!hasPassword) throw optionError(`[user => ${options.string('user')}] needs a [password]`);
  return basicAuthorization(options.string('user'), options.string('password'));
}
