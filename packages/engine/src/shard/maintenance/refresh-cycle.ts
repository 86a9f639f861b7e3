/**
 * When writes become visible to searches: at most `index.refresh_interval` later, or at the next search of an idle shard.
 *
 * Elasticsearch's rule: a shard whose index sets no interval and that nobody searched for `index.search.idle.after` is not
 * refreshed by the clock, since nobody looks; the first search then refreshes before it answers.
 *
 * The clock comes seldom to a shard that nobody writes to, and as often as ever from its next change on.
 */
import type { Cancel, Clock, Scheduler } from '@shoal/runtime';
import type { TypedIndexSettings } from '@shoal/schema';

const INTERVAL_MS_DEFAULT = 1_000;
/** Turns of the clock in a row without changes, after which the shard is quiet: merges that the last refresh called for have begun long before. */
const QUIET_TURNS = 30;
/** Turns of a shard that was just opened and is not written to: it has begun all merges that its segments call for, and a node may open thousands. */
const OPENING_TURNS = 2;
/** Between two turns of a quiet shard: a node may have thousands of them. */
const QUIET_INTERVAL_MS = 30_000;
/** More waiters than this refresh at once instead of piling up. */
const WAITERS_MAX = 1_000;

/** What was written and searches do not see yet. */
interface WriterChanges {
  readonly hasChanges: boolean;
  /** Called when there begin to be some. */
  onChanges: () => void;
}

export interface RefreshCycleOptions {
  readonly clock: Clock;
  readonly sched: Scheduler;
  /** Every search shows what was written before it: each refreshes first, and nobody waits for the clock. */
  readonly refreshesBeforeSearch: boolean;
  readonly writer: WriterChanges;
  /** null when it is done already. A failure ends the thread: what was being written is in no known state. */
  readonly refresh: () => Promise<void> | null;
  /** After each turn of the clock, refreshed or not. */
  readonly afterTurn: () => void;
}

export class RefreshCycle {
  private readonly options: RefreshCycleOptions;
  private settings: TypedIndexSettings;
  private lastSearchMs: number;
  private waiters: (() => void)[] = [];
  private cancel: Cancel | null = null;
  /** Turns since there were changes. */
  private unchangedTurns: number = QUIET_TURNS - OPENING_TURNS;
  private isStopped = false;

  constructor(options: RefreshCycleOptions, settings: TypedIndexSettings) {
    this.options = options;
    this.settings = settings;
    this.lastSearchMs = options.clock.monotonicMs();
    options.writer.onChanges = () => this.changed();
    this.schedule();
  }

  /** Requests that wait for the next refresh. */
  get waiting(): number {
    return this.waiters.length;
  }

  updateSettings(settings: TypedIndexSettings): void {
    this.settings = settings;
    this.turnSoon();
  }

  private changed(): void {
    if (this.isQuiet()) this.turnSoon();
  }

  private turnSoon(): void {
    this.unchangedTurns = 0;
    this.cancel?.();
    this.schedule();
  }

  private isQuiet(): boolean {
    return this.unchangedTurns >= QUIET_TURNS;
  }

  /** Before each search: an idle shard shows first what it has not shown yet. null: nothing to wait for. */
  beforeSearch(): Promise<void> | null {
    const isIdle = this.options.refreshesBeforeSearch || this.isIdle();
    this.lastSearchMs = this.options.clock.monotonicMs();
    return isIdle && this.options.writer.hasChanges ? this.options.refresh() : null;
  }

  /** Resolves when everything written so far is visible. */
  waitForRefresh(): Promise<void> {
    if (this.isStopped || !this.options.writer.hasChanges) return Promise.resolve();
    if (this.options.refreshesBeforeSearch) return this.options.refresh() ?? Promise.resolve();
    const done = new Promise<void>((resolve) => {
      this.waiters.push(resolve);
    });
    if (this.waiters.length >= WAITERS_MAX) void this.options.refresh();
    return done;
  }

  /** Everything written is visible now. */
  refreshed(): void {
    const waiting = this.waiters;
    this.waiters = [];
    for (const resolve of waiting) resolve();
  }

  stop(): void {
    this.isStopped = true;
    this.cancel?.();
    this.refreshed();
  }

  private isIdle(): boolean {
    const { refreshIntervalMs, searchIdleAfterMs } = this.settings;
    return refreshIntervalMs === null && this.options.clock.monotonicMs() - this.lastSearchMs >= searchIdleAfterMs;
  }

  private schedule(): void {
    if (this.isStopped) return;
    const { refreshIntervalMs } = this.settings;
    // The clock also drives merges and flushes, so that it runs without refreshes too.
    const intervalMs = refreshIntervalMs !== null && refreshIntervalMs > 0 ? refreshIntervalMs : INTERVAL_MS_DEFAULT;
    const everyMs = this.isQuiet() ? Math.max(intervalMs, QUIET_INTERVAL_MS) : intervalMs;
    this.cancel = this.options.sched.after(everyMs, () => {
      const isWanted = refreshIntervalMs !== -1 && (!this.isIdle() || this.waiters.length > 0);
      const hasChanges = this.options.writer.hasChanges;
      this.unchangedTurns = hasChanges ? 0 : this.unchangedTurns + 1;
      if (isWanted && hasChanges) void this.options.refresh();
      this.options.afterTurn();
      this.schedule();
    });
  }
}
