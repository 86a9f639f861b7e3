/**
 * One socket that speaks frames: decodes what arrives, queues what leaves, notices a peer that takes nothing.
 *
 * Bytes go to the kernel in portions, so that progress is seen within a long frame and urgent frames (pings, cancels) wait
 * for one frame at most. It knows nothing of requests: frames and the end go to its owner.
 */
import { assert, illegalArgument, isAssertionFailure, messageOf } from '@shoal/core';
import type { Address, Cancel, Socket } from '@shoal/runtime';
import type { Channel } from '../channel/transport.ts';
import { compresses, HANDSHAKE_FRAME_BYTES_MAX } from '../channel/transport-settings.ts';
import { EMPTY_META, FLAG_PING, FLAG_PONG, FrameError, type FrameHeader, type FrameMeta } from '../frames/frame.ts';
import { FrameDecoder, type InboundFrame } from '../frames/frame-decoder.ts';
import type { EncodedFrame, OutboundFrame } from '../frames/frame-encoder.ts';
import type { OpenSocket, TransportContext } from './transport-context.ts';

export interface FrameSocketOwner {
  /** See `FrameSink.admit`. */
  admit(header: FrameHeader, meta: FrameMeta, bytes: number): boolean;
  frame(frame: InboundFrame): void;
  skipped(header: FrameHeader, meta: FrameMeta): void;
  unreadable(header: FrameHeader, meta: FrameMeta, reason: string): void;
  /** The queue fell below its high-water mark after having been above it. */
  writable(): void;
  /** The bytes are no frames. The owner decides what to say and closes. */
  broken(error: FrameError): void;
  /** The last call. */
  closed(reason: string): void;
}

/** Handed to the kernel at once; the rest waits here, where its progress can be seen. */
const PORTION_BYTES = 1024 * 1024;
/** Time for the peer to read the last bytes before the socket is dropped. */
const LINGER_MS = 500;
/** Pings sent without receiving a single byte before the peer counts as gone. */
const UNANSWERED_PINGS_MAX = 3;
const NO_BYTES = new Uint8Array(0);

export class FrameSocket implements OpenSocket {
  readonly remote: Address;
  readonly #socket: Socket;
  readonly #context: TransportContext;
  readonly #owner: FrameSocketOwner;
  readonly #decoder: FrameDecoder;
  readonly #pauses = new Set<string>();
  /** Whole frames, then the rest of the frame being sent. */
  #urgent: EncodedFrame[] = [];
  #queue: EncodedFrame[] = [];
  #current: Uint8Array[] = [];
  #queuedBytes = 0;
  /** Bytes that arrived while reading was paused; at most what the socket had read already. */
  #unread: Uint8Array[] = [];
  #channel: Channel = 'reg';
  #peerFrameBytesMax = HANDSHAKE_FRAME_BYTES_MAX;
  #wasSaturated = false;
  #isClosed = false;
  #closeReason: string | null = null;
  #lingerTimer: Cancel | null = null;
  #progressAtMs: number;
  #receivedAtMs: number;
  #pingedAtMs = 0;
  #unansweredPings = 0;
  /** Silence after which the peer is pinged; 0 never. */
  #livenessPingMs = 0;

  constructor(socket: Socket, context: TransportContext, owner: FrameSocketOwner) {
    this.remote = socket.remote;
    this.#socket = socket;
    this.#context = context;
    this.#owner = owner;
    this.#progressAtMs = context.runtime.clock.monotonicMs();
    this.#receivedAtMs = this.#progressAtMs;
    this.#decoder = new FrameDecoder(
      {
        admit: (header, meta, bytes) => owner.admit(header, meta, bytes),
        frame: (frame) => {
          context.counters.rxFrames++;
          owner.frame(frame);
        },
        skipped: (header, meta) => owner.skipped(header, meta),
        unreadable: (header, meta, reason) => owner.unreadable(header, meta, reason),
      },
      { codec: context.codec, frameBytesMax: HANDSHAKE_FRAME_BYTES_MAX, checksum: context.checksum },
    );
    context.sockets.add(this);
    socket.on({
      data: (chunk) => {
        context.counters.rxBytes += chunk.byteLength;
        if (this.#unread.length > 0) this.#unread.push(chunk);
        else this.#receive(chunk);
      },
      drain: () => this.#flush(true),
      closed: (reason) => this.#onClosed(reason),
    });
  }

  get isClosed(): boolean {
    return this.#isClosed || this.#closeReason !== null;
  }

  get channel(): Channel {
    return this.#channel;
  }

  /** True when more is queued than this channel may hold: its producers wait. */
  get isSaturated(): boolean {
    return this.#queuedBytes + this.#socket.pendingBytes > this.#context.settings.highWaterBytes[this.#channel];
  }

  /** The handshake is done: larger frames are read, and the channel's limits apply. */
  open(channel: Channel, peerFrameBytesMax: number): void {
    this.#channel = channel;
    this.#peerFrameBytesMax = peerFrameBytesMax;
    this.#decoder.setFrameBytesMax(this.#context.settings.frameBytesMax);
  }

  /** Pings the peer whenever it was silent for this long, whatever `transport.ping_schedule` says. */
  watch(livenessPingMs: number): void {
    this.#livenessPingMs = livenessPingMs;
  }

  /** Throws a `ShoalError` when the frame is too long to be sent. After the end it does nothing. */
  send(frame: OutboundFrame, urgency: 'normal' | 'urgent' = 'normal'): void {
    if (this.isClosed) return;
    const encoded = this.#context.encoder.encode(frame, compresses(this.#context.settings.compress, this.#channel));
    if (encoded.bytes > this.#peerFrameBytesMax) {
      throw illegalArgument(
        `transport message of [${encoded.bytes}] bytes exceeds the limit [${this.#peerFrameBytesMax}] of the other node`,
      );
    }
    this.#context.counters.txFrames++;
    this.#context.counters.txBytes += encoded.bytes;
    if (this.#queuedBytes === 0 && this.#socket.pendingBytes === 0) {
      this.#progressAtMs = this.#context.runtime.clock.monotonicMs();
    }
    (urgency === 'urgent' ? this.#urgent : this.#queue).push(encoded);
    this.#queuedBytes += encoded.bytes;
    this.#flush(false);
    if (this.isSaturated) this.#wasSaturated = true;
  }

  /** Reads no further frame for this reason until `resume` with it. */
  pause(reason: string): void {
    if (this.isClosed || this.#pauses.has(reason)) return;
    this.#pauses.add(reason);
    this.#decoder.hold();
    this.#socket.pause();
  }

  resume(reason: string): void {
    if (!this.#pauses.delete(reason) || this.#pauses.size > 0 || this.isClosed) return;
    this.#decoder.release();
    // What had arrived with the frame that caused the pause is read first; it may cause the next pause.
    while (this.#unread.length > 0 && this.#pauses.size === 0) this.#receive(this.#unread.shift() ?? NO_BYTES);
    if (this.#pauses.size === 0 && !this.isClosed) this.#socket.resume();
  }

  /** Drops the socket. `closed(reason)` follows. */
  destroy(reason: string): void {
    if (this.#isClosed) return;
    this.#closeReason ??= reason;
    this.#decoder.stop();
    this.#socket.destroy();
  }

  /** Sends these last bytes behind what was handed to the socket, reads no more, then drops it. */
  endWith(lastBytes: Uint8Array | null, reason: string): void {
    if (this.isClosed) return;
    this.#decoder.stop();
    if (lastBytes !== null) this.#socket.write([lastBytes]);
    this.#closeReason = reason;
    this.#socket.end();
    this.#lingerTimer = this.#context.runtime.sched.after(LINGER_MS, () => this.#socket.destroy());
  }

  /** Called periodically. */
  check(nowMs: number): void {
    if (this.isClosed) return;
    const { stalledWriteMs, pingScheduleMs } = this.#context.settings;
    const waiting = this.#queuedBytes + this.#socket.pendingBytes;
    if (waiting > 0 && nowMs - this.#progressAtMs > stalledWriteMs) {
      this.destroy(`the other side took no byte for ${stalledWriteMs}ms while ${waiting} wait`);
      return;
    }
    // Memory is reserved for a frame that has begun; a peer may not hold it for ever.
    if (this.#decoder.isInsideFrame && this.#pauses.size === 0 && nowMs - this.#receivedAtMs > stalledWriteMs) {
      this.destroy(`the rest of a frame did not come for ${stalledWriteMs}ms`);
      return;
    }
    const pingMs = pingScheduleMs > 0 ? pingScheduleMs : this.#livenessPingMs;
    if (pingMs > 0 && nowMs - Math.max(this.#receivedAtMs, this.#pingedAtMs) > pingMs) this.#ping(nowMs);
  }

  #ping(nowMs: number): void {
    if (this.#unansweredPings >= UNANSWERED_PINGS_MAX) {
      this.destroy(`no answer to ${this.#unansweredPings} pings`);
      return;
    }
    this.#unansweredPings++;
    this.#pingedAtMs = nowMs;
    this.send({ flags: FLAG_PING, requestId: 0, meta: EMPTY_META, body: null }, 'urgent');
  }

  /** Answers a ping at once: no handler is asked. */
  pong(requestId: number): void {
    this.send({ flags: FLAG_PONG, requestId, meta: EMPTY_META, body: null }, 'urgent');
  }

  #receive(chunk: Uint8Array): void {
    if (this.isClosed) return;
    this.#unansweredPings = 0;
    this.#receivedAtMs = this.#context.runtime.clock.monotonicMs();
    try {
      const taken = this.#decoder.push(chunk);
      if (taken < chunk.byteLength) this.#unread.unshift(chunk.subarray(taken));
    } catch (error) {
      // A broken invariant of ours stops the process. Anything else was caused by these bytes: the socket pays for it.
      if (isAssertionFailure(error)) throw error;
      const reason = messageOf(error);
      this.#owner.broken(error instanceof FrameError ? error : new FrameError('damaged', reason));
    }
  }

  #flush(hasProgressed: boolean): void {
    if (hasProgressed) this.#progressAtMs = this.#context.runtime.clock.monotonicMs();
    while (this.#queuedBytes > 0 && this.#socket.pendingBytes < PORTION_BYTES && !this.isClosed) {
      const portion = this.#nextPortion();
      this.#socket.write(portion);
    }
    if (!this.#wasSaturated || this.isSaturated) return;
    this.#wasSaturated = false;
    this.#owner.writable();
  }

  /** Up to `PORTION_BYTES`, cut inside a chunk where needed. Urgent frames go between frames, never inside one. */
  #nextPortion(): Uint8Array[] {
    const portion: Uint8Array[] = [];
    let room = PORTION_BYTES;
    while (room > 0) {
      const chunk = this.#current[0] ?? this.#nextFrame();
      if (chunk === undefined) break;
      if (chunk.byteLength <= room) {
        portion.push(chunk);
        this.#current.shift();
        room -= chunk.byteLength;
      } else {
        portion.push(chunk.subarray(0, room));
        this.#current[0] = chunk.subarray(room);
        room = 0;
      }
    }
    this.#queuedBytes -= PORTION_BYTES - room;
    assert(this.#queuedBytes >= 0, `${this.#queuedBytes} bytes are queued for ${this.remote.host}`);
    assert(portion.length > 0, `nothing to send while ${this.#queuedBytes} bytes are queued`);
    return portion;
  }

  #nextFrame(): Uint8Array | undefined {
    const frame = this.#urgent.shift() ?? this.#queue.shift();
    this.#current = frame === undefined ? [] : [...frame.chunks];
    return this.#current[0];
  }

  #onClosed(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#lingerTimer?.();
    this.#decoder.stop();
    this.#urgent = [];
    this.#queue = [];
    this.#current = [];
    this.#unread = [];
    this.#queuedBytes = 0;
    this.#context.sockets.delete(this);
    this.#owner.closed(this.#closeReason ?? reason);
  }
}
