/**
 * What is told of many values: least, greatest, mean, spread and percentiles. An even sample of them is kept, so that
 * percentiles cost the same however many there are.
 */
import type { Random } from '@shoal/runtime';

const SAMPLES_MAX = 1028;

export class ValueSample {
  private readonly random: Random;
  private readonly kept: number[] = [];
  private count = 0;
  private sum = 0;
  private least = Number.POSITIVE_INFINITY;
  private greatest = Number.NEGATIVE_INFINITY;
  /** Mean and sum of squared distances from it, brought forward with each value (Welford). */
  private runningMean = 0;
  private squares = 0;

  constructor(random: Random) {
    this.random = random;
  }

  add(value: number): void {
    this.count++;
    this.sum += value;
    this.least = Math.min(this.least, value);
    this.greatest = Math.max(this.greatest, value);
    const distance = value - this.runningMean;
    this.runningMean += distance / this.count;
    this.squares += distance * (value - this.runningMean);
    if (this.kept.length < SAMPLES_MAX) {
      this.kept.push(value);
      return;
    }
    const place = this.random.below(Math.min(this.count, 0xffff_ffff));
    if (place < SAMPLES_MAX) this.kept[place] = value;
  }

  /**
   * The figures by their names. `stddev` is the square root of the standard deviation: Logstash takes it a second time, and
   * dashboards are made for its numbers.
   */
  figures(): readonly (readonly [name: string, value: number])[] {
    const variance = this.count > 1 ? this.squares / (this.count - 1) : 0;
    return [
      ['min', this.least],
      ['max', this.greatest],
      ['stddev', Math.sqrt(Math.sqrt(variance))],
      ['mean', this.sum / this.count],
    ];
  }

  /**
   * Values below which so many percent of the sample are, between two neighbours in proportion.
   *
   * @param percents each from 0 to 100
   */
  percentiles(percents: readonly number[]): readonly number[] {
    const sorted = [...this.kept].sort((a, b) => a - b);
    return percents.map((percent) => {
      const rank = (percent / 100) * (sorted.length + 1);
      const lower = sorted[Math.max(0, Math.min(sorted.length, Math.floor(rank)) - 1)] ?? 0;
      if (rank < 1 || rank >= sorted.length) return lower;
      const upper = sorted[Math.floor(rank)] ?? lower;
      return lower + (rank % 1) * (upper - lower);
    });
  }
}
