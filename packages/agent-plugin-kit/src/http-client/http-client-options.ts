/**
 * Options of plugins that make HTTP requests, and the client that they describe.
 */
import type { OptionDeclarations, PluginOptions } from '../contract/plugin-definition.ts';
import { clientTls, clientTlsOptions } from '../tls/tls-options.ts';
import { HttpClient } from './http-client.ts';
import { parseProxy } from './http-proxy.ts';

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
  /** Address of an HTTP proxy, with or without credentials. */
  proxy: { type: 'string' },
};

export function httpClient(options: PluginOptions): HttpClient {
  return new HttpClient({
    tls: clientTlsOptions(options),
    proxy: options.has('proxy') ? parseProxy(options.string('proxy')) : null,
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
