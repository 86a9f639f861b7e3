/**
 * The http input: each request body is one unit for the codec of its content type. Answered when the queue has it.
 */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import type { EventMap, EventValue, LogEvent } from '@shoal/agent-event';
import {
  asBuffer,
  basicAuthorization,
  type Codec,
  decodedParts,
  type EventSink,
  type Input,
  InputTurns,
  Listener,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  putMetadata,
  putMissing,
  type ReceivedShare,
  receivedMemory,
  serverTls,
  serverTlsOptions,
  warnOfUnusedTls,
} from '@shoal/agent-plugin-kit';
import { codecPlugins } from '../../codecs/codec-list.ts';
import { defaultOptions } from './default-options.ts';

const gunzipped = promisify(gunzip);
const inflated = promisify(inflate);
/** Events of one request that are pushed in one go: about a millisecond. */
const PUSHED_EVENTS = 500;
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
    return new HttpInput(options, context);
  },
};

class HttpInput implements Input {
  readonly finished: null = null;
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly codec: Codec;
  private readonly codecs = new Map<string, Codec>();
  private server: Server | null = null;
  private listener: Listener | null = null;
  private readonly turns: InputTurns;
  private pending = 0;
  private isStopping = false;
  /** Requests that have no whole answer yet; each resolves when it has, or nobody waits for it any more. */
  private readonly answers = new Set<Promise<void>>();

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.codec = options.codec('codec');
    this.turns = new InputTurns(context);
    if (!RESPONSE_CODES.includes(options.number('response_code')))
      throw optionError(`[response_code] must be one of ${RESPONSE_CODES.join(', ')}`);
    for (const [type, name] of options.hash('additional_codecs')) {
      const definition = NAMED_CODECS.find((codec) => codec.name === name);
      if (definition?.kind !== 'codec')
        throw optionError(
          `[additional_codecs] may name ${NAMED_CODECS.map((codec) => codec.name).join(', ')}, not [${String(name)}]`,
        );
      this.codecs.set(type.toLowerCase(), definition.create(defaultOptions(definition), context));
    }
  }

  async start(sink: EventSink): Promise<void> {
    const tls = serverTlsOptions(this.options);
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      if (this.isStopping) response.setHeader('Connection', 'close');
      const gone = new Promise<void>((resolve) => response.once('close', resolve));
      this.answers.add(gone);
      void gone.then(() => this.answers.delete(gone));
      this.answer(request, response, sink).catch((error) => {
        this.context.runtime.log.warn('a request failed', { error: String(error) });
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    };
    const server = tls === null ? createServer(answer) : createTlsServer(tls, answer);
    this.server = server;
    this.listener = new Listener(server, this.context);
    await this.listener.listen({ host: this.options.string('host'), port: this.options.number('port') });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.listener?.close(async () => {
      this.server?.closeIdleConnections();
      while (this.answers.size > 0) await Promise.all(this.answers);
    });
  }

  private async answer(request: IncomingMessage, response: ServerResponse, sink: EventSink): Promise<void> {
    if (!this.isAllowed(request)) {
      // Whoever gave credentials knows how; another challenge would make a browser ask again and again.
      if (request.headers.authorization === undefined) response.setHeader('WWW-Authenticate', 'Basic realm="shoal"');
      return end(request, response, 401, '');
    }
    if (this.pending >= this.options.number('max_pending_requests')) return end(request, response, 429, '');
    this.pending++;
    let hasRoom = (): void => {};
    const share = receivedMemory(this.context.runtime).share(() => hasRoom());
    const room = (): Promise<void> =>
      new Promise((resolve) => {
        hasRoom = resolve;
      });
    try {
      const body = await this.bodyOf(request, share, room);
      if (typeof body === 'number') return end(request, response, body, '');
      const pushed = this.push(body, request, sink);
      share.leaves(body.length, pushed);
      share.holds(0);
      await pushed;
      await sink.confirmed?.();
      for (const [name, value] of this.options.hash('response_headers')) response.setHeader(name, String(value));
      const status = this.options.number('response_code');
      response.writeHead(status).end(status === 204 ? undefined : 'ok');
    } finally {
      this.pending--;
      share.end();
    }
  }

  private isAllowed(request: IncomingMessage): boolean {
    if (!this.options.has('user')) return true;
    const password = this.options.has('password') ? this.options.string('password') : '';
    const wanted = Buffer.from(basicAuthorization(this.options.string('user'), password));
    const given = Buffer.from(request.headers.authorization ?? '');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  /** A status instead of the body: 413 when it is too long, compressed or not, 400 when it cannot be unpacked. */
  private async bodyOf(
    request: IncomingMessage,
    share: ReceivedShare,
    room: () => Promise<void>,
  ): Promise<Uint8Array | 413 | 400> {
    const limit = this.options.number('max_content_length');
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of request) {
      const bytes = chunk as Uint8Array;
      if ((size += bytes.length) > limit) return 413;
      chunks.push(bytes);
      share.holds(size);
      // The sender of a body that nobody reads on waits.
      while (!share.mayTake()) await room();
    }
    const body = Buffer.concat(chunks);
    const encoding = request.headers['content-encoding'];
    if (encoding !== 'gzip' && encoding !== 'deflate') return body;
    try {
      return await (encoding === 'gzip' ? gunzipped : inflated)(body, { maxOutputLength: limit });
    } catch (error) {
      // The library knows no other failures than a body beyond the limit and one that is not what it says.
      return error instanceof RangeError ? 413 : 400;
    }
  }

  private async push(body: Uint8Array, request: IncomingMessage, sink: EventSink): Promise<void> {
    const { turns } = this;
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const address = request.socket.remoteAddress ?? '';
    const headers = requestHeaders(request);
    const parts = { headers, fields: ecsFields(headers), address };
    for await (const events of decodedParts(this.codecs.get(type) ?? this.codec, asBuffer(body), turns)) {
      for (let at = 0; at < events.length; at += PUSHED_EVENTS) {
        const pushed = events.slice(at, at + PUSHED_EVENTS);
        turns.timed(() => {
          for (const event of pushed) this.decorate(event, parts);
        });
        await sink.push(pushed);
        if (turns.isOver) await turns.next();
      }
    }
  }

  private decorate(event: LogEvent, { headers, fields, address }: RequestParts): void {
    const isLegacy = this.context.ecs === 'disabled';
    if (!isLegacy) for (const [path, value] of fields) putMissing(event, path, value);
    // Each event has its own: filters change it in place.
    const own: EventMap = new Map(headers);
    if (this.options.has('request_headers_target_field'))
      event.set(this.options.reference('request_headers_target_field'), own);
    else if (isLegacy) event.fields.set('headers', own);
    else putMetadata(event, ['input', 'http', 'request', 'headers'], own);
    if (this.options.has('remote_host_target_field'))
      event.set(this.options.reference('remote_host_target_field'), address);
    else putMissing(event, isLegacy ? ['host'] : ['host', 'ip'], address);
  }
}

type EcsField = readonly [path: readonly string[], value: EventValue];

/** What all events of a request get from it. */
interface RequestParts {
  readonly headers: EventMap;
  readonly fields: readonly EcsField[];
  readonly address: string;
}

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

/** Without having read the body: the connection cannot be used again. */
function end(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  response.setHeader('Connection', 'close');
  response.writeHead(status).end(text);
  request.resume();
}
