/**
 * When writes become visible to searches: at most `index.refresh_interval` later, or at the next search of an idle shard.
 *
 * Elasticsearch's rule: a shard whose index sets no interval and that nobody searched for `index.search.idle.after` is not
 * refreshed by the clock, since nobody looks; the first search then refreshes before it answers.
 */
import type { Cancel, Clock, Scheduler } from '@shoal/runtime';
import type { TypedIndexSettings } from '@shoal/schema';

const INTERVAL_MS_DEFAULT = 1_000;
/** More waiters than this refresh at once instead of piling up. */
const WAITERS_MAX = 1_000;

export interface RefreshCycleOptions {
  readonly clock: Clock;
  readonly sched: Scheduler;
  /** Every search shows what was written before it: each refreshes first, and nobody waits for the clock. */
  readonly refreshesBeforeSearch: boolean;
  readonly hasChanges: () => boolean;
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
  private isStopped = false;

  constructor(options: RefreshCycleOptions, settings: TypedIndexSettings) {
    this.options = options;
    this.settings = settings;
    this.lastSearchMs = options.clock.monotonicMs();
    this.schedule();
  }

  /** Requests that wait for the next refresh. */
  get waiting(): number {
    return this.waiters.length;
  }

  updateSettings(settings: TypedIndexSettings): void {
    this.settings = settings;
    this.cancel?.();
    this.schedule();
  }

  /** Before each search: an idle shard shows first what it has not shown yet. null: nothing to wait for. */
  beforeSearch(): Promise<void> | null {
    const isIdle = this.options.refreshesBeforeSearch || this.isIdle();
    this.lastSearchMs = this.options.clock.monotonicMs();
    return isIdle && this.options.hasChanges() ? this.options.refresh() : null;
  }

  /** Resolves when everything written so far is visible. */
  waitForRefresh(): Promise<void> {
    if (this.isStopped || !this.options.hasChanges()) return Promise.resolve();
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
    const everyMs = refreshIntervalMs !== null && refreshIntervalMs > 0 ? refreshIntervalMs : INTERVAL_MS_DEFAULT;
    this.cancel = this.options.sched.after(everyMs, () => {
      const isWanted = refreshIntervalMs !== -1 && (!this.isIdle() || this.waiters.length > 0);
      if (isWanted && this.options.hasChanges()) void this.options.refresh();
      this.options.afterTurn();
      this.schedule();
    });
  }
}
