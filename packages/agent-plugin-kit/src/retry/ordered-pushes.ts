/**
 * One source's way into the queue: pushes one after the other, in order, and tells the source when to hold.
 *
 * A socket goes on giving data while a push waits, so that what it gave must stand in line; it is paused as long as
 * anything does, which is the back-pressure.
 */
import type { LogEvent } from '@shoal/agent-event';
import type { EventSink } from '../contract/plugin-definition.ts';

export class OrderedPushes {
  private readonly sink: EventSink;
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;
  private readonly hold: (isHeld: boolean) => void;

  constructor(sink: EventSink, hold: (isHeld: boolean) => void = () => undefined) {
    this.sink = sink;
    this.hold = hold;
  }

  push(events: readonly LogEvent[]): Promise<void> {
    if (events.length === 0) return this.last;
    if (this.waiting++ === 0) this.hold(true);
    this.last = this.last
      .then(() => this.sink.push(events))
      .finally(() => {
        if (--this.waiting === 0) this.hold(false);
      });
    // Whoever awaits sees the failure too; without this line one that nobody awaits would end the process.
    this.last.catch(() => undefined);
    return this.last;
  }

  /** The same for sources that nobody can tell of a failure, which the sink itself learns of: never rejects. */
  async offer(events: readonly LogEvent[]): Promise<void> {
    await this.push(events).catch(() => undefined);
  }

  /** Resolves when everything given so far is in the queue. */
  settled(): Promise<void> {
    return this.last.catch(() => undefined);
  }
}
