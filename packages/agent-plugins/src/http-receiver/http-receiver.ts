/**
 * Receives the bodies of HTTP requests: each is one unit for the codec of its content type, and answered when the queue has
 * its events. What events get from their request is the business of the plugin that receives.
 */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { TlsOptions } from 'node:tls';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import type { LogEvent } from '@shoal/agent-event';
import {
  asBuffer,
  type Codec,
  decodedParts,
  type EventSink,
  type Input,
  InputTurns,
  Listener,
  type PluginContext,
  type ReceivedShare,
  receivedMemory,
} from '@shoal/agent-plugin-kit';

const gunzipped = promisify(gunzip);
const inflated = promisify(inflate);
/** Events of one request that are pushed in one go: about a millisecond. */
const PUSHED_EVENTS = 500;

export interface HttpReceiverSettings {
  readonly host: string;
  /** 0..65535; 0: any that is free. */
  readonly port: number;
  /** Asked for when the receiver starts; null: requests come in the clear. */
  readonly tls: () => TlsOptions | null;
  /** The header that requests must have; null: anybody may send. */
  readonly authorization: string | null;
  readonly codec: Codec;
  /** Codecs by content type, in lower case, that go before `codec`. */
  readonly codecs: ReadonlyMap<string, Codec>;
  /** Status of the answer to a request whose events were taken: 200, 201, 202 or 204. */
  readonly responseStatus: number;
  readonly responseHeaders: ReadonlyMap<string, string>;
  /** Largest body, packed or not. */
  readonly contentBytesMax: number;
  /** Requests without an answer at one time; those beyond it are answered with 429. */
  readonly pendingRequestsMax: number;
  /** What each event of a request gets from it. */
  readonly decorator: (request: IncomingMessage) => (event: LogEvent) => void;
}

export class HttpReceiver implements Input {
  readonly finished: null = null;
  private readonly settings: HttpReceiverSettings;
  private readonly context: PluginContext;
  private server: Server | null = null;
  private listener: Listener | null = null;
  private readonly turns: InputTurns;
  private pending = 0;
  private isStopping = false;
  /** Requests that have no whole answer yet; each resolves when it has, or nobody waits for it any more. */
  private readonly answers = new Set<Promise<void>>();

  constructor(settings: HttpReceiverSettings, context: PluginContext) {
    this.settings = settings;
    this.context = context;
    this.turns = new InputTurns(context);
  }

  async start(sink: EventSink): Promise<void> {
    const tls = this.settings.tls();
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
    await this.listener.listen({ host: this.settings.host, port: this.settings.port });
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
    if (this.pending >= this.settings.pendingRequestsMax) return end(request, response, 429, '');
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
      for (const [name, value] of this.settings.responseHeaders) response.setHeader(name, value);
      const status = this.settings.responseStatus;
      response.writeHead(status).end(status === 204 ? undefined : 'ok');
    } finally {
      this.pending--;
      share.end();
    }
  }

  private isAllowed(request: IncomingMessage): boolean {
    const { authorization } = this.settings;
    if (authorization === null) return true;
    const wanted = Buffer.from(authorization);
    const given = Buffer.from(request.headers.authorization ?? '');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  /** A status instead of the body: 413 when it is too long, compressed or not, 400 when it cannot be unpacked. */
  private async bodyOf(
    request: IncomingMessage,
    share: ReceivedShare,
    room: () => Promise<void>,
  ): Promise<Uint8Array | 413 | 400> {
    const limit = this.settings.contentBytesMax;
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
    const { codec, codecs, decorator } = this.settings;
    const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
    const decorate = decorator(request);
    for await (const events of decodedParts(codecs.get(type) ?? codec, asBuffer(body), turns)) {
      for (let at = 0; at < events.length; at += PUSHED_EVENTS) {
        const pushed = events.slice(at, at + PUSHED_EVENTS);
        turns.timed(() => {
          for (const event of pushed) decorate(event);
        });
        await sink.push(pushed);
        if (turns.isOver) await turns.next();
      }
    }
  }
}

/** Without having read the body: the connection cannot be used again. */
function end(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  response.setHeader('Connection', 'close');
  response.writeHead(status).end(text);
  request.resume();
}
