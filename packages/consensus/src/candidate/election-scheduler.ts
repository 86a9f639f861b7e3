/**
 * Times of the attempts to be elected: random delays that grow, so that two candidates seldom collide twice.
 */
import type { CoordinationSettings } from '../effects/coordination-settings.ts';
import type { Outbox } from '../effects/outbox.ts';

const ELECTION_TIMER = 'election';

export class ElectionScheduler<V> {
  private readonly outbox: Outbox<V>;
  private readonly settings: () => CoordinationSettings;
  private readonly due: () => void;
  private attempts = 0;
  private running = false;

  constructor(outbox: Outbox<V>, settings: () => CoordinationSettings, due: () => void) {
    this.outbox = outbox;
    this.settings = settings;
    this.due = due;
  }

  /**
   * Does nothing while it runs: the attempts so far keep counting.
   *
   * @param isUncontested nobody is elected without this node's vote: its first attempt collides with no other, and waits for nothing
   */
  start(isUncontested: boolean): void {
    if (this.running) return;
    this.running = true;
    this.attempts = 0;
    if (isUncontested) this.outbox.schedule(ELECTION_TIMER, 0, () => this.attempt());
    else this.scheduleNext();
  }

  stop(): void {
    this.running = false;
    this.outbox.cancel(ELECTION_TIMER);
  }

  private scheduleNext(): void {
    const { electionInitialMs, electionBackOffMs, electionMaxMs, electionDurationMs } = this.settings();
    const maxMs = Math.min(electionInitialMs + this.attempts * electionBackOffMs, electionMaxMs);
    // Later attempts leave the last one the time an election takes.
    const plusMs = this.attempts === 0 ? 0 : electionDurationMs;
    this.attempts += 1;
    this.outbox.scheduleRandom(ELECTION_TIMER, { maxMs, plusMs }, () => this.attempt());
  }

  private attempt(): void {
    this.scheduleNext();
    this.due();
  }
}
