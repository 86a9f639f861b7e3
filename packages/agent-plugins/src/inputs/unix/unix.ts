/**
 * The unix input: events over a socket of the file system, as a server or by connecting to one.
 */
import { unlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import type { LogEvent } from '@shoal/agent-event';
import {
  addHost,
  decodedPiece,
  type EventSink,
  IdleFlush,
  type Input,
  type LoopControl,
  OrderedPushes,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  producingInput,
  putMissing,
  shortPieces,
  socketInput,
  streamDecoder,
} from '@shoal/agent-plugin-kit';
import type { Cancel } from '@shoal/runtime';

/** A server that ends each connection at once must not keep a client busy. */
const RECONNECT_MS = 1_000;
const ABSENT_RETRY_SECONDS = 5;
/** Kernels hold 108 bytes of a path, its end included; a longer one must not be cut. */
const PATH_BYTES_MAX = 107;
const TIMER_MS_MAX = 2 ** 31 - 1;

export const unixInput: PluginDefinition = {
  kind: 'input',
  name: 'unix',
  version: '3.1.2',
  options: {
    codec: { type: 'codec', default: 'line' },
    data_timeout: { type: 'number', default: -1 },
    force_unlink: { type: 'boolean', default: false },
    mode: { type: ['server', 'client'], default: 'server' },
    path: { type: 'string', isRequired: true },
    socket_not_present_retry_interval_seconds: { type: 'number', default: ABSENT_RETRY_SECONDS },
  },
  create(options, context) {
    const path = options.string('path');
    if (path === '' || Buffer.byteLength(path) > PATH_BYTES_MAX)
      throw optionError(`[path] needs 1 to ${PATH_BYTES_MAX} bytes, as paths of sockets have`);
    const timeout = options.number('data_timeout');
    if (timeout !== -1 && timeout <= 0)
      throw optionError('[data_timeout] is a number of seconds above 0, or -1 for none');
    return options.string('mode') === 'server' ? serverInput(options, context) : clientInput(options, context);
  },
};

function serverInput(options: PluginOptions, context: PluginContext): Input {
  const path = options.string('path');
  const input = socketInput({ path, tls: null }, context, (socket, sink) => read(socket, options, context, sink));
  return {
    ...input,
    async start(sink) {
      try {
        await input.start(sink);
      } catch (error) {
        if (!options.boolean('force_unlink') || !hasCode(error, 'EADDRINUSE')) throw error;
        await unlink(path);
        await input.start(sink);
      }
    },
  };
}

function clientInput(options: PluginOptions, context: PluginContext): Input {
  const path = options.string('path');
  const given = options.number('socket_not_present_retry_interval_seconds');
  const absentMs = Math.min((given > 0 ? given : ABSENT_RETRY_SECONDS) * 1000, TIMER_MS_MAX);
  if (given <= 0)
    context.runtime.log.warn('[socket_not_present_retry_interval_seconds] is not positive: its default is used', {
      given,
      default: ABSENT_RETRY_SECONDS,
    });
  const once = async (sink: EventSink, control: LoopControl): Promise<boolean> => {
    const socket = connect({ path });
    let isConnected = false;
    socket.once('connect', () => (isConnected = true));
    socket.on('error', (error) => context.runtime.log.warn('a connection failed', { path, error: error.message }));
    const forget = control.onStop(() => void socket.destroy());
    await read(socket, options, context, sink);
    forget();
    return isConnected;
  };
  return producingInput(context.runtime, { isEndless: true }, async (sink, control) => {
    while (!control.isStopped) await control.pause((await once(sink, control)) ? RECONNECT_MS : absentMs);
  });
}

/** Resolves when the connection is closed and all it gave is in the queue. */
async function read(socket: Socket, options: PluginOptions, context: PluginContext, sink: EventSink): Promise<void> {
  const path = options.string('path');
  const codec = options.codec('codec');
  const decoder = streamDecoder(codec);
  const patience = new Patience(socket, options.number('data_timeout'), context);
  const named = {
    failed: (error: unknown) => sink.failed?.(error),
    push: (events: readonly LogEvent[]) => sink.push(events.map((event) => origin(event, path, context))),
  };
  const pushes = new OrderedPushes(named, context, (isHeld) => {
    if (isHeld) socket.pause();
    else socket.resume();
    patience.hold(isHeld);
  });
  const idle = new IdleFlush(context.runtime, decoder, (flush) => void pushes.offerMade(flush));
  await new Promise<void>((resolve) => {
    socket.on('data', (bytes: Buffer) => {
      patience.touch();
      for (const piece of shortPieces(codec, bytes))
        void pushes.offerMade(() => decodedPiece(decoder, piece, socket, context));
      idle.touch();
    });
    socket.once('close', () => resolve());
  });
  idle.stop();
  patience.end();
  await pushes.offerMade(() => decoder.flush());
}

function origin(event: LogEvent, path: string, context: PluginContext): LogEvent {
  addHost(event, context);
  putMissing(event, context.ecs === 'disabled' ? ['path'] : ['file', 'path'], path);
  return event;
}

/** Ends a connection that gives nothing for too long. One that is held because the queue is full is not at fault. */
class Patience {
  private readonly socket: Socket;
  private readonly context: PluginContext;
  /** null: without end. */
  private readonly timeoutMs: number | null;
  private cancel: Cancel | null = null;
  private isHeld = false;
  private isEnded = false;

  constructor(socket: Socket, seconds: number, context: PluginContext) {
    this.socket = socket;
    this.context = context;
    this.timeoutMs = seconds === -1 ? null : Math.min(seconds * 1000, TIMER_MS_MAX);
    this.touch();
  }

  touch(): void {
    this.cancel?.();
    this.cancel = null;
    if (this.timeoutMs === null || this.isHeld || this.isEnded) return;
    this.cancel = this.context.runtime.sched.after(this.timeoutMs, () => {
      this.context.runtime.log.info('a connection was ended: nothing came', { timeoutMs: this.timeoutMs ?? 0 });
      this.socket.destroy();
    });
  }

  hold(isHeld: boolean): void {
    this.isHeld = isHeld;
    this.touch();
  }

  end(): void {
    this.isEnded = true;
    this.touch();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
