/**
 * The connection of a node to itself: same interface and rules, no socket. Requests go to the node's own handlers in a
 * later turn; messages and sections are handed over as they are, so neither side may change them afterwards.
 */
import { type CancelFlag, CancelSource, NumberedEntries } from '@shoal/core';
import type { Cancel } from '@shoal/runtime';
import type { NodeIdentity } from '../channel/node-identity.ts';
import type { Connection, InboundResponse, SendOptions, WireBody } from '../channel/transport.ts';
import { nodeDisconnected, nodeNotConnected, receiveTimeout, taskCancelled } from '../channel/transport-errors.ts';
import type { DispatchResult, RequestDispatcher } from '../sockets/request-dispatch.ts';
import type { TransportContext } from '../sockets/transport-context.ts';

export class LocalConnection implements Connection {
  readonly node: NodeIdentity;
  readonly closed: Promise<string>;
  readonly #context: TransportContext;
  readonly #dispatcher: RequestDispatcher;
  /** Functions that end the requests which wait for an answer, by number. */
  readonly #running = new NumberedEntries<(reason: string) => void>();
  #resolveClosed: (reason: string) => void = () => undefined;
  #isClosed = false;
  #lastId = 0;

  constructor(context: TransportContext, dispatcher: RequestDispatcher) {
    this.#context = context;
    this.#dispatcher = dispatcher;
    this.node = context.identity;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const disconnect of this.#running.sortedValues()) disconnect(reason);
    this.#resolveClosed(reason);
  }

  async request(action: string, body: WireBody, options: SendOptions): Promise<InboundResponse> {
    if (this.#isClosed) throw nodeNotConnected(this.node);
    if (options.signal?.cancelled) throw taskCancelled(options.signal.reason);
    const id = ++this.#lastId;
    const { sched } = this.#context.runtime;
    const cancel = new CancelSource();
    return new Promise<InboundResponse>((resolve, reject) => {
      let stopTimer: Cancel = () => undefined;
      const end = (finish: () => void): void => {
        stopTimer();
        if (this.#running.delete(id)) finish();
      };
      const disconnect = (reason: string): void => {
        cancel.cancel(`connection closed: ${reason}`);
        end(() => reject(nodeDisconnected(this.node, action)));
      };
      this.#running.set(id, disconnect);
      const { timeoutMs } = options;
      if (timeoutMs !== null) {
        const late = (): void => reject(receiveTimeout(this.node, { action, id, afterMs: timeoutMs }));
        stopTimer = sched.after(timeoutMs, () => end(late));
      }
      options.signal?.onCancel(() => {
        cancel.cancel('cancelled by the sender');
        end(() => reject(taskCancelled(options.signal?.reason ?? null)));
      });
      const finish = (result: DispatchResult): void =>
        end(() => {
          if (result.kind === 'error') reject(result.error);
          else resolve({ message: result.body.message, sections: result.body.sections ?? [] });
        });
      sched.soon(() => {
        if (!this.#running.has(id)) return;
        void this.#dispatcher.dispatch(inbound(this.node, action, body, options, cancel.flag)).then(finish);
      });
    });
  }
}

function inbound(
  from: NodeIdentity,
  action: string,
  body: WireBody,
  options: SendOptions,
  signal: CancelFlag,
): Parameters<RequestDispatcher['dispatch']>[0] {
  return {
    from,
    action,
    message: body.message,
    sections: body.sections ?? [],
    timeoutMs: options.timeoutMs,
    parentTask: options.parentTask ?? null,
    headers: options.headers ?? {},
    signal,
  };
}
