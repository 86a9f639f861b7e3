/**
 * The tcp output: events to a server, or as a server to all who connect.
 */
import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import type { LogEvent } from '@shoal/agent-event';
import {
  clientTls,
  clientTlsOptions,
  encodeAll,
  isTlsEnabled,
  Listener,
  type Output,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  StoppableWait,
  serverTls,
  serverTlsOptions,
  warnOfUnusedTls,
} from '@shoal/agent-plugin-kit';

export const tcpOutput: PluginDefinition = {
  kind: 'output',
  name: 'tcp',
  version: '7.0.0',
  // There is one port to listen on; connections to a server may be several.
  concurrency: (options) => (options.string('mode') === 'server' ? 'single' : 'each'),
  options: {
    codec: { type: 'codec', default: 'json' },
    host: { type: 'string', isRequired: true },
    port: { type: 'number', isRequired: true },
    mode: { type: ['server', 'client'], default: 'client' },
    reconnect_interval: { type: 'number', default: 10 },
    ...clientTls,
    ...serverTls,
  },
  create(options, context) {
    warnOfUnusedTls(options, context);
    const isClient = options.string('mode') === 'client';
    return isClient ? new TcpClientOutput(options, context) : new TcpServerOutput(options, context);
  },
};

function encoded(options: PluginOptions, events: readonly LogEvent[]): Uint8Array {
  return encodeAll(options.codec('codec'), events);
}

/** Resolves when the kernel has the bytes. */
function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));
}

class TcpClientOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly control: StoppableWait;
  private socket: Socket | null = null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    this.control = new StoppableWait(context.runtime);
  }

  /** Tries again for as long as it takes: the server may be away, the events are not lost for that. */
  async receive(events: readonly LogEvent[]): Promise<void> {
    const bytes = encoded(this.options, events);
    for (;;) {
      try {
        this.socket ??= await this.connected();
        return await write(this.socket, bytes);
      } catch (error) {
        this.socket?.destroy();
        this.socket = null;
        if (this.control.isStopped) throw error;
        this.context.runtime.log.warn('cannot write to a tcp server', { error: String(error) });
        await this.control.pause(this.options.number('reconnect_interval') * 1000);
      }
    }
  }

  async stop(): Promise<void> {
    this.control.stop();
    const { socket } = this;
    if (socket !== null && !socket.destroyed) await new Promise<void>((resolve) => socket.end(resolve));
  }

  private connected(): Promise<Socket> {
    const at = { host: this.options.string('host'), port: this.options.number('port') };
    const isTls = isTlsEnabled(this.options);
    return new Promise((resolve, reject) => {
      const socket = isTls ? connectTls({ ...at, ...clientTlsOptions(this.options) }) : connect(at);
      const forget = this.control.onStop(() => void (socket.connecting && socket.destroy()));
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        forget();
        // From here on a failure shows in the write that it breaks.
        socket.off('error', reject).on('error', () => socket.destroy());
        socket.once('close', () => (this.socket = this.socket === socket ? null : this.socket));
        socket.resume();
        resolve(socket);
      });
      socket.once('error', reject).once('close', () => reject(new Error('the connection was closed')));
    });
  }
}

class TcpServerOutput implements Output {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly clients = new Set<Socket>();
  private listener: Listener | null = null;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
  }

  async start(): Promise<void> {
    const tls = serverTlsOptions(this.options);
    const accept = (socket: Socket): void => {
      if (socket.destroyed) return;
      this.clients.add(socket);
      socket.on('error', () => socket.destroy()).once('close', () => this.clients.delete(socket));
      socket.resume();
    };
    const server = tls === null ? createServer(accept) : createTlsServer(tls, accept);
    this.listener = new Listener(server, this.context);
    await this.listener.listen({ host: this.options.string('host'), port: this.options.number('port') });
  }

  /** To whoever is there; a client that goes away in between has had its part. */
  async receive(events: readonly LogEvent[]): Promise<void> {
    const bytes = encoded(this.options, events);
    await Promise.all([...this.clients].map((socket) => write(socket, bytes).catch(() => socket.destroy())));
  }

  async stop(): Promise<void> {
    // What was written goes out first; a handshake that is not done has nothing to wait for.
    const finish = (socket: Socket): Promise<void> => new Promise((resolve) => socket.end(resolve));
    await this.listener?.close(() => Promise.all([...this.clients].map(finish)));
  }
}
