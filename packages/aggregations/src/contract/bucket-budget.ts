/**
 * Limit on the buckets of one answer, so that a request cannot take all memory of the coordinator.
 */
import { assert, ShoalError } from '@shoal/core';

export class BucketBudget {
  private readonly limit: number;
  private count = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Counts buckets; a negative count gives back what was taken. @throws ShoalError `too_many_buckets_exception` */
  take(count: number): void {
    this.count += count;
    assert(this.count >= 0, `${this.count} buckets after ${count} more of at most ${this.limit}`);
    if (this.count <= this.limit) return;
    throw new ShoalError(
      'too_many_buckets_exception',
      400,
      `Trying to create too many buckets. Must be less than or equal to: [${this.limit}] but was [${this.count}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
      { metadata: { max_buckets: this.limit } },
    );
  }
}
