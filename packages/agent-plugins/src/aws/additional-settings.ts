/**
 * `additional_settings`: settings of the connection that Logstash hands on to the library of AWS. A setting that is unknown
 * here is refused: none is read past.
 */

import { readFileSync } from 'node:fs';
import { type HttpClientOptions, optionError, type PluginOptions, parseProxy } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';

const CONNECT_SECONDS = 15;
const READ_SECONDS = 60;
const SECONDS_MAX = 86_400;

/** Settings of one plugin, each taken once. */
export class AdditionalSettings {
  private readonly left: Map<string, unknown>;

  constructor(options: PluginOptions) {
    this.left = new Map(options.hash('additional_settings'));
  }

  /**
   * @param read null for a value of another type
   * @throws ShoalError for such a value
   */
  take<Value>(name: string, read: (value: unknown) => Value | null, fallback: Value): Value {
    const value = this.left.get(name);
    this.left.delete(name);
    if (value === undefined) return fallback;
    const found = read(value);
    if (found === null) throw optionError(`[additional_settings] has an unusable [${name} => ${String(value)}]`);
    return found;
  }

  /** @throws ShoalError for a setting that nobody took */
  end(): void {
    const [unknown] = this.left.keys();
    if (unknown !== undefined) throw optionError(`[additional_settings] has [${unknown}], which is not supported`);
  }
}

/** Settings that the connections to all services have; the rest of `settings` is the service's own. */
export function connectionSettings(settings: AdditionalSettings, options: PluginOptions): HttpClientOptions {
  const isVerified = settings.take('ssl_verify_peer', readBoolean, true);
  const bundle = settings.take<string | null>('ssl_ca_bundle', readText, null);
  // Read with the credentials.
  settings.take<string | null>('profile', readText, null);
  return {
    connectMs: settings.take('http_open_timeout', readSeconds, CONNECT_SECONDS) * 1000,
    silenceMs: settings.take('http_read_timeout', readSeconds, READ_SECONDS) * 1000,
    tls: { rejectUnauthorized: isVerified, ...(bundle === null ? {} : { ca: authorities(bundle) }) },
    proxy: options.has('proxy_uri') ? parseProxy(options.string('proxy_uri')) : null,
  };
}

/** Profile of the shared file of credentials; null where none is named. */
export function namedProfile(options: PluginOptions): string | null {
  return new AdditionalSettings(options).take<string | null>('profile', readText, null);
}

export function readBoolean(value: unknown): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}

export function readNumber(value: unknown, most: number): number | null {
  const found = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof found === 'number' && found >= 0 && found <= most ? found : null;
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** More than a day is a mistake, and more than a timer can wait for is not far beyond. */
function readSeconds(value: unknown): number | null {
  const found = readNumber(value, SECONDS_MAX);
  return found === 0 ? null : found;
}

function authorities(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw optionError(`[ssl_ca_bundle] cannot be read: ${messageOf(error)}`);
  }
}
