/**
 * Documents that have a number, the nearer to an origin the better: half of the boost at the pivot's distance.
 */
import { assert } from '@shoal/core';
import { inFractionalMillis } from '../../format/columns/derived-columns.ts';
import { NO_MORE_DOCS, type NumericColumn, type SegmentView } from '../../format/reader/segment-reader.ts';
import { scorerAt } from '../explain/explain-weight.ts';
import { counted, explained, noMatch } from '../weight/explanation.ts';
import type { Scorer } from '../weight/scorer.ts';
import type { Weight } from '../weight/weight.ts';

export interface DistanceOptions {
  readonly field: string;
  /** The column holds nanoseconds; origin and pivot are in milliseconds. */
  readonly isInNanos: boolean;
  readonly origin: number;
  /** > 0 */
  readonly pivot: number;
  readonly boost: number;
}

export function distanceWeight(options: DistanceOptions): Weight {
  assert(options.pivot > 0, `pivot ${options.pivot} of a distance on ${options.field}`);
  assert(!Number.isNaN(options.origin), `origin ${options.origin} of a distance on ${options.field}`);
  const scorer = (view: SegmentView): DistanceScorer | null => {
    const stored = view.segment.numericColumn(options.field);
    const column = options.isInNanos ? inFractionalMillis(stored) : stored;
    return column && new DistanceScorer(column, view.segment.docCount, options);
  };
  return {
    text: `LongDistanceFeatureQuery(field=${options.field},origin=${options.origin},pivotDistance=${options.pivot})`,
    scorer,
    explain(view, doc) {
      const found = scorerAt(this, view, doc);
      if (!found) return noMatch(`Document ${doc} doesn't have a value for field ${options.field}`);
      return explained(
        found.score(),
        'Distance score, computed as weight * pivotDistance / (pivotDistance + abs(value - origin)) from:',
        [
          explained(options.boost, 'weight'),
          counted(options.pivot, 'pivotDistance'),
          counted(options.origin, 'origin'),
          counted(scorer(view)?.nearest(doc) ?? 0, 'current value'),
        ],
      );
    },
    count: () => -1,
  };
}

class DistanceScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private readonly column: NumericColumn;
  private readonly options: DistanceOptions;

  constructor(column: NumericColumn, docCount: number, options: DistanceOptions) {
    this.column = column;
    this.cost = docCount;
    this.options = options;
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { column, cost } = this;
    for (let doc = target; doc < cost; doc++) {
      if (column.start(doc) < column.start(doc + 1)) return (this.doc = doc);
    }
    return (this.doc = NO_MORE_DOCS);
  }

  score(): number {
    const { boost, pivot, origin } = this.options;
    return Math.fround(Math.fround(boost) * (pivot / (pivot + Math.abs(this.nearest(this.doc) - origin))));
  }

  /** The value of the document that is nearest to the origin. */
  nearest(doc: number): number {
    const { column } = this;
    const { origin } = this.options;
    const end = column.start(doc + 1);
    let best = column.value(column.start(doc));
    for (let index = column.start(doc) + 1; index < end; index++) {
      const value = column.value(index);
      if (Math.abs(value - origin) < Math.abs(best - origin)) best = value;
    }
    return best;
  }
}
