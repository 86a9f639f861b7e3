/**
 * The logical connection to another node: all its sockets, the requests that wait on them, and one end for all.
 *
 * When one socket dies all are closed, every waiting request fails at once, and the owner hears of it once.
 */
import {
  assert,
  circuitBreaking,
  fromWireError,
  isShoalError,
  malformedMessage,
  messageOf,
  rejectedExecution,
} from '@shoal/core';
import type { NodeIdentity } from '../channel/node-identity.ts';
import type { Channel, Connection, InboundResponse, SendOptions, WireBody } from '../channel/transport.ts';
import { nodeNotConnected, taskCancelled } from '../channel/transport-errors.ts';
import { EMPTY_META, FLAG_CANCEL, FLAG_ERROR, FLAG_REQUEST, HEADERS_MAX } from '../frames/frame.ts';
import type { InboundFrame } from '../frames/frame-decoder.ts';
import type { OutboundSocket, OutboundSocketEvents } from '../sockets/outbound-socket.ts';
import type { TransportContext } from '../sockets/transport-context.ts';
import { PendingRequests } from './pending-requests.ts';

/** Requests that wait for one socket to take bytes again. */
const WAITING_MAX = 1_000;

export class OutboundConnection implements Connection {
  readonly node: NodeIdentity;
  readonly closed: Promise<string>;
  readonly #context: TransportContext;
  readonly #onClosed: (connection: OutboundConnection, reason: string) => void;
  readonly #sockets = new Map<Channel, OutboundSocket[]>();
  readonly #pending: PendingRequests;
  /** Per socket, requests that were not sent because it is saturated. */
  readonly #waiting = new Map<OutboundSocket, (() => void)[]>();
  readonly #resolveClosed: (reason: string) => void;
  #turn = 0;
  #isClosed = false;

  constructor(
    context: TransportContext,
    node: NodeIdentity,
    sockets: readonly OutboundSocket[],
    onClosed: (connection: OutboundConnection, reason: string) => void,
  ) {
    this.#context = context;
    this.#onClosed = onClosed;
    this.node = node;
    this.#pending = new PendingRequests(context.runtime.sched);
    let resolveClosed: (reason: string) => void = () => undefined;
    this.closed = new Promise((resolve) => {
      resolveClosed = resolve;
    });
    this.#resolveClosed = resolveClosed;
    for (const socket of sockets) {
      const same = this.#sockets.get(socket.channel) ?? [];
      this.#sockets.set(socket.channel, [...same, socket]);
      this.#waiting.set(socket, []);
    }
    assert(this.#sockets.has('reg'), 'a connection without a reg socket');
    for (const socket of sockets) socket.open(this.#socketEvents());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(reason: string): void {
    this.#end(reason);
  }

  async request(action: string, body: WireBody, options: SendOptions): Promise<InboundResponse> {
    if (this.#isClosed) throw nodeNotConnected(this.node);
    if (options.signal?.cancelled) throw taskCancelled(options.signal.reason);
    const headerCount = Object.keys(options.headers ?? {}).length;
    assert(headerCount <= HEADERS_MAX, `${headerCount} headers on [${action}], at most ${HEADERS_MAX} are read`);
    const socket = this.#pick(options.channel);
    const waiting = this.#waiting.get(socket) ?? [];
    if (waiting.length >= WAITING_MAX) {
      throw rejectedExecution(
        `rejected execution of [${action}]: [${WAITING_MAX}] requests wait for [${this.node.name}]`,
      );
    }
    const { id, response } = this.#pending.add({
      action,
      node: this.node,
      socket: socket.frames,
      options,
      onCancelled: (cancelled) => this.#sendCancel(socket, cancelled),
    });
    this.#context.counters.pendingRequests++;
    const send = (): void => this.#send(socket, id, action, body, options);
    if (waiting.length > 0 || socket.frames.isSaturated) waiting.push(send);
    else send();
    try {
      return await response;
    } finally {
      this.#context.counters.pendingRequests--;
    }
  }

  #answer(socket: OutboundSocket, frame: InboundFrame, bytes: number): void {
    // The answer now belongs to the asker, who counts it where it keeps it.
    this.#context.inflight.release(bytes);
    const pending = this.#pending.take(frame.header.requestId, socket.frames);
    if (pending === null) {
      this.#context.log.debug('late answer dropped', { node: this.node.name, requestId: frame.header.requestId });
      return;
    }
    const isError = (frame.header.flags & FLAG_ERROR) !== 0;
    if (isError) pending.reject(fromWireError(frame.message));
    else pending.resolve({ message: frame.message, sections: frame.sections });
  }

  #lostAnswer(socket: OutboundSocket, requestId: number, reason: string, bytes: number): void {
    this.#context.inflight.release(bytes);
    const pending = this.#pending.take(requestId, socket.frames);
    if (pending === null) return;
    const { inflight } = this.#context;
    pending.reject(
      reason === 'memory'
        ? circuitBreaking(`[inflight_requests] Data too large, answer to [${pending.action}] does not fit`, {
            wanted: inflight.usedBytes,
            limit: inflight.limitBytes,
          })
        : malformedMessage(`answer to action [${pending.action}] cannot be read: ${reason}`),
    );
  }

  #writable(socket: OutboundSocket): void {
    const waiting = this.#waiting.get(socket) ?? [];
    while (waiting.length > 0 && !socket.frames.isSaturated) waiting.shift()?.();
  }

  #socketEvents(): OutboundSocketEvents {
    return {
      admitAnswer: (bytes) => this.#context.inflight.tryReserve(bytes),
      answer: (socket, frame, bytes) => this.#answer(socket, frame, bytes),
      lostAnswer: (socket, requestId, reason, bytes) => this.#lostAnswer(socket, requestId, reason, bytes),
      writable: (socket) => this.#writable(socket),
      closed: (_socket, reason) => this.#end(reason),
    };
  }

  #pick(channel: Channel): OutboundSocket {
    const sockets = this.#sockets.get(channel) ?? this.#sockets.get('reg') ?? [];
    const socket = sockets[this.#turn++ % sockets.length];
    assert(socket !== undefined, `no socket for channel ${channel}`);
    return socket;
  }

  #send(socket: OutboundSocket, id: number, action: string, body: WireBody, options: SendOptions): void {
    // It may have timed out or been cancelled while it waited for the socket.
    if (!this.#pending.has(id)) return;
    const meta = {
      action,
      // Whole milliseconds on the wire; what is left of a deadline is often a fraction, or already gone.
      timeoutMs: options.timeoutMs === null ? null : Math.max(0, Math.ceil(options.timeoutMs)),
      parentTask: options.parentTask ?? null,
      headers: options.headers ?? {},
      rawBytes: null,
    };
    try {
      socket.frames.send({ flags: FLAG_REQUEST, requestId: id, meta, body });
    } catch (error) {
      const reason = messageOf(error);
      const own = malformedMessage(`request [${action}] cannot be sent: ${reason}`);
      this.#pending.fail(id, isShoalError(error) ? error : own);
    }
  }

  #sendCancel(socket: OutboundSocket, id: number): void {
    socket.frames.send({ flags: FLAG_CANCEL, requestId: id, meta: EMPTY_META, body: null }, 'urgent');
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const sockets of this.#sockets.values()) for (const socket of sockets) socket.frames.destroy(reason);
    this.#pending.failAll(this.node);
    this.#resolveClosed(reason);
    this.#onClosed(this, reason);
  }
}
