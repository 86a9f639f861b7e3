/**
 * The beats input: events of Filebeat and its relatives, over the Lumberjack protocol.
 *
 * A window is acknowledged when the queue has all of it, or the outputs where the pipeline says so: until then the sender keeps it and would send it again. While the
 * queue is full, or what all connections have received is too much, an empty acknowledgement now and then keeps the sender from giving up.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { LogEvent } from '@shoal/agent-event';
import {
  type EventSink,
  type Input,
  InputTurns,
  OrderedPushes,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
  putMetadata,
  putMissing,
  type ReceivedShare,
  receivedMemory,
  serverTls,
  serverTlsOptions,
  socketInput,
  verifiedPeer,
  warnOfUnusedTls,
} from '@shoal/agent-plugin-kit';
import type { Cancel } from '@shoal/runtime';
import { type FrameRules, frameEvents } from './frame-events.ts';
import { ackFrame, frameBytes, type LumberjackFrame, LumberjackReader, type PackedFrame } from './lumberjack.ts';
import { PackedFrames } from './packed-frames.ts';
import { putPeer } from './peer-fields.ts';

const KEEP_ALIVE_MS = 5_000;
/** Events of a window that are held before the queue gets them. */
const PART_EVENTS_MAX = 1_024;
const ONE_THREAD = 'it has no effect: connections share one thread here';

export const beatsInput: PluginDefinition = {
  kind: 'input',
  name: 'beats',
  version: '7.0.0',
  options: {
    codec: { type: 'codec', default: 'plain' },
    port: { type: 'number', isRequired: true },
    host: { type: 'string', default: '0.0.0.0' },
    client_inactivity_timeout: { type: 'number', default: 60 },
    include_codec_tag: { type: 'boolean', default: true },
    enrich: { type: 'array', default: ['codec_metadata', 'source_metadata'] },
    add_hostname: { type: 'boolean', default: false },
    ...serverTls,
    executor_threads: { type: 'number', deprecated: ONE_THREAD },
    event_loop_threads: { type: 'number', deprecated: ONE_THREAD },
    ssl_handshake_timeout: { type: 'number', default: 10_000 },
  },
  create(options, context): Input {
    const rules = rulesOf(options);
    warnOfUnusedTls(options, context);
    const tls = serverTlsOptions(options);
    const handshakeTimeout = options.number('ssl_handshake_timeout');
    const at = {
      host: options.string('host'),
      port: options.number('port'),
      tls: tls === null ? null : { ...tls, handshakeTimeout },
    };
    return socketInput(at, context, (socket, sink) => new BeatsConnection(socket, rules, context, sink).done);
  },
};

interface BeatsRules extends FrameRules {
  readonly inactivityMs: number;
  readonly addsSource: boolean;
  readonly addsHostname: boolean;
  readonly addsTlsPeer: boolean;
}

function rulesOf(options: PluginOptions): BeatsRules {
  const enrich = options.strings('enrich');
  const has = (name: string): boolean => (enrich.includes('all') || enrich.includes(name)) && !enrich.includes('none');
  return {
    codec: options.codec('codec'),
    inactivityMs: options.number('client_inactivity_timeout') * 1000,
    addsCodecTag: options.boolean('include_codec_tag') && has('codec_metadata'),
    addsSource: has('source_metadata'),
    addsHostname: options.boolean('add_hostname'),
    addsTlsPeer: has('ssl_peer_metadata'),
  };
}

class BeatsConnection {
  /** Resolves when it is closed and what it gave is in the queue. */
  readonly done: Promise<void>;
  private readonly socket: Socket;
  private readonly rules: BeatsRules;
  private readonly context: PluginContext;
  private readonly sink: EventSink;
  private readonly pushes: OrderedPushes;
  private readonly reader = new LumberjackReader();
  /** Frames that are read before those from `nextFrame` on. */
  private readonly packed = new PackedFrames();
  private keepAlive: Cancel | null = null;
  private version = 0x32;
  /** Events of the window that have not come yet. */
  private expected = 0;
  private batch: LogEvent[] = [];
  /** Bytes that the events of `batch` came in. */
  private batchBytes = 0;
  private waiting = 0;
  /** Bytes that came while there was no room for them. */
  private unread: Uint8Array[] = [];
  private readonly share: ReceivedShare;
  private isPushing = false;
  private hasNoRoom = false;
  /** Frames that came; those before `nextFrame` are in `batch`, or gone from there. */
  private frames: readonly LumberjackFrame[] = [];
  private nextFrame = 0;
  /** Bytes of the frames from `nextFrame` on. */
  private framesBytes = 0;
  private readonly turns: InputTurns;
  private isReading = false;
  /** It lets others have their turn. */
  private isYielding = false;
  /** Its bytes mean nothing. */
  private isBroken = false;
  /** Called once it is closed, when all that came before is read. */
  private drained: (() => void) | null = null;
  private readonly address: string;
  private readonly peer: ReturnType<typeof verifiedPeer>;

  constructor(socket: Socket, rules: BeatsRules, context: PluginContext, sink: EventSink) {
    this.socket = socket;
    this.rules = rules;
    this.context = context;
    this.sink = sink;
    this.pushes = new OrderedPushes(sink, context, (isHeld) => {
      this.isPushing = isHeld;
      this.holdOrResume();
    });
    this.share = receivedMemory(context.runtime).share(() => this.roomAgain());
    this.turns = new InputTurns(context);
    // Frames may be read when the socket that has them is closed.
    this.address = socket.remoteAddress ?? '';
    this.peer = rules.addsTlsPeer && socket instanceof TLSSocket ? verifiedPeer(socket) : null;
    // While a push waits the sender is silent because we are: that is not its inactivity.
    if (rules.inactivityMs > 0) socket.setTimeout(rules.inactivityMs, () => this.waiting === 0 && socket.destroy());
    this.done = new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        this.unread.push(chunk);
        this.read();
      });
      socket.once('close', () => {
        this.drained = resolve;
        this.resolveIfDrained();
      });
    }).then(() => {
      this.keepAlive?.();
      this.share.end();
      return this.pushes.settled();
    });
  }

  private resolveIfDrained(): void {
    if (!this.isReading && (this.unread.length === 0 || this.isBroken)) this.drained?.();
  }

  /** Takes what has come, as far as there is room for it. */
  private read(): void {
    if (this.isReading) return;
    this.readOn().catch((error: unknown) => this.sink.failed?.(error));
  }

  private async readOn(): Promise<void> {
    this.isReading = true;
    try {
      for (;;) {
        if (this.turns.isOver) await this.whileHeld(() => this.turns.next());
        const frame = this.turns.timed(() => this.readFrame());
        if (frame === null) break;
        if (frame.kind === 'packed') await this.whileHeld(() => this.packed.open(frame));
      }
    } catch (error) {
      this.broke(error);
    } finally {
      // Before anything else can come: what comes from here on begins anew.
      this.isReading = false;
      this.resolveIfDrained();
    }
  }

  /** The frame that was read; null when there is no more to read for now. One that is packed is still to be opened. */
  private readFrame(): LumberjackFrame | null {
    const frame = this.takeFrame();
    if (frame !== null && frame.kind !== 'packed') this.frame(frame);
    return frame;
  }

  /** The sender waits meanwhile. */
  private async whileHeld(work: () => Promise<void>): Promise<void> {
    this.isYielding = true;
    this.holdOrResume();
    await work();
    this.isYielding = false;
    this.holdOrResume();
  }

  /** null when no whole one has come, or there is no room for more. */
  private takeFrame(): LumberjackFrame | null {
    for (;;) {
      const frame = this.packed.next();
      if (frame !== null) return frame;
      const outer = this.frames[this.nextFrame];
      if (outer !== undefined) {
        this.nextFrame++;
        this.framesBytes -= frameBytes(outer);
        return outer;
      }
      this.frames = [];
      this.nextFrame = 0;
      if (this.hasNoRoom || this.unread.length === 0) return null;
      const chunk = this.share.mayTake() ? this.unread.shift() : undefined;
      if (chunk === undefined) this.noRoom();
      else this.take(chunk);
    }
  }

  private take(chunk: Uint8Array): void {
    this.frames = this.reader.push(chunk);
    for (const frame of this.frames) this.framesBytes += frameBytes(frame);
    this.tellHeld();
  }

  private tellHeld(): void {
    this.share.holds(this.reader.pendingBytes + this.framesBytes + this.packed.pendingBytes + this.batchBytes);
  }

  private broke(error: unknown): void {
    this.context.runtime.log.warn('a connection to beats was ended', { peer: this.address, error: String(error) });
    this.isBroken = true;
    this.unread = [];
    this.frames = [];
    this.packed.drop();
    this.socket.destroy();
  }

  /** The queue gets what is there of the window, so that its memory is free again some time. */
  private noRoom(): void {
    this.hasNoRoom = true;
    this.began();
    this.holdOrResume();
    if (this.batch.length > 0) this.deliverPart();
  }

  private roomAgain(): void {
    this.hasNoRoom = false;
    this.finished();
    this.read();
    this.holdOrResume();
  }

  private holdOrResume(): void {
    if (this.isPushing || this.hasNoRoom || this.isYielding) this.socket.pause();
    else this.socket.resume();
  }

  /** The sender waits for us from here on. */
  private began(): void {
    if (this.waiting++ === 0) this.scheduleKeepAlive();
  }

  private finished(): void {
    if (--this.waiting === 0) this.keepAlive?.();
  }

  private frame(frame: Exclude<LumberjackFrame, PackedFrame>): void {
    if (frame.kind === 'window') {
      this.version = frame.version;
      this.expected = frame.count;
      return;
    }
    this.batchBytes += frameBytes(frame);
    for (const event of frameEvents(frame, this.rules, this.context.ecs)) {
      this.decorate(event);
      this.batch.push(event);
    }
    if (--this.expected > 0) {
      // A window may be of a million events: the queue gets it in parts, and the sender is held by it. The last part is
      // what the acknowledgement waits for, and pushes keep their order.
      if (this.batch.length >= PART_EVENTS_MAX) this.deliverPart();
      return;
    }
    this.deliver(frame.sequence);
  }

  private deliver(sequence: number): void {
    this.began();
    const taken = this.pushed();
    const safe = this.sink.confirmed === undefined ? taken : taken.then(() => this.sink.confirmed?.());
    safe.then(
      () => {
        this.finished();
        if (!this.socket.destroyed) this.socket.write(ackFrame(this.version, sequence));
      },
      // Without an acknowledgement the sender sends the window again.
      () => this.socket.destroy(),
    );
  }

  private deliverPart(): void {
    this.began();
    void this.pushed().then(
      () => this.finished(),
      // The end of the window must not acknowledge it: the sender sends it again.
      () => this.socket.destroy(),
    );
  }

  /** Gives the events that are there to the queue. */
  private pushed(): Promise<void> {
    const [batch, bytes] = [this.batch, this.batchBytes];
    this.batch = [];
    this.batchBytes = 0;
    const pushed = this.pushes.push(batch);
    this.share.leaves(bytes, pushed);
    this.tellHeld();
    return pushed;
  }

  private scheduleKeepAlive(): void {
    this.keepAlive = this.context.runtime.sched.after(KEEP_ALIVE_MS, () => {
      if (this.socket.destroyed) return;
      this.socket.write(ackFrame(this.version, 0));
      this.scheduleKeepAlive();
    });
  }

  private decorate(event: LogEvent): void {
    const { address } = this;
    const isLegacy = this.context.ecs === 'disabled';
    if (this.rules.addsSource) {
      if (isLegacy) putMetadata(event, ['ip_address'], address);
      else putMetadata(event, ['input', 'beats', 'host', 'ip'], address);
    }
    if (this.rules.addsTlsPeer && this.socket instanceof TLSSocket) putPeer(event, this.peer, isLegacy);
    if (!this.rules.addsHostname) return;
    const sender = event.fields.get('agent') ?? event.fields.get('beat');
    const name = sender instanceof Map ? (sender.get('hostname') ?? sender.get('name')) : undefined;
    if (typeof name !== 'string') return;
    if (isLegacy) putMissing(event, ['host'], name);
    else putMetadata(event, ['input', 'beats', 'host', 'name'], name);
  }
}
