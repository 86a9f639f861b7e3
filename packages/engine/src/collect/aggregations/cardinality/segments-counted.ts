/**
 * What a profile of `cardinality` says of the segments: how the values of each were told apart.
 */
import type { ProfiledCollector } from '../collector/bucket-collector.ts';

export class SegmentsCounted {
  private readonly by: 'numeric' | 'ordinals';
  private used = 0;
  private empty = 0;

  constructor(by: 'numeric' | 'ordinals') {
    this.by = by;
  }

  /** A segment is entered; null: it has no values of the field. */
  note(column: object | null): void {
    if (column === null) this.empty++;
    else this.used++;
  }

  get profiled(): ProfiledCollector {
    const { by, used, empty } = this;
    return {
      type: 'CardinalityAggregator',
      debug: {
        empty_collectors_used: empty,
        numeric_collectors_used: by === 'numeric' ? used : 0,
        ordinals_collectors_used: by === 'ordinals' ? used : 0,
        ordinals_collectors_overhead_too_high: 0,
        string_hashing_collectors_used: 0,
      },
    };
  }
}
