/** Counts and time of the runs of a pipeline or of a processor, on this node since it started. */
export class RunStats {
  /** Runs that came to an end. */
  count = 0;
  /** Runs under way. */
  current = 0;
  /** Runs that ended with a failure; `count` holds them too. */
  failed = 0;
  /** Fractional. */
  timeMs = 0;

  begin(): void {
    this.current++;
  }

  end(tookMs: number, isFailed: boolean): void {
    this.current--;
    this.count++;
    this.timeMs += tookMs;
    if (isFailed) this.failed++;
  }

  /** Goes on counting where `earlier` has come to. */
  takeOver(earlier: RunStats): void {
    this.count += earlier.count;
    this.failed += earlier.failed;
    this.timeMs += earlier.timeMs;
  }
}
