/**
 * How many events there were, and how many a second: moving averages that are brought forward every five seconds.
 */

/** Step at which moving averages are brought forward. */
export const TICK_MS = 5000;

export class EventRate {
  private readonly minutes: readonly number[];
  /** Events a second, by minutes of the average; null before the first tick. */
  private readonly averages: (number | null)[];
  private total = 0;
  private sinceTick = 0;

  /** @param minutes lengths of the moving averages */
  constructor(minutes: readonly number[]) {
    this.minutes = minutes;
    this.averages = minutes.map(() => null);
  }

  get count(): number {
    return this.total;
  }

  mark(): void {
    this.total++;
    this.sinceTick++;
  }

  /** @param ticks steps since the last call, at least 1 */
  tick(ticks: number): void {
    const rate = this.sinceTick / ((ticks * TICK_MS) / 1000);
    this.sinceTick = 0;
    for (const [index, minutes] of this.minutes.entries()) {
      const weight = 1 - Math.exp((-ticks * TICK_MS) / (minutes * 60_000));
      const before = this.averages[index] ?? null;
      this.averages[index] = before === null ? rate : before + weight * (rate - before);
    }
  }

  /** Minutes and events a second. */
  rates(): readonly (readonly [minutes: number, perSecond: number])[] {
    return this.minutes.map((minutes, index) => [minutes, this.averages[index] ?? 0]);
  }
}
