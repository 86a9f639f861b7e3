/**
 * The tcp input: events over connections, as a server or by connecting to one.
 */
import { reverse } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { LogEvent } from '@shoal/agent-event';
import {
  type Codec,
  clientTls,
  clientTlsOptions,
  decodedPiece,
  type EventSink,
  IdleFlush,
  type Input,
  type InputDefinition,
  isTlsEnabled,
  OrderedPushes,
  type PluginContext,
  type PluginOptions,
  ProxyHeaderReader,
  producingInput,
  putMetadata,
  serverTls,
  serverTlsOptions,
  shortPieces,
  socketInput,
  streamDecoder,
  verifiedPeer,
  warnOfUnusedTls,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

const RECONNECT_MS = 5_000;

export const tcpInput: InputDefinition = {
  kind: 'input',
  name: 'tcp',
  version: '7.0.0',
  options: {
    codec: { type: 'codec', default: 'line' },
    port: { type: 'number', isRequired: true },
    host: { type: 'string', default: '0.0.0.0' },
    mode: { type: ['server', 'client'], default: 'server' },
    dns_reverse_lookup_enabled: { type: 'boolean', default: true },
    proxy_protocol: { type: 'boolean', default: false },
    tcp_keep_alive: { type: 'boolean', default: false },
    ...clientTls,
    ...serverTls,
  },
  create(options, context) {
    warnOfUnusedTls(options, context);
    const isServer = options.string('mode') === 'server';
    const misplaced = isServer ? 'ssl_verification_mode' : 'ssl_client_authentication';
    if (isTlsEnabled(options) && options.has(misplaced))
      throw new ShoalError(
        'illegal_argument_exception',
        400,
        `[${misplaced}] has no effect with [mode => ${options.string('mode')}]: remove it`,
      );
    return isServer ? serverInput(options, context) : clientInput(options, context);
  },
};

function serverInput(options: PluginOptions, context: PluginContext): Input {
  // Clients need a certificate unless the plugin says otherwise, which is the default of Logstash: moving here must not make a server laxer.
  const tls = serverTlsOptions(options, { clientAuthentication: 'required' });
  const at = { host: options.string('host'), port: options.number('port'), tls };
  return socketInput(at, context, (socket, sink) => new Connection(socket, options, context, sink).done);
}

function clientInput(options: PluginOptions, context: PluginContext): Input {
  const at = { host: options.string('host'), port: options.number('port') };
  const isTls = isTlsEnabled(options);
  return producingInput(context.runtime, { isEndless: true }, async (sink, control) => {
    while (!control.isStopped) {
      const socket = isTls ? connectTls({ ...at, ...clientTlsOptions(options) }) : connect(at);
      socket.on('error', (error) => context.runtime.log.warn('a connection failed', { ...at, error: error.message }));
      const forget = control.onStop(() => void socket.destroy());
      await new Connection(socket, options, context, sink).done;
      forget();
      await control.pause(RECONNECT_MS);
    }
  });
}

class Connection {
  /** Resolves when it is closed and all it gave is in the queue. */
  readonly done: Promise<void>;
  private readonly context: PluginContext;
  private readonly socket: Socket;
  private readonly head: ProxyHeaderReader;
  private readonly name: Promise<string>;
  /** Subject of the peer's certificate, once it is verified. */
  private readonly subject: string | null;

  constructor(socket: Socket, options: PluginOptions, context: PluginContext, sink: EventSink) {
    this.socket = socket;
    this.context = context;
    this.head = new ProxyHeaderReader(options.boolean('proxy_protocol'));
    if (options.boolean('tcp_keep_alive')) socket.setKeepAlive(true);
    this.subject = socket instanceof TLSSocket ? (verifiedPeer(socket)?.subject ?? null) : null;
    const address = socket.remoteAddress ?? '';
    this.name = options.boolean('dns_reverse_lookup_enabled') ? nameOf(address) : Promise.resolve(address);
    this.done = this.run(options.codec('codec'), sink);
  }

  private async run(codec: Codec, sink: EventSink): Promise<void> {
    const { socket } = this;
    const decoder = streamDecoder(codec);
    const own = {
      push: (events: readonly LogEvent[]) => this.push(events, sink),
      failed: (error: unknown) => sink.failed?.(error),
    };
    const pushes = new OrderedPushes(own, this.context, (isHeld) => (isHeld ? socket.pause() : socket.resume()));
    const idle = new IdleFlush(this.context.runtime, decoder, (flush) => void pushes.offerMade(flush));
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        const bytes = this.head.after(chunk, () => this.refuse());
        if (bytes === null) return;
        for (const piece of shortPieces(codec, bytes))
          void pushes.offerMade(() => decodedPiece(decoder, piece, socket, this.context));
        idle.touch();
      });
      socket.once('close', () => resolve());
    });
    idle.stop();
    await pushes.offerMade(() => decoder.flush());
  }

  private refuse(): void {
    const { remoteAddress = '' } = this.socket;
    this.context.runtime.log.warn('a connection without the header of a proxy', { peer: remoteAddress });
    this.socket.destroy();
  }

  private async push(events: readonly LogEvent[], sink: EventSink): Promise<void> {
    const { socket, context } = this;
    const { peer } = this.head;
    const ip = peer?.address ?? socket.remoteAddress ?? '';
    const name = peer?.address ?? (await this.name);
    // Logstash has the ports of a header as texts.
    const port = peer === null ? (socket.remotePort ?? 0) : String(peer.port);
    for (const event of events) {
      if (context.ecs === 'disabled') {
        if (!event.fields.has('host')) event.fields.set('host', name);
        if (!event.fields.has('port')) event.fields.set('port', port);
        putMetadata(event, ['ip_address'], ip);
        if (this.subject !== null) event.fields.set('sslsubject', this.subject);
        if (peer !== null) {
          event.fields.set('proxy_host', peer.proxyAddress);
          event.fields.set('proxy_port', String(peer.proxyPort));
        }
      } else {
        putMetadata(event, ['input', 'tcp', 'source', 'ip'], ip);
        if (this.subject !== null) putMetadata(event, ['input', 'tcp', 'tls', 'client', 'subject'], this.subject);
        putMetadata(event, ['input', 'tcp', 'source', 'name'], name);
        putMetadata(event, ['input', 'tcp', 'source', 'port'], port);
        if (peer !== null) {
          putMetadata(event, ['input', 'tcp', 'proxy', 'ip'], peer.proxyAddress);
          putMetadata(event, ['input', 'tcp', 'proxy', 'port'], String(peer.proxyPort));
        }
      }
    }
    await sink.push(events);
  }
}

/** The address itself when nobody knows its name. */
async function nameOf(address: string): Promise<string> {
  try {
    const [name] = await reverse(address);
    return name ?? address;
  } catch {
    return address;
  }
}
