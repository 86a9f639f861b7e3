/**
 * Pipelines of one process that send events to each other, by address.
 */

import type { LogEvent } from '@shoal/agent-event';
import type { EventSink } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';

/** Lives in the main thread, where inputs do. */
export class ProcessBus {
  readonly #listeners = new Map<string, EventSink>();
  readonly #waiting = new Map<string, (() => void)[]>();

  listen(address: string, sink: EventSink): () => void {
    if (this.#listeners.has(address)) {
      throw new ShoalError('illegal_argument_exception', 400, `two pipelines listen on the address [${address}]`);
    }
    this.#listeners.set(address, sink);
    const waiting = this.#waiting.get(address) ?? [];
    this.#waiting.delete(address);
    for (const wake of waiting) wake();
    return () => {
      if (this.#listeners.get(address) === sink) this.#listeners.delete(address);
    };
  }

  /** A listener that closes meanwhile is waited for again: its pipeline may be reloading. */
  async send(address: string, events: readonly LogEvent[], ensureDelivery: boolean): Promise<void> {
    for (;;) {
      const sink = this.#listeners.get(address);
      if (sink === undefined && !ensureDelivery) return;
      if (sink !== undefined && (await pushed(sink, events, ensureDelivery))) return;
      // One that refuses and still listens has failed: to ask it again at once would never let anything else run.
      const now = this.#listeners.get(address);
      if (now === undefined || now === sink) await this.#listening(address);
    }
  }

  #listening(address: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(address, [...(this.#waiting.get(address) ?? []), resolve]);
    });
  }
}

async function pushed(sink: EventSink, events: readonly LogEvent[], ensureDelivery: boolean): Promise<boolean> {
  try {
    await sink.push(events);
    return true;
  } catch (error) {
    if (!ensureDelivery) throw error;
    return false; // The pipeline stops taking: the next one on this address gets them.
  }
}
