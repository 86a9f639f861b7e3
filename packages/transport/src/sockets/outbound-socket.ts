/**
 * A socket that this node opened: sends the first hello, waits for the answer, then carries requests out and answers in.
 */
import { messageOf, showHostPort } from '@shoal/core';
import type { Address, Cancel, Socket } from '@shoal/runtime';
import type { Channel } from '../channel/transport.ts';
import { handshakeRefused } from '../channel/transport-errors.ts';
import { HANDSHAKE_FRAME_BYTES_MAX } from '../channel/transport-settings.ts';
import {
  EMPTY_META,
  FLAG_HANDSHAKE,
  FLAG_PING,
  FLAG_PONG,
  FLAG_REQUEST,
  FrameError,
  type FrameHeader,
  type FrameMeta,
} from '../frames/frame.ts';
import type { InboundFrame } from '../frames/frame-decoder.ts';
import { FrameSocket, type FrameSocketOwner } from './frame-socket.ts';
import { type Hello, type HelloAnswer, readHelloAnswer, writeHello } from './handshake.ts';
import type { TransportContext } from './transport-context.ts';

export interface OutboundSocketEvents {
  /** Null when the answer does not fit into memory: then `refused` follows. */
  admitAnswer(bytes: number): boolean;
  answer(socket: OutboundSocket, frame: InboundFrame, bytes: number): void;
  /** An answer that was not let in, or could not be decoded. */
  lostAnswer(socket: OutboundSocket, requestId: number, reason: 'memory' | string, bytes: number): void;
  writable(socket: OutboundSocket): void;
  closed(socket: OutboundSocket, reason: string): void;
}

const HELLO_REQUEST_ID = 0;
const UNCOUNTED: ReadonlySet<Channel> = new Set<Channel>(['ping', 'state']);

export class OutboundSocket implements FrameSocketOwner {
  readonly frames: FrameSocket;
  readonly channel: Channel;
  readonly #context: TransportContext;
  readonly #address: Address;
  #events: OutboundSocketEvents | null = null;
  #waiting: { resolve(answer: HelloAnswer): void; reject(error: Error): void; stopTimer: Cancel } | null = null;
  #readingBytes = 0;
  #peerFrameBytesMax = HANDSHAKE_FRAME_BYTES_MAX;

  constructor(socket: Socket, context: TransportContext, at: { readonly address: Address; readonly channel: Channel }) {
    this.#context = context;
    this.#address = at.address;
    this.channel = at.channel;
    this.frames = new FrameSocket(socket, context, this);
  }

  /** Rejects with a `ShoalError` (the socket is dropped then): no answer in time, or not a node of ours. */
  shakeHands(hello: Hello, timeoutMs: number): Promise<HelloAnswer> {
    return new Promise((resolve, reject) => {
      const stopTimer = this.#context.runtime.sched.after(timeoutMs, () => {
        this.#failHandshake('noAnswer', `no answer within [${timeoutMs}ms]`);
      });
      this.#waiting = { resolve, reject, stopTimer };
      const body = { message: writeHello(hello) };
      const flags = FLAG_HANDSHAKE | FLAG_REQUEST;
      this.frames.send({ flags, requestId: HELLO_REQUEST_ID, meta: EMPTY_META, body });
    });
  }

  /** The handshake is accepted: from here on the owner hears of answers. */
  open(events: OutboundSocketEvents): void {
    this.#events = events;
    this.frames.open(this.channel, this.#peerFrameBytesMax);
    // One socket speaks for all of its connection: they end together.
    if (this.channel === 'ping') this.frames.watch(this.#context.settings.livenessPingMs);
  }

  admit(_header: FrameHeader, _meta: FrameMeta, bytes: number): boolean {
    if (this.#events === null || UNCOUNTED.has(this.channel)) return true;
    if (!this.#events.admitAnswer(bytes)) return false;
    this.#readingBytes = bytes;
    return true;
  }

  frame(frame: InboundFrame): void {
    const bytes = this.#takeReading();
    const { flags, requestId } = frame.header;
    if (this.#events === null) {
      this.#readAnswer(frame);
    } else if ((flags & (FLAG_REQUEST | FLAG_HANDSHAKE)) !== 0) {
      this.#events.lostAnswer(this, requestId, 'not an answer', bytes);
      this.broken(new FrameError('damaged', 'a request arrived on a socket that this node opened'));
    } else if ((flags & FLAG_PING) !== 0) {
      this.#context.inflight.release(bytes);
      // Never queued without bound; reading on matters more here than answering, or both ends could wait for each other.
      if (!this.frames.isSaturated) this.frames.pong(requestId);
    } else if ((flags & FLAG_PONG) !== 0) {
      this.#context.inflight.release(bytes);
    } else {
      this.#events.answer(this, frame, bytes);
    }
  }

  skipped(header: FrameHeader): void {
    this.#events?.lostAnswer(this, header.requestId, 'memory', 0);
  }

  unreadable(header: FrameHeader, _meta: FrameMeta, reason: string): void {
    const bytes = this.#takeReading();
    if (this.#events === null) this.#failHandshake('foreignProtocol', `answer cannot be read: ${reason}`);
    else this.#events.lostAnswer(this, header.requestId, reason, bytes);
  }

  writable(): void {
    this.#events?.writable(this);
  }

  broken(error: FrameError): void {
    if (this.#waiting !== null) {
      this.#failHandshake(error.kind === 'revision' ? 'revision' : 'foreignProtocol', error.message);
      return;
    }
    this.#context.counters.refusedSockets++;
    this.#context.log.warn(`closing transport socket: ${error.message}`, { remote: this.#address, kind: error.kind });
    this.frames.destroy(error.message);
  }

  closed(reason: string): void {
    this.#context.inflight.release(this.#takeReading());
    if (this.#waiting !== null) this.#failHandshake('noAnswer', `connection lost: ${reason}`);
    this.#events?.closed(this, reason);
  }

  #readAnswer(frame: InboundFrame): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    if ((frame.header.flags & FLAG_HANDSHAKE) === 0) {
      this.#failHandshake('foreignProtocol', 'the first frame is not a handshake');
      return;
    }
    try {
      const answer = readHelloAnswer(frame.message);
      this.#waiting = null;
      waiting.stopTimer();
      this.#peerFrameBytesMax = answer.frameBytesMax;
      waiting.resolve(answer);
    } catch (error) {
      this.#failHandshake('foreignProtocol', messageOf(error));
    }
  }

  #failHandshake(failure: Parameters<typeof handshakeRefused>[0], reason: string): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    this.#waiting = null;
    waiting.stopTimer();
    waiting.reject(handshakeRefused(failure, `handshake with [${showHostPort(this.#address)}] failed: ${reason}`));
    this.frames.destroy(reason);
  }

  #takeReading(): number {
    const bytes = this.#readingBytes;
    this.#readingBytes = 0;
    return bytes;
  }
}
