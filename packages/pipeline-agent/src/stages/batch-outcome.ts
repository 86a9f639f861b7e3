/**
 * Outcome of one batch in a worker: every event that came in or was created is counted exactly once.
 */
import type { LogEvent } from '@shoal/agent-event';

export class BatchOutcome {
  taken = 0;
  created = 0;
  filtered = 0;
  out = 0;
  deadLettered = 0;
  /** Time in the outputs, where all of them join batches. */
  joinedMs = 0;
  readonly #dropped = new Map<string, number>();
  /** Events that an output gave to the dead letter queue: they are not counted as out. */
  readonly #deadLetters = new Set<LogEvent>();
  readonly #lost = new Map<LogEvent, string>();

  drop(pluginId: string, count = 1): void {
    this.#dropped.set(pluginId, (this.#dropped.get(pluginId) ?? 0) + count);
  }

  /** In the outputs an event may be given up more than once: it counts once. */
  isGivenUp(event: LogEvent): boolean {
    return this.#deadLetters.has(event) || this.#lost.has(event);
  }

  markDeadLetter(event: LogEvent): void {
    this.#deadLetters.add(event);
  }

  markLost(event: LogEvent, pluginId: string): void {
    if (!this.#lost.has(event)) this.#lost.set(event, pluginId);
  }

  /** What became of the events that reached the outputs. */
  settleOutputs(events: readonly LogEvent[]): void {
    if (this.#deadLetters.size === 0 && this.#lost.size === 0) {
      this.out += events.length;
      return;
    }
    for (const event of events) {
      const lostBy = this.#lost.get(event);
      if (this.#deadLetters.has(event)) this.deadLettered++;
      else if (lostBy !== undefined) this.drop(lostBy);
      else this.out++;
    }
  }

  get dropped(): readonly (readonly [string, number])[] {
    return [...this.#dropped];
  }
}
