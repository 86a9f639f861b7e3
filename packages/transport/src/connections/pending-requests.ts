/**
 * Requests of one logical connection that wait for their answer: each ends exactly once, by answer, error, timeout,
 * cancellation or disconnect.
 */
import { assert, NumberedEntries, type ShoalError } from '@shoal/core';
import type { Cancel, Scheduler } from '@shoal/runtime';
import type { NodeIdentity } from '../channel/node-identity.ts';
import type { InboundResponse, SendOptions } from '../channel/transport.ts';
import { nodeDisconnected, receiveTimeout, taskCancelled } from '../channel/transport-errors.ts';
import type { FrameSocket } from '../sockets/frame-socket.ts';

export interface PendingRequest {
  readonly id: number;
  readonly action: string;
  readonly socket: FrameSocket;
  resolve(response: InboundResponse): void;
  reject(error: ShoalError): void;
}

interface Entry extends PendingRequest {
  readonly stopTimer: Cancel | null;
}

export interface NewRequest {
  readonly action: string;
  readonly node: NodeIdentity;
  readonly socket: FrameSocket;
  readonly options: SendOptions;
  /** The sender cancelled: the other side should know. */
  readonly onCancelled: (id: number) => void;
}

export class PendingRequests {
  readonly #sched: Scheduler;
  readonly #entries = new NumberedEntries<Entry>();
  #lastId = 0;

  constructor(sched: Scheduler) {
    this.#sched = sched;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The id, and the promise of the answer. */
  add(request: NewRequest): { readonly id: number; readonly response: Promise<InboundResponse> } {
    const id = ++this.#lastId;
    assert(Number.isSafeInteger(id), 'request ids are used up');
    assert(!this.#entries.has(id), `request id ${id} waits already`);
    const { action, node, socket, options } = request;
    const response = new Promise<InboundResponse>((resolve, reject) => {
      const afterMs = options.timeoutMs;
      const stopTimer =
        afterMs === null
          ? null
          : this.#sched.after(afterMs, () => this.fail(id, receiveTimeout(node, { action, id, afterMs })));
      this.#entries.set(id, { id, action, socket, resolve, reject, stopTimer });
    });
    options.signal?.onCancel(() => {
      if (!this.fail(id, taskCancelled(options.signal?.reason ?? null))) return;
      request.onCancelled(id);
    });
    return { id, response };
  }

  /** Takes the request out when `socket` is the one it was sent on; null for late and foreign answers. */
  take(id: number, socket: FrameSocket): PendingRequest | null {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.socket !== socket) return null;
    entry.stopTimer?.();
    this.#entries.delete(id);
    return entry;
  }

  has(id: number): boolean {
    return this.#entries.has(id);
  }

  /** False when it had ended already. */
  fail(id: number, error: ShoalError): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    entry.stopTimer?.();
    this.#entries.delete(id);
    entry.reject(error);
    return true;
  }

  failAll(node: NodeIdentity): void {
    for (const entry of this.#entries.sortedValues()) this.fail(entry.id, nodeDisconnected(node, entry.action));
  }
}
