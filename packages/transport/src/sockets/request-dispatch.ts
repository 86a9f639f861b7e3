/**
 * Action name → handler, and the rule that nothing a handler does reaches the socket code: its exception is an answer.
 *
 * Broken invariants are the exception to that: the caller is answered, and then the failure goes to the top of the process.
 */
import { asShoalError, assert, isAssertionFailure, isShoalError, type ShoalError } from '@shoal/core';
import type { Log, Scheduler } from '@shoal/runtime';
import type { InboundRequest, RequestHandler, RequestTracker, WireBody } from '../channel/transport.ts';
import { actionNotFound } from '../channel/transport-errors.ts';

export type DispatchResult =
  | { readonly kind: 'answer'; readonly body: WireBody }
  | { readonly kind: 'error'; readonly error: ShoalError };

export class RequestDispatcher {
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #sched: Scheduler;
  readonly #log: Log;
  #tracker: RequestTracker | null = null;

  constructor(sched: Scheduler, log: Log) {
    this.#sched = sched;
    this.#log = log;
  }

  register(action: string, handler: RequestHandler): void {
    assert(!this.#handlers.has(action), `a handler for action [${action}] stands already`);
    this.#handlers.set(action, handler);
  }

  track(tracker: RequestTracker): void {
    assert(this.#tracker === null, 'requests are tracked already');
    this.#tracker = tracker;
  }

  /** Runs the handler of the action; the promise never rejects. */
  async dispatch(request: InboundRequest): Promise<DispatchResult> {
    const handler = this.#handlers.get(request.action);
    if (handler === undefined) return { kind: 'error', error: actionNotFound(request.action) };
    const tracked = this.#tracker?.began(request) ?? null;
    try {
      return { kind: 'answer', body: await handler(tracked?.request ?? request) };
    } catch (error) {
      this.#report(request.action, error);
      return { kind: 'error', error: asShoalError(error) };
    } finally {
      tracked?.ended();
    }
  }

  #report(action: string, error: unknown): void {
    if (isShoalError(error)) return;
    this.#log.error('handler of a transport request failed', { action, error });
    if (!isAssertionFailure(error)) return;
    // Thrown from a turn of its own, so that it is uncaught: the process stops with its state logged.
    this.#sched.soon(() => {
      throw error;
    });
  }
}
