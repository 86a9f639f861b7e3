/**
 * The gelf input: messages of Graylog's format, over UDP (whole or in chunks, compressed or not) and over TCP (each ended
 * by a null byte). What UDP brings beyond what may wait for the queue is dropped and counted.
 */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { isIPv6, type Socket } from 'node:net';
import { gunzipSync, inflateSync } from 'node:zlib';
import type { LogEvent } from '@shoal/agent-event';
import {
  DelimiterSplitter,
  type EventSink,
  type Input,
  OrderedPushes,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  publishPort,
  socketInput,
} from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { GelfChunks, isGelfChunk } from './gelf-chunks.ts';
import { type GelfFields, gelfEvent } from './gelf-message.ts';

/** One message, unpacked: a few bytes can say that they are gigabytes. */
const MESSAGE_BYTES_MAX = 8 * 1024 * 1024;
/** Unpacked messages of UDP that wait for the queue. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024;
const WAITING_MAX = 2_000;
const MESSAGE_END = new Uint8Array([0]);

export const gelfInput: PluginDefinition = {
  kind: 'input',
  name: 'gelf',
  version: '3.3.2',
  options: {
    codec: { type: 'codec', default: 'plain', deprecated: 'it has no effect: messages are always JSON' },
    host: { type: 'string', default: '0.0.0.0' },
    port: { type: 'number', default: 12_201 },
    port_tcp: { type: 'number' },
    port_udp: { type: 'number' },
    receive_buffer_bytes: { type: 'number' },
    remap: { type: 'boolean', default: true },
    strip_leading_underscore: { type: 'boolean', default: true },
    use_tcp: { type: 'boolean', default: false },
    use_udp: { type: 'boolean', default: true },
  },
  create(options, context): Input {
    const fields = { isRemapped: options.boolean('remap'), isStripped: options.boolean('strip_leading_underscore') };
    const inputs: Input[] = [];
    if (options.boolean('use_tcp')) inputs.push(tcpInput(options, context, fields));
    if (options.boolean('use_udp')) inputs.push(new UdpInput(options, context, fields));
    if (inputs.length === 0)
      throw new ShoalError('illegal_argument_exception', 400, 'one of [use_udp] and [use_tcp] must be true');
    return {
      finished: null,
      async start(sink) {
        for (const input of inputs) await input.start(sink);
      },
      async stop() {
        await Promise.all(inputs.map((input) => input.stop()));
      },
    };
  },
};

function tcpInput(options: PluginOptions, context: PluginContext, fields: GelfFields): Input {
  const port = options.number(options.has('port_tcp') ? 'port_tcp' : 'port');
  return socketInput({ host: options.string('host'), port, tls: null }, context, (socket, sink) =>
    readMessages(socket, { sink, fields, context }),
  );
}

async function readMessages(
  socket: Socket,
  { sink, fields, context }: { readonly sink: EventSink; readonly fields: GelfFields; readonly context: PluginContext },
): Promise<void> {
  const sender = socket.remoteAddress ?? '';
  const splitter = new DelimiterSplitter(MESSAGE_END, MESSAGE_BYTES_MAX);
  const pushes = new OrderedPushes(sink, context, (isHeld) => (isHeld ? socket.pause() : socket.resume()));
  const take = (messages: () => readonly Uint8Array[]): Promise<void> =>
    pushes.offerMade(() => messages().flatMap((message) => gelfEvent(message, sender, fields) ?? []));
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => void take(() => splitter.push(chunk)));
    socket.once('close', () => resolve());
  });
  await take(() => {
    const rest = splitter.flush();
    return rest === null ? [] : [rest];
  });
}

class UdpInput implements Input {
  readonly finished = null;
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly fields: GelfFields;
  private readonly socket;
  private readonly chunks: GelfChunks;
  private pushes: OrderedPushes | null = null;
  private waiting = 0;
  private waitingBytes = 0;

  constructor(options: PluginOptions, context: PluginContext, fields: GelfFields) {
    this.options = options;
    this.context = context;
    this.fields = fields;
    this.socket = createSocket(isIPv6(options.string('host')) ? 'udp6' : 'udp4');
    this.chunks = new GelfChunks(context.runtime.clock, () => context.metrics.increment('dropped_chunks'));
  }

  async start(sink: EventSink): Promise<void> {
    const { socket, options } = this;
    this.pushes = new OrderedPushes(sink, this.context);
    const port = options.number(options.has('port_udp') ? 'port_udp' : 'port');
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(port, options.string('host'), () => {
        socket.off('error', reject).on('error', (error) => sink.failed?.(error));
        resolve();
      });
    });
    if (options.has('receive_buffer_bytes')) socket.setRecvBufferSize(options.number('receive_buffer_bytes'));
    socket.on('message', (datagram, from) => this.take(datagram, from));
    publishPort(this.context, socket.address());
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
    await this.pushes?.settled();
  }

  private take(datagram: Uint8Array, { address }: RemoteInfo): void {
    // There is no back-pressure over UDP: beyond the limit only dropping is left, before any work is done, and it must show.
    if (this.waiting >= WAITING_MAX || this.waitingBytes >= WAITING_BYTES_MAX) {
      this.context.metrics.increment('dropped');
      return;
    }
    const packed = isGelfChunk(datagram) ? this.chunks.add(datagram, address) : datagram;
    const message = packed === null ? null : this.unpacked(packed);
    const event = message === null ? null : gelfEvent(message, address, this.fields);
    if (message !== null && event !== null) this.push(event, message.length);
  }

  private push(event: LogEvent, bytes: number): void {
    this.waiting++;
    this.waitingBytes += bytes;
    void this.pushes?.offer([event]).then(() => {
      this.waiting--;
      this.waitingBytes -= bytes;
    });
  }

  /** null for what cannot be unpacked, which is counted. */
  private unpacked(packed: Uint8Array): Uint8Array | null {
    const limit = { maxOutputLength: MESSAGE_BYTES_MAX };
    try {
      if (packed[0] === 0x1f && packed[1] === 0x8b) return gunzipSync(packed, limit);
      return isZlib(packed) ? inflateSync(packed, limit) : packed;
    } catch (error) {
      this.context.metrics.increment('decode_failures');
      this.context.runtime.log.warn('a datagram cannot be decoded', { error: String(error) });
      return null;
    }
  }
}

/** Deflate with a window of 32 KiB: what the second byte can be for each level of compression. */
function isZlib([first, second]: Uint8Array): boolean {
  return first === 0x78 && (second === 0x01 || second === 0x5e || second === 0x9c || second === 0xda);
}
