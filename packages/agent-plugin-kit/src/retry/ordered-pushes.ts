/**
 * One source's way into the queue: pushes one after the other, in order, and tells the source when to hold.
 *
 * A socket goes on giving data while a push waits, so that what it gave must stand in line; it is paused as long as
 * anything does, which is the back-pressure.
 */
import type { LogEvent } from '@shoal/agent-event';
import type { EventSink } from '../contract/plugin-definition.ts';
import { InputTurns, type TurnsOwner } from './input-turns.ts';

export class OrderedPushes {
  private readonly sink: Pick<EventSink, 'push' | 'failed'>;
  private readonly turns: InputTurns;
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;
  private readonly hold: (isHeld: boolean) => void;

  constructor(
    sink: Pick<EventSink, 'push' | 'failed'>,
    owner: TurnsOwner,
    hold: (isHeld: boolean) => void = () => undefined,
  ) {
    this.sink = sink;
    this.turns = new InputTurns(owner);
    this.hold = hold;
  }

  push(events: readonly LogEvent[]): Promise<void> {
    return events.length === 0 ? this.last : this.inLine(() => this.sink.push(events));
  }

  /** The same for sources that nobody can tell of a failure, which the sink itself learns of: never rejects. */
  async offer(events: readonly LogEvent[]): Promise<void> {
    await this.push(events).catch(() => undefined);
  }

  /** Makes the events when what came before is in the queue and it is this source's turn: decoding is work too. */
  async offerMade(make: () => readonly LogEvent[]): Promise<void> {
    await this.inLine(async () => {
      if (this.turns.isOver) await this.turns.next();
      const events = this.made(make);
      if (events.length > 0) await this.sink.push(events);
    }).catch(() => undefined);
  }

  /** Resolves when everything given so far is in the queue. */
  settled(): Promise<void> {
    return this.last.catch(() => undefined);
  }

  private made(make: () => readonly LogEvent[]): readonly LogEvent[] {
    try {
      return this.turns.timed(make);
    } catch (error) {
      this.sink.failed?.(error);
      throw error;
    }
  }

  private inLine(push: () => Promise<void>): Promise<void> {
    if (this.waiting++ === 0) this.hold(true);
    this.last = this.last.then(push).finally(() => {
      if (--this.waiting === 0) this.hold(false);
    });
    // Whoever awaits sees the failure too; without this line one that nobody awaits would end the process.
    this.last.catch(() => undefined);
    return this.last;
  }
}
