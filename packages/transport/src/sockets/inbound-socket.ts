/**
 * A socket that another node opened: handshake, then requests that are dispatched and answered on this socket.
 *
 * Whatever arrives, the worst that happens is that this socket is closed and a line is logged.
 */
import {
  assert,
  CancelSource,
  isShoalError,
  malformedMessage,
  messageOf,
  rejectedExecution,
  type ShoalError,
  toWireError,
} from '@shoal/core';
import type { Socket } from '@shoal/runtime';
import type { Channel } from '../channel/transport.ts';
import { actionNotFound } from '../channel/transport-errors.ts';
import {
  EMPTY_META,
  FLAG_CANCEL,
  FLAG_ERROR,
  FLAG_HANDSHAKE,
  FLAG_PING,
  FLAG_PONG,
  FLAG_REQUEST,
  FrameError,
  type FrameHeader,
  type FrameMeta,
  PROTOCOL_REVISION,
} from '../frames/frame.ts';
import type { InboundFrame } from '../frames/frame-decoder.ts';
import { refusedAction } from './allowed-actions.ts';
import { FrameSocket, type FrameSocketOwner } from './frame-socket.ts';
import {
  checkHello,
  type HandshakeRefusal,
  type Hello,
  MINIMUM_NODE_VERSION,
  readHello,
  writeHelloAnswer,
} from './handshake.ts';
import type { DispatchResult, RequestDispatcher } from './request-dispatch.ts';
import type { TransportContext } from './transport-context.ts';

export interface InboundSocketEvents {
  /** The handshake is done: the socket now belongs to the logical connection that `hello` names. */
  opened(socket: InboundSocket, hello: Hello): void;
  /** The handshake named a node that may not connect; the socket ends with that answer. */
  refused(hello: Hello, refusal: HandshakeRefusal): void;
  closed(socket: InboundSocket): void;
}

const NOT_HTTP: Uint8Array = new TextEncoder().encode('This is not an HTTP port');
/** Channels whose frames are small, rare and must be read whatever the memory looks like. */
const UNCOUNTED: ReadonlySet<Channel> = new Set<Channel>(['ping', 'state']);
/** Channels that are not read while the breaker is nearly full; their senders can wait. */
const PAUSABLE: ReadonlySet<Channel> = new Set<Channel>(['bulk', 'recovery']);

interface RunningRequest {
  readonly cancel: CancelSource;
  readonly reservedBytes: number;
}

export class InboundSocket implements FrameSocketOwner {
  readonly #context: TransportContext;
  readonly #dispatcher: RequestDispatcher;
  readonly #events: InboundSocketEvents;
  readonly #frames: FrameSocket;
  readonly #running = new Map<number, RunningRequest>();
  readonly #cancelDeadline: () => void;
  #hello: Hello | null = null;
  /** Reserved for the frame being read, until it is complete. */
  #readingBytes = 0;
  /** The answer to the frame being skipped, with the numbers of the moment it was refused. */
  #notAdmitted: ShoalError | null = null;

  constructor(socket: Socket, context: TransportContext, dispatcher: RequestDispatcher, events: InboundSocketEvents) {
    this.#context = context;
    this.#dispatcher = dispatcher;
    this.#events = events;
    this.#frames = new FrameSocket(socket, context, this);
    this.#cancelDeadline = context.runtime.sched.after(context.settings.handshakeTimeoutMs, () =>
      this.#frames.destroy('no handshake in time'),
    );
  }

  /** Identity that the handshake gave; null before it. */
  get hello(): Hello | null {
    return this.#hello;
  }

  destroy(reason: string): void {
    this.#frames.destroy(reason);
  }

  admit(_header: FrameHeader, meta: FrameMeta, bytes: number): boolean {
    const hello = this.#hello;
    if (hello === null || UNCOUNTED.has(hello.channel)) return true;
    const { inflight } = this.#context;
    if (!inflight.tryReserve(bytes)) {
      this.#notAdmitted = inflight.refusal(meta.action ?? 'unknown', bytes);
      return false;
    }
    this.#readingBytes = bytes;
    return true;
  }

  frame(frame: InboundFrame): void {
    const reservedBytes = this.#readingBytes;
    this.#readingBytes = 0;
    const { flags, requestId } = frame.header;
    if (this.#hello === null) {
      this.#shakeHands(frame);
    } else if ((flags & FLAG_HANDSHAKE) !== 0) {
      this.broken(new FrameError('handshake', 'a second handshake on one socket'));
    } else if ((flags & FLAG_REQUEST) !== 0) {
      this.#startRequest(frame, this.#hello, reservedBytes);
      this.#pauseWhenCrowded(this.#hello);
      return;
    } else if ((flags & FLAG_PING) !== 0) {
      this.#frames.pong(requestId);
      this.#pauseWhenSaturated();
    } else if ((flags & FLAG_CANCEL) !== 0) {
      this.#running.get(requestId)?.cancel.cancel('cancelled by the sender');
    } else if ((flags & FLAG_PONG) === 0) {
      this.#context.log.debug('response without a request dropped', { requestId });
    }
    if (reservedBytes > 0) this.#context.inflight.release(reservedBytes);
  }

  skipped(header: FrameHeader, meta: FrameMeta): void {
    if ((header.flags & FLAG_REQUEST) === 0) return;
    const action = meta.action ?? 'unknown';
    this.#context.log.debug('transport request refused, memory for requests is used up', { action });
    this.#sendError(header.requestId, this.#notAdmitted ?? this.#context.inflight.refusal(action, header.lengthBytes));
  }

  unreadable(header: FrameHeader, meta: FrameMeta, reason: string): void {
    this.#releaseReading();
    if (this.#hello === null) {
      this.broken(new FrameError('handshake', `handshake cannot be read: ${reason}`));
      return;
    }
    if ((header.flags & FLAG_REQUEST) === 0) return;
    const action = meta.action ?? 'unknown';
    this.#sendError(header.requestId, malformedMessage(`message of action [${action}] cannot be read: ${reason}`));
  }

  writable(): void {
    this.#frames.resume('responses');
  }

  broken(error: FrameError): void {
    this.#context.counters.refusedSockets++;
    const fields = { remote: this.#frames.remote, kind: error.kind };
    this.#context.log.warn(`closing transport socket: ${error.message}`, fields);
    if (error.kind === 'http') {
      this.#frames.endWith(NOT_HTTP, error.message);
    } else if (error.kind === 'revision' && this.#hello === null) {
      this.#answerHello(null, { failure: 'revision', reason: error.message });
      this.#frames.endWith(null, error.message);
    } else {
      this.#frames.destroy(error.message);
    }
  }

  closed(reason: string): void {
    this.#cancelDeadline();
    this.#releaseReading();
    for (const request of this.#running.values()) request.cancel.cancel(`connection closed: ${reason}`);
    this.#events.closed(this);
  }

  #shakeHands(frame: InboundFrame): void {
    const wanted = FLAG_HANDSHAKE | FLAG_REQUEST;
    if ((frame.header.flags & wanted) !== wanted) {
      this.broken(new FrameError('handshake', 'the first frame is not a handshake'));
      return;
    }
    let hello: Hello;
    try {
      hello = readHello(frame.message);
    } catch (error) {
      const reason = messageOf(error);
      this.broken(new FrameError('handshake', `handshake cannot be read: ${reason}`));
      return;
    }
    const refusal = checkHello(this.#context.identity, hello);
    this.#answerHello(frame.header.requestId, refusal);
    if (refusal !== null) {
      this.#context.counters.refusedSockets++;
      this.#context.log.warn(`closing transport socket: ${refusal.reason}`, { remote: this.#frames.remote });
      this.#frames.endWith(null, refusal.reason);
      this.#events.refused(hello, refusal);
      return;
    }
    this.#cancelDeadline();
    this.#hello = hello;
    this.#frames.open(hello.channel, hello.frameBytesMax);
    this.#events.opened(this, hello);
  }

  #answerHello(requestId: number | null, refusal: ReturnType<typeof checkHello>): void {
    const message = writeHelloAnswer({
      revision: PROTOCOL_REVISION,
      minimumVersion: MINIMUM_NODE_VERSION,
      identity: this.#context.identity,
      frameBytesMax: this.#context.settings.frameBytesMax,
      refusal,
    });
    this.#frames.send({ flags: FLAG_HANDSHAKE, requestId: requestId ?? 0, meta: EMPTY_META, body: { message } });
  }

  #startRequest(frame: InboundFrame, hello: Hello, reservedBytes: number): void {
    const { requestId } = frame.header;
    const release = (): void => {
      if (reservedBytes > 0) this.#context.inflight.release(reservedBytes);
    };
    if (this.#running.has(requestId)) {
      release();
      this.broken(new FrameError('damaged', `request id [${requestId}] is in use on this socket`));
      return;
    }
    const action = frame.meta.action;
    if (action === null || this.#running.size >= this.#context.settings.runningRequestsMax) {
      release();
      const tooMany = `rejected execution of [${action}]: [${this.#running.size}] requests of one socket are running`;
      this.#sendError(requestId, action === null ? actionNotFound('') : rejectedExecution(tooMany));
      return;
    }
    const refusal = refusedAction(hello, action);
    if (refusal !== null) {
      release();
      this.#sendError(requestId, refusal);
      return;
    }
    const cancel = new CancelSource();
    this.#running.set(requestId, { cancel, reservedBytes });
    this.#context.counters.runningRequests++;
    const { timeoutMs, parentTask, headers } = frame.meta;
    const request = { action, timeoutMs, parentTask, headers, from: hello.identity, signal: cancel.flag };
    const { message, sections } = frame;
    void this.#dispatcher.dispatch({ ...request, message, sections }).then((result) => this.#finish(requestId, result));
  }

  #finish(requestId: number, result: DispatchResult): void {
    const request = this.#running.get(requestId);
    assert(request !== undefined, `request ${requestId} finished without running`);
    this.#running.delete(requestId);
    this.#context.counters.runningRequests--;
    if (result.kind === 'error') this.#sendError(requestId, result.error);
    else this.#sendAnswer(requestId, result);
    if (request.reservedBytes > 0) this.#context.inflight.release(request.reservedBytes);
  }

  #sendAnswer(requestId: number, result: DispatchResult & { readonly kind: 'answer' }): void {
    try {
      this.#frames.send({ flags: 0, requestId, meta: EMPTY_META, body: result.body });
      this.#pauseWhenSaturated();
    } catch (error) {
      // Too long, or a value without a form on the wire: the asker must not wait for its timeout.
      const reason = messageOf(error);
      const own = malformedMessage(`the answer cannot be sent: ${reason}`);
      this.#sendError(requestId, isShoalError(error) ? error : own);
    }
  }

  #sendError(requestId: number, error: ShoalError): void {
    const message = toWireError(error);
    this.#frames.send({ flags: FLAG_ERROR, requestId, meta: EMPTY_META, body: { message } }, 'urgent');
    this.#pauseWhenSaturated();
  }

  /**
   * Only between frames: a half-read frame has its memory already and must be able to finish, or sockets that wait for
   * each other's memory would wait for ever.
   */
  #pauseWhenCrowded(hello: Hello): void {
    const { inflight } = this.#context;
    if (!PAUSABLE.has(hello.channel) || !inflight.isCrowded) return;
    this.#frames.pause('memory');
    inflight.whenRelieved(() => this.#frames.resume('memory'));
  }

  /** A peer that does not read its answers gets no further requests read. */
  #pauseWhenSaturated(): void {
    if (this.#frames.isSaturated) this.#frames.pause('responses');
  }

  #releaseReading(): void {
    if (this.#readingBytes > 0) this.#context.inflight.release(this.#readingBytes);
    this.#readingBytes = 0;
  }
}
