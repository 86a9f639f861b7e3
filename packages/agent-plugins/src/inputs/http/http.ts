/**
 * The http input: requests of anybody, each event with what the request said of itself.
 */
import type { IncomingMessage } from 'node:http';
import type { EventMap, EventValue, LogEvent } from '@shoal/agent-event';
import {
  basicAuthorization,
  type Codec,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  putMetadata,
  putMissing,
  serverTls,
  serverTlsOptions,
  warnOfUnusedTls,
} from '@shoal/agent-plugin-kit';
import { codecPlugins } from '../../codecs/codec-list.ts';
import { defaultOptions } from '../../http-receiver/default-options.ts';
import { HttpReceiver, type HttpReceiverSettings } from '../../http-receiver/http-receiver.ts';

const HUNDRED_MEBIBYTES = 100 * 1024 * 1024;
/** Codecs that `additional_codecs` may name: those that need no options. */
const NAMED_CODECS: readonly PluginDefinition[] = codecPlugins.filter((codec) =>
  Object.values(codec.options).every((option) => option.isRequired !== true),
);
/** Answers that tell a sender that its events were taken. */
const RESPONSE_CODES: readonly number[] = [200, 201, 202, 204];

export const httpInput: PluginDefinition = {
  kind: 'input',
  name: 'http',
  version: '4.1.0',
  options: {
    codec: { type: 'codec', default: 'plain' },
    port: { type: 'number', default: 8080 },
    host: { type: 'string', default: '0.0.0.0' },
    user: { type: 'string' },
    password: { type: 'password' },
    additional_codecs: { type: 'hash', default: { 'application/json': 'json' } },
    response_code: { type: 'number', default: 200 },
    response_headers: { type: 'hash', default: { 'Content-Type': 'text/plain' } },
    max_content_length: { type: 'number', default: HUNDRED_MEBIBYTES },
    max_pending_requests: { type: 'number', default: 200 },
    remote_host_target_field: { type: 'fieldReference' },
    request_headers_target_field: { type: 'fieldReference' },
    ...serverTls,
    threads: { type: 'number', deprecated: 'it has no effect: requests share one thread here' },
  },
  create(options, context) {
    warnOfUnusedTls(options, context);
    return new HttpReceiver(settingsOf(options, context), context);
  },
};

function settingsOf(options: PluginOptions, context: PluginContext): HttpReceiverSettings {
  const responseStatus = options.number('response_code');
  if (!RESPONSE_CODES.includes(responseStatus))
    throw optionError(`[response_code] must be one of ${RESPONSE_CODES.join(', ')}`);
  return {
    host: options.string('host'),
    port: options.number('port'),
    tls: () => serverTlsOptions(options),
    authorization: authorizationOf(options),
    codec: options.codec('codec'),
    codecs: additionalCodecs(options, context),
    responseStatus,
    responseHeaders: new Map([...options.hash('response_headers')].map(([name, value]) => [name, String(value)])),
    contentBytesMax: options.number('max_content_length'),
    pendingRequestsMax: options.number('max_pending_requests'),
    decorator: (request) => decorator(request, options, context),
  };
}

function authorizationOf(options: PluginOptions): string | null {
  if (!options.has('user')) return null;
  return basicAuthorization(options.string('user'), options.has('password') ? options.string('password') : '');
}

function additionalCodecs(options: PluginOptions, context: PluginContext): ReadonlyMap<string, Codec> {
  const codecs = new Map<string, Codec>();
  for (const [type, name] of options.hash('additional_codecs')) {
    const definition = NAMED_CODECS.find((codec) => codec.name === name);
    if (definition?.kind !== 'codec')
      throw optionError(
        `[additional_codecs] may name ${NAMED_CODECS.map((codec) => codec.name).join(', ')}, not [${String(name)}]`,
      );
    codecs.set(type.toLowerCase(), definition.create(defaultOptions(definition), context));
  }
  return codecs;
}

function decorator(
  request: IncomingMessage,
  options: PluginOptions,
  context: PluginContext,
): (event: LogEvent) => void {
  const address = request.socket.remoteAddress ?? '';
  const headers = requestHeaders(request);
  const fields = ecsFields(headers);
  const isLegacy = context.ecs === 'disabled';
  return (event) => {
    if (!isLegacy) for (const [path, value] of fields) putMissing(event, path, value);
    // Each event has its own: filters change it in place.
    const own: EventMap = new Map(headers);
    if (options.has('request_headers_target_field')) event.set(options.reference('request_headers_target_field'), own);
    else if (isLegacy) event.fields.set('headers', own);
    else putMetadata(event, ['input', 'http', 'request', 'headers'], own);
    if (options.has('remote_host_target_field')) event.set(options.reference('remote_host_target_field'), address);
    else putMissing(event, isLegacy ? ['host'] : ['host', 'ip'], address);
  };
}

type EcsField = readonly [path: readonly string[], value: EventValue];

/** With the request line, in the names that configurations know. */
function requestHeaders(request: IncomingMessage): EventMap {
  const headers: EventMap = new Map();
  for (const [name, value] of Object.entries(request.headers)) {
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    headers.set(HEADER_NAMES.get(name) ?? name.replaceAll('-', '_'), text);
  }
  headers.set('request_method', request.method ?? '');
  headers.set('request_path', request.url ?? '');
  headers.set('http_version', `HTTP/${request.httpVersion}`);
  return headers;
}

const HEADER_NAMES: ReadonlyMap<string, string> = new Map([
  ['accept', 'http_accept'],
  ['host', 'http_host'],
  ['user-agent', 'http_user_agent'],
]);

/** Fields that ECS has for parts of a request; a sender's own fields stay. */
const ECS_REQUEST: readonly (readonly [header: string, path: readonly string[]])[] = [
  ['http_version', ['http', 'version']],
  ['request_method', ['http', 'method']],
  ['request_path', ['url', 'path']],
  ['http_user_agent', ['user_agent', 'original']],
  ['content_length', ['http', 'request', 'body', 'bytes']],
  ['content_type', ['http', 'request', 'mime_type']],
];

function ecsFields(headers: EventMap): readonly EcsField[] {
  const fields: EcsField[] = [];
  for (const [header, path] of ECS_REQUEST) {
    const value = headers.get(header);
    if (value !== undefined) fields.push([path, value]);
  }
  // An address of IPv6 without brackets has no port.
  const host = /^(\[[^\]]*\]|[^:]+|[^:]*:[^:]*:.*)(?::(\d{1,5}))?$/.exec(String(headers.get('http_host') ?? ''));
  if (host === null) return fields;
  fields.push([['url', 'domain'], (host[1] ?? '').replace(/^\[|\]$/g, '')]);
  if (host[2] !== undefined) fields.push([['url', 'port'], Number(host[2])]);
  return fields;
}
