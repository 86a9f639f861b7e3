/**
 * Turns of inputs whose sources send more at once than the thread should do in one go: the thread also answers the API and
 * serves all other inputs. Of all that have more to do one goes on in each turn of the event loop, for a few milliseconds.
 */
import { type Clock, type Scheduler, ThreadTurns } from '@shoal/runtime';

/** Longest work between two turns, but for the one step that passes it. */
const SLICE_MS = 5;

const TURNS = new WeakMap<Clock, ThreadTurns>();

export class InputTurns {
  private readonly clock: Clock;
  private readonly turns: ThreadTurns;
  private endMs = 0;

  /** Inputs of one process take turns with each other. */
  constructor({ clock, sched }: { readonly clock: Clock; readonly sched: Scheduler }) {
    this.clock = clock;
    this.turns = TURNS.get(clock) ?? new ThreadTurns(sched);
    TURNS.set(clock, this.turns);
  }

  /** Work begins, or goes on in a turn of its own. */
  begin(): void {
    this.endMs = this.clock.monotonicMs() + SLICE_MS;
  }

  /** Whether others should have their turn. */
  get isOver(): boolean {
    return this.clock.monotonicMs() >= this.endMs;
  }

  /** Resolves when it is the caller's turn again. */
  async next(): Promise<void> {
    await this.turns.next();
    this.begin();
  }
}
