/**
 * Options of plugins that talk to Amazon S3, or to a store that speaks its protocol, and the settings of the connection
 * that Logstash hands on to the library of AWS. A setting that is unknown here is refused: none is read past.
 */
import { readFileSync } from 'node:fs';
import {
  type HttpClientOptions,
  type OptionDeclarations,
  optionError,
  type PluginOptions,
  parseProxy,
} from '@shoal/agent-plugin-kit';
import { awsOptions } from './aws-options.ts';

const CONNECT_SECONDS = 15;
const READ_SECONDS = 60;
const REPEATS = 3;
const REPEATS_MAX = 100;

export const s3Options: OptionDeclarations = {
  ...awsOptions,
  bucket: { type: 'string', isRequired: true },
  additional_settings: { type: 'hash', default: {} },
};

export interface S3Settings {
  readonly isPathStyle: boolean;
  readonly followsRedirects: boolean;
  /** Times that a call is made again that the server could not answer. */
  readonly repeats: number;
  readonly http: HttpClientOptions;
}

/** @throws ShoalError for a setting that is unknown, or has a value of another type */
export function s3Settings(options: PluginOptions): S3Settings {
  const left = new Map(options.hash('additional_settings'));
  const take = <Value>(name: string, read: (value: unknown) => Value | null, fallback: Value): Value => {
    const value = left.get(name);
    left.delete(name);
    if (value === undefined) return fallback;
    const found = read(value);
    if (found === null) throw optionError(`[additional_settings] has an unusable [${name} => ${String(value)}]`);
    return found;
  };
  const isVerified = take('ssl_verify_peer', readBoolean, true);
  const bundle = take<string | null>('ssl_ca_bundle', readText, null);
  const settings: S3Settings = {
    isPathStyle: take('force_path_style', readBoolean, false),
    followsRedirects: take('follow_redirects', readBoolean, true),
    repeats: take('retry_limit', (value) => readNumber(value, REPEATS_MAX), REPEATS),
    http: {
      connectMs: take('http_open_timeout', readSeconds, CONNECT_SECONDS) * 1000,
      silenceMs: take('http_read_timeout', readSeconds, READ_SECONDS) * 1000,
      tls: { rejectUnauthorized: isVerified, ...(bundle === null ? {} : { ca: authorities(bundle) }) },
      proxy: options.has('proxy_uri') ? parseProxy(options.string('proxy_uri')) : null,
    },
  };
  const [unknown] = left.keys();
  if (unknown !== undefined) throw optionError(`[additional_settings] has [${unknown}], which is not supported`);
  return settings;
}

function readBoolean(value: unknown): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function readNumber(value: unknown, most: number): number | null {
  const found = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof found === 'number' && found >= 0 && found <= most ? found : null;
}

/** More than a day is a mistake, and more than a timer can wait for is not far beyond. */
function readSeconds(value: unknown): number | null {
  const found = readNumber(value, 86_400);
  return found === 0 ? null : found;
}

function authorities(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw optionError(`[ssl_ca_bundle] cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
